"""Positions of self-play as flat arrays: states, search results and outcomes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

DTYPES = {
    "states": np.dtype("<u8"),
    "game": np.dtype("<u1"),
    "ply": np.dtype("<i2"),
    "mover": np.dtype("<u1"),
    "action": np.dtype("<i2"),
    "policy_start": np.dtype("<i4"),
    "policy_action": np.dtype("<i2"),
    "policy_weight": np.dtype("<f4"),
    "outcome": np.dtype("<u1"),
    "root_value": np.dtype("<f4"),
    "root_draw": np.dtype("<f4"),
    "surprise": np.dtype("<f4"),
    "weight": np.dtype("<f4"),
    "network": np.dtype("<i4"),
    "game_id": np.dtype("<i8"),
}
NO_ACTION = -1  # the mover resigned


@dataclass(frozen=True, eq=False)
class Samples:
    """A struct of arrays over N positions and M policy pairs, each an action of a position with its share of visits.

    A position without pairs has no policy target, since its search was too short; it still has an outcome.
    Input planes are not stored but computed from the states in training, where symmetries and new planes can be added.
    The positions of a game are consecutive, in the order of play.
    """

    states: NDArray[np.uint64]  # [N, words]  the flat state
    game: NDArray[np.uint8]  # [N]  index of the game in the shard's `names`
    ply: NDArray[np.int16]  # [N]  actions played before this position
    mover: NDArray[np.uint8]  # [N]  the player to move, 0 or 1
    action: NDArray[np.int16]  # [N]  the action played; NO_ACTION: the mover resigned
    policy_start: NDArray[np.int32]  # [N + 1]  position i has the pairs policy_start[i]:policy_start[i + 1]
    policy_action: NDArray[np.int16]  # [M]
    policy_weight: NDArray[np.float32]  # [M]  share of the visits; the pairs of a position sum to 1
    outcome: NDArray[np.uint8]  # [N]  how the game ended: 1 first wins, 2 second wins, 3 draw
    root_value: NDArray[np.float32]  # [N]  value of the search in [-1, 1], from player 0's view
    root_draw: NDArray[np.float32]  # [N]  probability of a draw according to the search
    surprise: NDArray[np.float32]  # [N]  KL divergence of policy target from priors, in nats; 0 without a target
    weight: NDArray[np.float32]  # [N]  how often the position is drawn in training; 1 is usual, 0 is never
    network: NDArray[np.int32]  # [N]  number of the network that chose the move
    game_id: NDArray[np.int64]  # [N]  equal for all positions of one game

    def __post_init__(self) -> None:
        """Check the types and shapes of the arrays."""
        for name, dtype in DTYPES.items():
            array = getattr(self, name)
            assert array.dtype == dtype, f"{name} is {array.dtype}, not {dtype}"
        num_positions, num_pairs = len(self), len(self.policy_action)
        assert self.states.ndim == 2, "states is [N, words]"
        for name in DTYPES:
            if name != "states" and not name.startswith("policy"):
                assert getattr(self, name).shape == (num_positions,), f"{name} is not [N]"
        assert self.policy_start.shape == (num_positions + 1,), "policy_start is not [N + 1]"
        assert self.policy_weight.shape == self.policy_action.shape == (num_pairs,), "policy arrays are not [M]"
        assert self.policy_start[0] == 0, "policy_start begins with 0"
        assert self.policy_start[-1] == num_pairs, "policy_start ends with M"

    def __len__(self) -> int:
        """Return N, the number of positions."""
        return self.states.shape[0]

    @property
    def nbytes(self) -> int:
        """Return the memory of the arrays in bytes."""
        return sum(getattr(self, name).nbytes for name in DTYPES)

    @property
    def num_words(self) -> int:
        """Return the number of 64-bit words of a state."""
        return self.states.shape[1]

    @staticmethod
    def empty(num_words: int) -> Samples:
        """Return samples without positions."""
        arrays: dict[str, Any] = {name: np.zeros(0, dtype) for name, dtype in DTYPES.items()}
        arrays |= {"states": np.zeros((0, num_words), np.uint64), "policy_start": np.zeros(1, np.int32)}
        return Samples(**arrays)

    @staticmethod
    def concatenate(parts: Sequence[Samples]) -> Samples:
        """Concatenate samples; `parts` must not be empty, and all must have the same number of words."""
        arrays = {
            field.name: np.concatenate([getattr(part, field.name) for part in parts]) for field in fields(Samples)
        }
        arrays["policy_start"] = _starts(np.concatenate([np.diff(part.policy_start) for part in parts]))
        return Samples(**arrays)

    def take(self, indices: NDArray[np.integer]) -> Samples:
        """Return the positions at `indices` [K], in that order; an index may be repeated."""
        counts = np.diff(self.policy_start)[indices]  # [K]
        starts = _starts(counts)  # [K + 1]
        pairs = np.arange(starts[-1]) + np.repeat(self.policy_start[:-1][indices] - starts[:-1], counts)  # [pairs of K]
        arrays = {field.name: getattr(self, field.name) for field in fields(self)}
        arrays = {name: array if name.startswith("policy") else array[indices] for name, array in arrays.items()}
        arrays |= {
            "policy_start": starts,
            "policy_action": self.policy_action[pairs],
            "policy_weight": self.policy_weight[pairs],
        }
        return Samples(**arrays)


def _starts(counts: NDArray[np.integer]) -> NDArray[np.int32]:
    return np.concatenate([np.zeros(1, np.int64), np.cumsum(counts)]).astype(np.int32)
