"""Remedies for frequent error messages of the compiler and of NumPy."""

import re

from ludus.games.game import Game

_FIXED = "make it a tuple or a NumPy array, which stays constant"
_ALIKE = "rules index and loop over tuples only if all parts have one type; use a NumPy array, padding short rows"
_STATE = "a rule may change nothing but its arguments; keep the value in the state"

_REMEDIES = {
    "in globals, is not supported": f"compiled rules cannot read global lists; {_FIXED}",
    "is no constant": f"compiled rules cannot read lists of an enclosing function; {_FIXED}",
    "Cannot determine Numba type of <class 'dict'>": f"compiled rules cannot read global dictionaries; {_FIXED}",
    "Cannot determine Numba type of <class 'type'>": "compiled rules cannot use classes; use tuples and NumPy arrays",
    "The use of yield": "compiled rules cannot use generators, such as in any(), all(), max() or sum(); write a loop",
    "imprecise type: list(undefined)": "an empty list has no item type; use an array of the maximum size and a counter",
    "imprecise type: set(undefined)": "an empty set has no item type; use an array with a flag for each possible item",
    "imprecise type: DictType": "compiled rules cannot use dictionaries; use an array with an item for each key",
    "setitem(readonly array": _STATE,
    "(STORE_GLOBAL)": _STATE,
    "(DELETE_GLOBAL)": _STATE,
    "exception_match()": "compiled rules cannot catch exceptions; test with `if` beforehand",
    "format spec in f-strings": "compiled rules cannot format strings; use numbers",
    "getitem(Tuple(": _ALIKE,
    "enumerate(Tuple(": _ALIKE,
    "getiter with parameters (Tuple(": _ALIKE,
    "No implementation of function": "Numba has no such operation for these types; use integers, or a loop",
}

_INDEX = re.compile(r"out of bounds for axis (\d) with size (\d+)")
_NUMBER = re.compile(r"out of bounds for u?int\d+$")
_WRITE_STATES = ("start", "play", "symmetric_state")


def with_remedy(complaint: str) -> str:
    """Append a remedy to a compiler message, if one is known."""
    remedy = next((remedy for words, remedy in _REMEDIES.items() if words in complaint), "")
    return f"{complaint.rstrip('.')}: {remedy}" if remedy else complaint


def room(game: Game, rule: str, said: str) -> str:
    """Return the declared size of the array that a NumPy error is about, to be appended to the error.

    Args:
        game: the game.
        rule: the rule that raised the error.
        said: NumPy's message: an index out of bounds, or a number too large for its type.

    Returns:
        A clause that begins with a semicolon; empty if several arrays could be meant.
    """
    if _NUMBER.search(said) and rule in _WRITE_STATES:
        return f"; the state's items are {game.dtype}; choose another `dtype`"
    index = _INDEX.search(said)
    if not index:
        return ""
    axis, size = int(index[1]), int(index[2])
    items = len(game.empty_state())
    arrays = {
        f"the state has {game.state_size} items, as state_size says, and zeros up to {items}": (items,),
        f"`actions` has room for max_legal, {game.max_legal}": (game.max_legal,) if rule == "legal" else (),
        f"the planes are {game.planes}": game.planes if rule == "encode" else (),
        f"the maps are {(game.num_maps, *game.planes[1:])}": (
            (game.num_maps, *game.planes[1:]) if rule == "final_maps" else ()
        ),
    }
    fitting = [words for words, shape in arrays.items() if shape[axis : axis + 1] == (size,)]
    return f"; {fitting[0]}" if len(fitting) == 1 else ""
