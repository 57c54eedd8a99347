"""What a game declares, judged before it is used: parts that are unknown, missing, or of the wrong type."""

import inspect
import reprlib
from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from typing import Any, Concatenate, ParamSpec

import numpy as np

from ludus.errors import BadGame
from ludus.spelling import did_you_mean

P = ParamSpec("P")


def _are(kind: type | tuple[type, ...], values: Sequence[Any]) -> bool:
    return not isinstance(values, str) and all(isinstance(value, kind) for value in values)


_INTEGER, _NUMBER = (int, np.integer), (int, float, np.number)
_FUNCTION = ("a function", callable)

WANTED: dict[str, tuple[str, Callable[[Any], bool]]] = {
    "name": ("a string", lambda value: isinstance(value, str)),
    "planes": ("three numbers (C, H, W)", lambda value: len(value) == len("CHW") and _are(int, value)),
    "plane_scale": ("a list of numbers, one for each plane", lambda value: _are(_NUMBER, value)),
    "plane_names": ("a list of strings, one for each plane", lambda value: _are(object, value)),
    "score_weights": ("a list of numbers, one for each plane", lambda value: _are(_NUMBER, value)),
    "action_places": (
        "a list of places (layer, row, column)",
        lambda value: all(len(place) == len(("layer", "row", "column")) and _are(_INTEGER, place) for place in value),
    ),
    "action_classes": (
        "a dictionary of lists of actions",
        lambda value: isinstance(value, Mapping) and all(_are(_INTEGER, actions) for actions in value.values()),
    ),
    "dtype": ("uint8, int16, int32, int64 or uint64", lambda value: bool(np.dtype(value).kind)),
    "players": ("two strings, the names of the sides", lambda value: len(value) == len((0, 1)) and _are(str, value)),
    "action_text": _FUNCTION,
    "parse_move": _FUNCTION,
    "move_text": _FUNCTION,
    "describe": _FUNCTION,
    "reason": _FUNCTION,
    "setup": _FUNCTION,
    "for_search": _FUNCTION,
    "renew": _FUNCTION,
    "can_win": _FUNCTION,
}
"""What a part must be, in words, and whether it is; what `Game` says of numbers and rules itself is not here."""


def declared(define: Callable[Concatenate[Any, P], None]) -> Callable[Concatenate[Any, P], None]:
    """Judge the parts that an author gives to `Game` before they reach it, in the words of its interface.

    Raises:
        BadGame: a part is unknown, missing or of the wrong type.
    """
    known = {name: part for name, part in inspect.signature(define).parameters.items() if name != "self"}

    @wraps(define)
    def judged(self: Any, *unnamed: P.args, **parts: P.kwargs) -> None:  # noqa: ANN401 - a Game
        if unnamed:
            raise BadGame(f"Game takes its parts by name, such as name={unnamed[0]!r}.")
        for name in (name for name in parts if name not in known):
            remedy = did_you_mean(name, known) or f"it takes {', '.join(known)}."
            raise BadGame(f"Game takes no {name!r}; {remedy}")
        for name, part in known.items():
            if part.default is part.empty and name not in parts:
                raise BadGame(f"Game needs {name!r}; add it.")
        for name, value in parts.items():
            if name in WANTED and value is not known[name].default and not _fits(value, WANTED[name][1]):
                raise BadGame(f"{name} is {reprlib.repr(value)}; it must be {WANTED[name][0]}.")
        define(self, *unnamed, **parts)

    return judged


def _fits(value: object, is_wanted: Callable[[Any], bool]) -> bool:
    try:
        return is_wanted(value)
    except (TypeError, ValueError):  # it cannot even be asked
        return False
