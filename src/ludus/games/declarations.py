"""Checks the arguments of `Game`: unknown, missing, or of the wrong type or size."""

import inspect
import math
from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from typing import Any, Concatenate, ParamSpec

import numpy as np

from ludus.errors import BadGame
from ludus.games import scope
from ludus.games.blame import shown
from ludus.games.calls import RULES
from ludus.games.rules import State
from ludus.spelling import did_you_mean

P = ParamSpec("P")


def _are(kind: type | tuple[type, ...], values: Sequence[Any]) -> bool:
    return not isinstance(values, str) and all(isinstance(value, kind) for value in values)


_INTEGER, _NUMBER = (int, np.integer), (int, float, np.number)
_FUNCTION = ("a function", callable)

WANTED: dict[str, tuple[str, Callable[[Any], bool]]] = {
    "name": ("a string", lambda value: isinstance(value, str)),
    "planes": ("three numbers (C, H, W)", lambda value: len(value) == 3 and _are(int, value)),
    "plane_scale": ("a list of numbers, one per plane", lambda value: _are(_NUMBER, value)),
    "plane_names": ("a list of strings, one per plane", lambda value: _are(object, value)),
    "score_weights": ("a list of numbers, one per plane", lambda value: _are(_NUMBER, value)),
    "action_places": (
        "a list of places (layer, row, column)",
        lambda value: all(len(place) == len(("layer", "row", "column")) and _are(_INTEGER, place) for place in value),
    ),
    "action_classes": (
        "a dictionary of lists of actions",
        lambda value: isinstance(value, Mapping) and all(_are(_INTEGER, actions) for actions in value.values()),
    ),
    "dtype": ("uint8, int16, int32, int64 or uint64", lambda value: bool(np.dtype(value).kind)),
    "players": (
        f"two strings, the names of the sides: {scope.TWO_PLAYERS}",
        lambda value: len(value) == len((0, 1)) and _are(str, value),
    ),
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
"""For each argument, the required form in words and a test; `Numbers.fault` checks sizes, and `Game` checks rules."""


_MORE_ARGUMENTS = {"play": scope.ONE_AT_A_TIME, "encode": scope.NOTHING_HIDDEN}
"""What an author may expect who gives a rule more arguments: actions of both players, or the player who looks."""


def declared(define: Callable[Concatenate[Any, P], None]) -> Callable[Concatenate[Any, P], None]:
    """Wrap `Game.__init__` so that it first checks its arguments; errors name them as `Game` does.

    Raises:
        BadGame: an argument is unknown, missing or of the wrong type.
    """
    _self, *parts_of_game, _rules = inspect.signature(define).parameters.values()
    defaults = {part.name: part.default for part in parts_of_game}
    needed = [name for name, default in defaults.items() if default is inspect.Parameter.empty]
    needed += [name for name, rule in RULES.items() if rule.default is None]
    known = [*defaults, *RULES]

    @wraps(define)
    def judged(self: Any, *unnamed: P.args, **parts: P.kwargs) -> None:  # noqa: ANN401 - a Game
        if unnamed:
            raise BadGame(f"Game takes its parts by name, such as name={unnamed[0]!r}.")
        for name in (name for name in parts if name not in known):
            remedy = _sentence(scope.refusal(name)) or did_you_mean(name, known) or f"it takes {', '.join(known)}."
            raise BadGame(f"Game takes no {name!r}; {remedy}")
        for name in (name for name in needed if name not in parts):
            raise BadGame(f"Game needs {name!r}; add it.")
        for name, value in parts.items():
            if name in WANTED and value is not defaults[name] and not _fits(value, WANTED[name][1]):
                raise BadGame(f"{name} is {shown(value)}; it must be {WANTED[name][0]}.")
        for rule, words in _MORE_ARGUMENTS.items():
            code, most = getattr(parts[rule], "__code__", None), 1 + len(RULES[rule].arguments)
            if code and code.co_argcount > most:
                raise BadGame(f"rule {rule}() takes {code.co_argcount} arguments; it must take {most}: {words}.")
        define(self, *unnamed, **parts)

    return judged


def _sentence(words: str) -> str:
    return words and f"{words}."


def _fits(value: object, is_wanted: Callable[[Any], bool]) -> bool:
    try:
        return is_wanted(value)
    except (TypeError, ValueError):  # the test cannot handle the value
        return False


class Numbers:
    """The sizes that a game declares, and the shape of its states."""

    state_size: int
    num_actions: int
    planes: tuple[int, int, int]
    max_actions: int
    max_legal: int
    plane_scale: tuple[float, ...]
    plane_names: tuple[str, ...]
    score_weights: tuple[float, ...]
    num_symmetries: int
    num_maps: int
    mask_plane: int | None
    action_places: tuple[tuple[int, int, int], ...]
    action_classes: dict[str, tuple[int, ...]]
    dtype: np.dtype[Any]

    @property
    def state_words(self) -> int:
        """Return the number of 64-bit words of a state."""
        return -(-self.state_size * self.dtype.itemsize // 8)

    def empty_state(self) -> State:
        """Return a state of zeros, padded to whole 64-bit words."""
        return np.zeros(self.state_words, np.uint64).view(self.dtype)

    def fault(self) -> str:
        """Return the fault in the declared numbers and names; empty if there is none."""
        numbers = {name: getattr(self, name) for name in ("state_size", "num_actions", "max_actions", "num_symmetries")}
        numbers |= {f"planes[{index}]": size for index, size in enumerate(self.planes)}
        for name, number in numbers.items():
            if type(number) is not int or number < 1:
                return f"{name} is {number!r}; it must be a positive integer"
        if type(self.num_maps) is not int or self.num_maps < 0:
            return f"num_maps is {self.num_maps!r}; it must be 0 or a positive integer"
        if len(self.plane_scale) != self.planes[0] or not all(0.0 < scale < math.inf for scale in self.plane_scale):
            return f"plane_scale is {self.plane_scale}; it must hold a finite number above 0 per plane"
        names = {name for name in self.plane_names if type(name) is str}
        if self.plane_names and not len(names) == len(self.plane_names) == self.planes[0]:
            return f"plane_names is {self.plane_names}; it must hold {self.planes[0]} different names, one per plane"
        if self.score_weights and (len(self.score_weights) != self.planes[0] or self.num_maps != 2):
            return f"score_weights is {self.score_weights}; it must hold one number per plane, and num_maps must be 2"
        if self.dtype.kind not in "iu":
            return f"dtype {self.dtype} is not an integer type; use uint8, int16, int32, int64 or uint64"
        if self.mask_plane is not None and self.mask_plane not in range(self.planes[0]):
            return f"mask_plane is {self.mask_plane}; it must be one of the {self.planes[0]} planes"
        return self._fault_of_actions() or self._fault_of_places()

    def _fault_of_actions(self) -> str:
        if self.num_actions > np.iinfo(np.int16).max:
            return f"num_actions is {self.num_actions}; it must be {np.iinfo(np.int16).max} or less"
        if type(self.max_legal) is not int or not 1 <= self.max_legal <= self.num_actions:
            return f"max_legal is {self.max_legal!r}; it must be an integer from 1 to num_actions, {self.num_actions}"
        for each, actions in self.action_classes.items():
            if not actions or not all(action in range(self.num_actions) for action in actions):
                return f"action_classes names {each!r} with actions {actions}; it must hold some below num_actions"
        return ""

    def _fault_of_places(self) -> str:
        places, rows, columns = self.action_places, *self.planes[1:]
        if places and len(places) != self.num_actions:
            return f"action_places holds {len(places)} places for {self.num_actions} actions; give one per action"
        known: dict[tuple[int, int, int], int] = {}
        for action, place in enumerate(places):
            layer, row, column = place
            if layer < 0 or not ((row, column) == (-1, -1) or (0 <= row < rows and 0 <= column < columns)):
                return f"action {action} has the place {place}; it must be (layer, row, column) or (number, -1, -1)"
            if known.setdefault(place, action) != action:
                return f"actions {known[place]} and {action} have the same place, {place}"
        return ""
