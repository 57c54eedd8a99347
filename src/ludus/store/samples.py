"""Positions of self-play as flat arrays: what was seen, what the search thought of it, how the game ended."""

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
NO_ACTION = -1  # of a mover who resigned


@dataclass(frozen=True, eq=False)
class Samples:
    """A struct of arrays over N positions; M is the number of (position, action) pairs that the search visited.

    A position without pairs was searched too briefly to teach a policy; its outcome teaches all the same.
    Planes are not kept: they are computed from the states when a network trains, so symmetries and new planes are free.
    The positions of a game stand together, in the order in which they were played; so what came later is found.
    """

    states: NDArray[np.uint64]  # [N, words]  the flat state
    game: NDArray[np.uint8]  # [N]  which of the run's games: an index into the shard's `names`
    ply: NDArray[np.int16]  # [N]  actions played before this position
    mover: NDArray[np.uint8]  # [N]  the player to move, 0 or 1
    action: NDArray[np.int16]  # [N]  what was played; NO_ACTION: nothing, the mover resigned
    policy_start: NDArray[np.int32]  # [N + 1]  position i owns the pairs policy_start[i]:policy_start[i + 1]
    policy_action: NDArray[np.int16]  # [M]
    policy_weight: NDArray[np.float32]  # [M]  share of the visits; sums to 1 over a position that has pairs
    outcome: NDArray[np.uint8]  # [N]  how the game ended: 1 first wins, 2 second wins, 3 draw
    root_value: NDArray[np.float32]  # [N]  the search's value in [-1, 1], seen by player 0
    root_draw: NDArray[np.float32]  # [N]  the search's probability of a draw
    surprise: NDArray[np.float32]  # [N]  nats from the search's priors to its policy target; 0 without a target
    weight: NDArray[np.float32]  # [N]  how often it is drawn, where 1 is usual; 0: never
    network: NDArray[np.int32]  # [N]  which network made the move
    game_id: NDArray[np.int64]  # [N]  equal for the positions of one game

    def __post_init__(self) -> None:
        """Check that the arrays fit together."""
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
        """Return how much memory the arrays take."""
        return sum(getattr(self, name).nbytes for name in DTYPES)

    @property
    def num_words(self) -> int:
        """Return how many 64-bit words a state has."""
        return self.states.shape[1]

    @staticmethod
    def empty(num_words: int) -> Samples:
        """Return samples of no position."""
        arrays: dict[str, Any] = {name: np.zeros(0, dtype) for name, dtype in DTYPES.items()}
        arrays |= {"states": np.zeros((0, num_words), np.uint64), "policy_start": np.zeros(1, np.int32)}
        return Samples(**arrays)

    @staticmethod
    def concatenate(parts: Sequence[Samples]) -> Samples:
        """Return all positions of `parts` (one at least, of one number of words) in order."""
        arrays = {
            field.name: np.concatenate([getattr(part, field.name) for part in parts]) for field in fields(Samples)
        }
        arrays["policy_start"] = _starts(np.concatenate([np.diff(part.policy_start) for part in parts]))
        return Samples(**arrays)

    def take(self, indices: NDArray[np.integer]) -> Samples:
        """Return the positions at `indices` [K], in that order; an index may occur more than once."""
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
