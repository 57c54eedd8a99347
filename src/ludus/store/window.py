"""The training window in memory: the samples of several shards, and how positions are drawn from them.

Axes: N positions of all parts, in order; positions are identified by their index 0 to N - 1.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludus.store.samples import Samples
from ludus.store.weights import duplicate_weights, hash_positions, held_out, surprise_weights


class WindowPart(NamedTuple):
    """The samples of a shard with their sampling weights."""

    samples: Samples
    weight: NDArray[np.float32]  # [N of the part]; 0: never drawn
    validates: NDArray[np.bool_]  # [N of the part] whether the position is used for validation
    hashes: NDArray[np.uint64]  # [N of the part], or [0] without deduplication


class Window:
    """The training window, from which a learner draws positions.

    Adding a part copies nothing.  Positions are drawn in passes; in each pass a position occurs as often as its weight
    says, with fractions rounded up or down at random.
    """

    def __init__(self, *, validation: float = 0.0, surprise: float = 0.0, deduplicate: bool = False) -> None:
        """Create an empty window.

        Args:
            validation: share of the games that is used for validation only.
            surprise: share of the weight that is distributed by surprise; see `surprise_weights`.
            deduplicate: whether equal positions together get the weight of one.
        """
        self._validation, self._surprise, self._deduplicate = validation, surprise, deduplicate
        self.parts: list[WindowPart] = []
        self.starts = np.zeros(1, np.int64)  # [parts + 1] index of each part's first position
        self._weights = np.zeros(0, np.float32)  # [N], computed on demand
        self.order: NDArray[np.integer] = np.zeros(0, np.int64)  # indices that remain in this pass

    def extend(self, samples: Samples) -> None:
        """Add newer samples, which must consist of whole games; a new pass begins."""
        weight = surprise_weights(samples, self._surprise) if self._surprise else samples.weight
        hashes = hash_positions(samples) if self._deduplicate else np.zeros(0, np.uint64)
        validates = held_out(samples, self._validation) & (samples.weight > 0)
        self.parts.append(WindowPart(samples, weight, validates, hashes))
        self.starts = np.cumsum([0, *(len(part.samples) for part in self.parts)]).astype(np.int64)
        self._weights, self.order = np.zeros(0, np.float32), np.zeros(0, np.int64)

    def __len__(self) -> int:
        """Return N, the number of positions, including those for validation."""
        return int(self.starts[-1])

    @property
    def nbytes(self) -> int:
        """Return the memory of the parts in bytes."""
        return sum(
            part.samples.nbytes + part.weight.nbytes + part.validates.nbytes + part.hashes.nbytes for part in self.parts
        )

    def weights(self) -> NDArray[np.float32]:
        """Return how often each position is trained on in a pass [N]; 0 for validation and for unwanted positions."""
        if len(self._weights) < len(self):
            weights = np.concatenate([np.where(part.validates, np.float32(0.0), part.weight) for part in self.parts])
            if self._deduplicate:
                drawn = weights > 0.0  # positions that are never drawn do not count as duplicates
                weights[drawn] *= duplicate_weights(np.concatenate([part.hashes for part in self.parts])[drawn])
            self._weights = weights
        return self._weights

    def draw(self, count: int, rng: np.random.Generator) -> NDArray[np.int64]:
        """Draw indices [count] of positions to train on; at the end of a pass, the next one begins.

        `count` may be larger than the window.
        """
        assert self.weights().any(), "the window holds no position to train on"
        while len(self.order) < count:
            self.order = np.concatenate([self.order, self._pass(rng)])
        drawn, self.order = self.order[:count], self.order[count:]
        return drawn.astype(np.int64)

    def validation(self, most: int, rng: np.random.Generator) -> NDArray[np.int64]:
        """Return indices of the newest validation positions, at most `most` of them and each at most once.

        A position with a weight below 1 is included with that probability.
        """
        places = [
            start + np.flatnonzero(part.validates & (rng.random(len(part.samples)) < part.samples.weight))
            for start, part in zip(self.starts[:-1], self.parts, strict=True)
        ]
        found = np.concatenate([np.zeros(0, np.int64), *places])
        return found[max(0, len(found) - most) :]

    def _pass(self, rng: np.random.Generator) -> NDArray[np.integer]:
        """Return the indices of a new pass in random order; each occurs as often as its weight says."""
        kind = np.int32 if len(self) < 2**31 else np.int64  # int32 takes half the memory
        weights = self.weights()
        if ((weights == 0.0) | (weights == 1.0)).all():
            places = np.flatnonzero(weights).astype(kind)
        else:
            times = np.floor(weights + rng.random(len(weights), np.float32)).astype(np.int32)  # [N]
            places = np.repeat(np.arange(len(weights), dtype=kind), times)
        rng.shuffle(places)
        return places
