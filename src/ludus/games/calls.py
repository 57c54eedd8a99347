"""The rules as Python calls them, one position at a time: as plain functions, or as machine code.

Each rule is an entry of its own, so that Python can call its machine code; `Game.compile` makes `Calls` use it.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludus.games.rules import State
from ludus.kernel import Rules, entry


@entry
def to_play(rules: Rules, state: State) -> int:
    """Call the rule of this name, as all entries here do."""
    return rules.to_play(state)


@entry
def legal(rules: Rules, state: State, actions: NDArray[np.int16]) -> int:
    """Write the legal actions."""
    return rules.legal(state, actions)


@entry
def play(rules: Rules, state: State, action: int) -> None:
    """Change the state."""
    return rules.play(state, action)


@entry
def outcome(rules: Rules, state: State) -> int:
    """Return the outcome's code."""
    return rules.outcome(state)


@entry
def encode(rules: Rules, state: State, planes: NDArray[np.uint8]) -> None:
    """Write the planes."""
    return rules.encode(state, planes)


@entry
def heuristic(
    rules: Rules, state: State, actions: NDArray[np.int16], count: int, weights: NDArray[np.float32]
) -> float:
    """Write the weights, return the value."""
    return rules.heuristic(state, actions, count, weights)


@entry
def symmetric_state(rules: Rules, state: State, symmetry: int, out: State) -> None:
    """Write the state under a symmetry."""
    return rules.symmetric_state(state, symmetry, out)


@entry
def symmetric_action(rules: Rules, state: State, symmetry: int, action: int) -> int:
    """Return the action under a symmetry."""
    return rules.symmetric_action(state, symmetry, action)


@entry
def final_maps(rules: Rules, state: State, player: int, maps: NDArray[np.uint8]) -> None:
    """Write the maps of a finished game."""
    return rules.final_maps(state, player, maps)


@entry
def survey(rules: Rules, state: State, actions: NDArray[np.int16], count: int, ranks: NDArray[np.int16]) -> float:
    """Write the ranks, return the value."""
    return rules.survey(state, actions, count, ranks)


@entry
def foresee(rules: Rules, state: State) -> int:
    """Return the outcome that is certain, or ONGOING."""
    return rules.foresee(state)


ENTRIES: dict[str, Callable[..., Any]] = {
    "to_play": to_play,
    "legal": legal,
    "play": play,
    "outcome": outcome,
    "encode": encode,
    "heuristic": heuristic,
    "symmetric_state": symmetric_state,
    "symmetric_action": symmetric_action,
    "final_maps": final_maps,
    "survey": survey,
    "foresee": foresee,
}


class Calls:
    """The rules of one game for people-side code; states are never changed in place."""

    def __init__(self, rules: Rules, max_legal: int, *, compiled: bool = False) -> None:
        """Call the plain rules, or machine code: 40 times faster on an 8x8 Wall Game, after seconds of compilation."""
        self._rules, self._max_legal, self._compiled = rules, max_legal, compiled

    def legal(self, state: State) -> list[int]:
        """Return the legal actions."""
        actions = np.zeros(self._max_legal, np.int16)
        if self._compiled:
            count = legal(self._rules, state.copy(), actions)
        else:
            with np.errstate(over="ignore"):
                count = self._rules.legal(state, actions)
        return actions[:count].tolist()

    def play(self, state: State, action: int) -> State:
        """Return the state after an action."""
        state = state.copy()
        if self._compiled:
            play(self._rules, state, action)
        else:
            with np.errstate(over="ignore"):
                self._rules.play(state, action)
        return state

    def outcome(self, state: State) -> int:
        """Return the outcome's code."""
        if self._compiled:
            return int(outcome(self._rules, state.copy()))
        with np.errstate(over="ignore"):
            return int(self._rules.outcome(state))

    def heuristic(self, state: State, actions: list[int]) -> tuple[NDArray[np.float64], float]:
        """Return the weights that common sense gives to legal actions [A], and its value of the state for player 0."""
        legal, weights = np.array(actions, np.int16), np.zeros(len(actions), np.float32)  # [A], [A]
        if self._compiled:
            value = heuristic(self._rules, state.copy(), legal, len(legal), weights)
        else:
            with np.errstate(over="ignore"):
                value = self._rules.heuristic(state, legal, len(legal), weights)
        return weights.astype(np.float64), float(value)
