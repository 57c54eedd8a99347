"""The rules of a game: plain functions over one flat state, and what they do where a game leaves them out.

They are compiled (`state` is a flat array of the game's `dtype`, actions are integers below `num_actions`; behind the
items of `state_size` lie zeros up to a whole 64-bit word, so write `state[:36].reshape(6, 6)`):

    to_play(state) -> int                     0 or 1; a player may move twice in a row
    legal(state, actions) -> int              writes the legal actions into `actions`, returns how many
    play(state, action)                       changes `state`
    outcome(state) -> int                     ONGOING, FIRST_WINS, SECOND_WINS or DRAW
    encode(state, planes)                     writes byte planes [C, H, W], which come filled with zeros;
                                              the network sees them multiplied by the game's `plane_scale`
    heuristic(state, actions, count, weights) -> float
                                              optional: prior weights of the `count` legal actions and a value seen by
                                              player 0, from common sense; default: all alike, 0.0
    symmetric_state(state, symmetry, out)     optional: the state under symmetry 1..num_symmetries-1 (0 is identity)
    symmetric_action(state, symmetry, action) -> int
    final_maps(state, player, maps)           optional: what became of the cells in a game that ends in this state, seen
                                              by `player`: writes ones into byte maps [M, H, W], which come filled with
                                              zeros; training alone uses them
    survey(state, actions, count, ranks) -> float
                                              optional, for minimax: a value seen by player 0, in [-1, 1], and how
                                              promising each of the `count` legal actions looks: the highest rank is
                                              tried first, ranks below 0 only by a search of full width; with a count
                                              of 0 the value alone is wanted; default: all alike, 0.0
    foresee(state) -> int                     optional, for searches: the outcome under best play of a game that goes
                                              on, where the rules can tell it for sure (a draw by `max_actions` is
                                              thought of, too), else ONGOING; each leaf of a search at which a turn
                                              begins is asked, so it must be quick; default: ONGOING
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludus.kernel import Signature, declare_rules

State = NDArray[Any]  # [S] of the game's dtype; to the compiler, one that must not be changed has another type
ONGOING, FIRST_WINS, SECOND_WINS, DRAW = 0, 1, 2, 3


def no_heuristic(state: State, actions: NDArray[np.int16], count: int, weights: NDArray[np.float32]) -> float:  # noqa: ARG001
    """Give all actions the same weight."""
    for index in range(count):
        weights[index] = 1.0
    return 0.0


def same_state(state: State, symmetry: int, out: State) -> None:  # noqa: ARG001
    """Copy the state."""
    for index in range(out.shape[0]):
        out[index] = state[index]


def same_action(state: State, symmetry: int, action: int) -> int:  # noqa: ARG001
    """Return the action itself."""
    return action


def no_maps(state: State, player: int, maps: NDArray[np.uint8]) -> None:  # noqa: ARG001
    """Leave the maps empty."""
    maps[:] = 0


def no_survey(state: State, actions: NDArray[np.int16], count: int, ranks: NDArray[np.int16]) -> float:  # noqa: ARG001
    """Rank all actions alike."""
    for index in range(count):
        ranks[index] = 0
    return 0.0


def no_foresight(state: State) -> int:  # noqa: ARG001
    """Say that no outcome is certain."""
    return ONGOING


class Rule(NamedTuple):
    """What a rule is called with, behind the state, and what it returns."""

    arguments: tuple[str, ...]
    returns: type | None
    default: Callable[..., Any] | None = None
    """What a game has that leaves the rule out; None: no game may."""


RULES = {
    "to_play": Rule((), int),
    "legal": Rule(("actions",), int),
    "play": Rule(("action",), None),
    "outcome": Rule((), int),
    "encode": Rule(("planes",), None),
    "heuristic": Rule(("actions", "count", "weights"), float, no_heuristic),
    "symmetric_state": Rule(("symmetry", "out"), None, same_state),
    "symmetric_action": Rule(("symmetry", "action"), int, same_action),
    "final_maps": Rule(("player", "maps"), None, no_maps),
    "survey": Rule(("actions", "count", "ranks"), float, no_survey),
    "foresee": Rule((), int, no_foresight),
}
declare_rules({name: Signature(1 + len(rule.arguments), rule.returns) for name, rule in RULES.items()})
