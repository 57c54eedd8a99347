"""What an author does about a complaint, of the compiler or of NumPy, by its words."""

import re

from ludus.games.game import Game

_FIXED = "make it a tuple or a NumPy array, which no rule may change"
_ALIKE = "rules index and go through tuples whose parts are alike; make it a NumPy array, with short rows filled up"
_STATE = "a rule may not change what lies outside its arguments; keep it in the state"

_REMEDIES = {
    "in globals, is not supported": f"rules do not know the file's lists; {_FIXED}",
    "is no constant": f"rules do not know the lists around them; {_FIXED}",
    "Cannot determine Numba type of <class 'dict'>": f"rules do not know the file's dictionaries; {_FIXED}",
    "Cannot determine Numba type of <class 'type'>": "rules use no classes; use numbers, tuples and NumPy arrays",
    "The use of yield": "rules use no generators, such as in any(), all(), max() or sum(); write a loop",
    "imprecise type: list(undefined)": "an empty list tells no type; make an array as large as it can grow, and count",
    "imprecise type: set(undefined)": "an empty set tells no type; make an array with an item for each thing in it",
    "imprecise type: DictType": "rules use no dictionaries; make an array with an item for each key",
    "setitem(readonly array": _STATE,
    "(STORE_GLOBAL)": _STATE,
    "(DELETE_GLOBAL)": _STATE,
    "exception_match()": "rules catch no exceptions; ask before, with `if`",
    "format spec in f-strings": "rules write no texts; reckon with numbers",
    "getitem(Tuple(": _ALIKE,
    "enumerate(Tuple(": _ALIKE,
    "getiter with parameters (Tuple(": _ALIKE,
    "No implementation of function": "Numba does not do it for these types; use integers, or write a loop",
}

_INDEX = re.compile(r"out of bounds for axis (\d) with size (\d+)")
_NUMBER = re.compile(r"out of bounds for u?int\d+$")
_WRITE_STATES = ("start", "play", "symmetric_state")


def with_remedy(complaint: str) -> str:
    """Return a complaint of the compiler with what helps, where that is known."""
    remedy = next((remedy for words, remedy in _REMEDIES.items() if words in complaint), "")
    return f"{complaint.rstrip('.')}: {remedy}" if remedy else complaint


def room(game: Game, rule: str, said: str) -> str:
    """Return what to add to NumPy's words about one of a rule's arrays: how large it is by what the game declares.

    Args:
        game: the game.
        rule: the rule that raised.
        said: what NumPy said: of an index beyond an array, or of a number that its type does not hold.

    Returns:
        A half sentence after a semicolon; nothing where it is not clear which array is meant.
    """
    if _NUMBER.search(said) and rule in _WRITE_STATES:
        return f"; the state's items are {game.dtype}, and `dtype` chooses another type"
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
