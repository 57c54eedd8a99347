"""What an author writes in place of what the compiler does not know, by the words of its complaint."""

_FIXED = "make it a tuple or a NumPy array, which no rule may change"

_REMEDIES = {
    "in globals, is not supported": f"rules do not know the file's lists; {_FIXED}",
    "Cannot determine Numba type of <class 'dict'>": f"rules do not know the file's dictionaries; {_FIXED}",
    "Cannot determine Numba type of <class 'type'>": "rules use no classes; use numbers, tuples and NumPy arrays",
    "The use of yield": "rules use no generators, such as in any(), all(), max() or sum(); write a loop",
    "imprecise type: list(undefined)": "an empty list tells no type; make an array as large as it can grow, and count",
}


def with_remedy(complaint: str) -> str:
    """Return a complaint of the compiler with what helps, where that is known."""
    remedy = next((remedy for words, remedy in _REMEDIES.items() if words in complaint), "")
    return f"{complaint.rstrip('.')}: {remedy}" if remedy else complaint
