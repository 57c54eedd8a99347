"""Each rule of a game as an entry of its own, so that Python can call its machine code."""

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
