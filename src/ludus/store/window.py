"""The window in memory: the samples of some shards side by side, as they were read.

Axes: N positions of all parts, in order; a position is named by its place 0 to N - 1.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludus.store.samples import Samples
from ludus.store.weights import duplicate_weights, hash_positions, held_out, surprise_weights


class WindowPart(NamedTuple):
    """The samples of a shard, and how they are drawn."""

    samples: Samples
    weight: NDArray[np.float32]  # [N of the part]; 0: never
    validates: NDArray[np.bool_]  # [N of the part] of games that are never trained on, where the samples have a weight
    hashes: NDArray[np.uint64]  # [N of the part], or [0] where nobody asks


class Window:
    """What a learner draws from.

    Parts stay as they were read: nothing is copied when another comes.  Positions are drawn without repetition, each
    once a pass on average: as often as its weight says, fractions by chance.
    """

    def __init__(self, *, validation: float = 0.0, surprise: float = 0.0, deduplicate: bool = False) -> None:
        """Begin with nothing.

        Args:
            validation: share of the games that is never trained on.
            surprise: share of the weights that is given by surprise.
            deduplicate: whether equal positions count as one.
        """
        self._validation, self._surprise, self._deduplicate = validation, surprise, deduplicate
        self.parts: list[WindowPart] = []
        self.starts = np.zeros(1, np.int64)  # [parts + 1] places
        self._weights = np.zeros(0, np.float32)  # [N], once they are asked for
        self.order: NDArray[np.integer] = np.zeros(0, np.int64)  # places that are left of this pass

    def extend(self, samples: Samples) -> None:
        """Add newer samples: whole games, each together.  The pass that is under way begins anew."""
        weight = surprise_weights(samples, self._surprise) if self._surprise else samples.weight
        hashes = hash_positions(samples) if self._deduplicate else np.zeros(0, np.uint64)
        validates = held_out(samples, self._validation) & (samples.weight > 0)
        self.parts.append(WindowPart(samples, weight, validates, hashes))
        self.starts = np.cumsum([0, *(len(part.samples) for part in self.parts)]).astype(np.int64)
        self._weights, self.order = np.zeros(0, np.float32), np.zeros(0, np.int64)

    def __len__(self) -> int:
        """Return N, those that validate included."""
        return int(self.starts[-1])

    @property
    def nbytes(self) -> int:
        """Return how much memory the parts take."""
        return sum(
            part.samples.nbytes + part.weight.nbytes + part.validates.nbytes + part.hashes.nbytes for part in self.parts
        )

    def weights(self) -> NDArray[np.float32]:
        """Return how often each position is trained on in a pass [N]; 0: it validates, or is not wanted."""
        if len(self._weights) < len(self):
            weights = np.concatenate([np.where(part.validates, np.float32(0.0), part.weight) for part in self.parts])
            if self._deduplicate:
                drawn = weights > 0.0  # a position that is never drawn takes nothing from its equals
                weights[drawn] *= duplicate_weights(np.concatenate([part.hashes for part in self.parts])[drawn])
            self._weights = weights
        return self._weights

    def draw(self, count: int, rng: np.random.Generator) -> NDArray[np.int64]:
        """Return places [count] of positions to train on; when a pass has ended, the next one begins.

        There are as many passes as it takes, even where the window has fewer positions than `count`.
        """
        assert self.weights().any(), "the window holds no position to train on"
        while len(self.order) < count:
            self.order = np.concatenate([self.order, self._pass(rng)])
        drawn, self.order = self.order[:count], self.order[count:]
        return drawn.astype(np.int64)

    def validation(self, most: int, rng: np.random.Generator) -> NDArray[np.int64]:
        """Return places [at most `most`] of the newest positions that validate, each once at the most.

        Those of a weight below 1 are among them as seldom as they would be trained on, by chance.
        """
        places = [
            start + np.flatnonzero(part.validates & (rng.random(len(part.samples)) < part.samples.weight))
            for start, part in zip(self.starts[:-1], self.parts, strict=True)
        ]
        found = np.concatenate([np.zeros(0, np.int64), *places])
        return found[max(0, len(found) - most) :]

    def _pass(self, rng: np.random.Generator) -> NDArray[np.integer]:
        """Return every position that is trained on, in a random order, as often as its weight says."""
        kind = np.int32 if len(self) < 2**31 else np.int64  # half the memory, where that is possible
        weights = self.weights()
        if ((weights == 0.0) | (weights == 1.0)).all():
            places = np.flatnonzero(weights).astype(kind)
        else:
            times = np.floor(weights + rng.random(len(weights), np.float32)).astype(np.int32)  # [N]
            places = np.repeat(np.arange(len(weights), dtype=kind), times)
        rng.shuffle(places)
        return places
