"""The rules as Python calls them, one position at a time: plain functions, or machine code after `Game.compile`."""

import numpy as np
from numpy.typing import NDArray

from ludus.games import entries
from ludus.games.rules import State
from ludus.kernel import Rules


class Calls:
    """The rules of one game for people-side code; states are never changed in place."""

    def __init__(self, rules: Rules, max_legal: int, *, compiled: bool = False) -> None:
        """Call the plain rules, or machine code: 40 times faster on an 8x8 Wall Game, after seconds of compilation."""
        self._rules, self._max_legal, self._compiled = rules, max_legal, compiled

    def legal(self, state: State) -> list[int]:
        """Return the legal actions."""
        actions = np.zeros(self._max_legal, np.int16)
        if self._compiled:
            count = entries.legal(self._rules, state.copy(), actions)
        else:
            with np.errstate(over="ignore"):
                count = self._rules.legal(state, actions)
        return actions[:count].tolist()

    def play(self, state: State, action: int) -> State:
        """Return the state after an action."""
        state = state.copy()
        if self._compiled:
            entries.play(self._rules, state, action)
        else:
            with np.errstate(over="ignore"):
                self._rules.play(state, action)
        return state

    def outcome(self, state: State) -> int:
        """Return the outcome's code."""
        if self._compiled:
            return int(entries.outcome(self._rules, state.copy()))
        with np.errstate(over="ignore"):
            return int(self._rules.outcome(state))

    def heuristic(self, state: State, actions: list[int]) -> tuple[NDArray[np.float64], float]:
        """Return the weights that common sense gives to legal actions [A], and its value of the state for player 0."""
        legal, weights = np.array(actions, np.int16), np.zeros(len(actions), np.float32)  # [A], [A]
        if self._compiled:
            value = entries.heuristic(self._rules, state.copy(), legal, len(legal), weights)
        else:
            with np.errstate(over="ignore"):
                value = self._rules.heuristic(state, legal, len(legal), weights)
        return weights.astype(np.float64), float(value)
