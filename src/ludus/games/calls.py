"""The rules as Python calls them, one position at a time: plain functions, or machine code after `Game.compile`."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludus.kernel import Rules, entry

State = NDArray[Any]  # [S] of the game's dtype


class Calls:
    """The rules of one game for people-side code; states are never changed in place."""

    def __init__(self, rules: Rules, max_legal: int, *, compiled: bool = False) -> None:
        """Call the plain rules, or machine code: 20 times faster on large boards, after seconds of compilation."""
        self._rules, self._max_legal, self._compiled = rules, max_legal, compiled

    def legal(self, state: State) -> list[int]:
        """Return the legal actions."""
        actions = np.zeros(self._max_legal, np.int16)
        if self._compiled:
            count = _legal(self._rules, state.copy(), actions)
        else:
            with np.errstate(over="ignore"):
                count = self._rules.legal(state, actions)
        return actions[:count].tolist()

    def play(self, state: State, action: int) -> State:
        """Return the state after an action."""
        state = state.copy()
        if self._compiled:
            _play(self._rules, state, action)
        else:
            with np.errstate(over="ignore"):
                self._rules.play(state, action)
        return state

    def outcome(self, state: State) -> int:
        """Return the outcome's code."""
        if self._compiled:
            return int(_outcome(self._rules, state.copy()))
        with np.errstate(over="ignore"):
            return int(self._rules.outcome(state))


# A state that must not be changed has another type to the compiler: the copies above spare it a second compilation.
@entry
def _legal(rules: Rules, state: State, actions: NDArray[np.int16]) -> int:
    return rules.legal(state, actions)


@entry
def _play(rules: Rules, state: State, action: int) -> None:
    rules.play(state, action)


@entry
def _outcome(rules: Rules, state: State) -> int:
    return rules.outcome(state)
