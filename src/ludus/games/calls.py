"""The rules as Python calls them, one position at a time: plain functions, or machine code after `Game.compile`."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludus.games.rules import RULES, State
from ludus.kernel import Rules


class Calls:
    """The rules of one game for people-side code; states are never changed in place."""

    def __init__(self, rules: Rules, max_legal: int, *, compiled: bool = False) -> None:
        """Call the plain rules, or machine code: 40 times faster on an 8x8 Wall Game, after seconds of compilation."""
        self._rules, self._max_legal, self._compiled = rules, max_legal, compiled

    def legal(self, state: State) -> list[int]:
        """Return the legal actions."""
        actions = np.zeros(self._max_legal, np.int16)
        count = self._call("legal", state, actions)
        return actions[:count].tolist()

    def play(self, state: State, action: int) -> State:
        """Return the state after an action."""
        state = state.copy()
        self._call("play", state, action)
        return state

    def outcome(self, state: State) -> int:
        """Return the outcome's code."""
        return int(self._call("outcome", state))

    def heuristic(self, state: State, actions: list[int]) -> tuple[NDArray[np.float64], float]:
        """Return the weights that common sense gives to legal actions [A], and its value of the state for player 0."""
        legal, weights = np.array(actions, np.int16), np.zeros(len(actions), np.float32)  # [A], [A]
        value = self._call("heuristic", state, legal, len(legal), weights)
        return weights.astype(np.float64), float(value)

    def _call(self, rule: str, state: State, *arguments: object) -> Any:  # noqa: ANN401
        if self._compiled:  # machine code takes only arrays that can be written
            given = state if state.flags.writeable else state.copy()
            return RULES[rule].entry(self._rules, given, *arguments)
        with np.errstate(over="ignore"):
            return getattr(self._rules, rule)(state, *arguments)
