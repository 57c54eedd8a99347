"""The evaluator border: byte planes in, policy logits and outcome probabilities out; evaluators without weights.

Whoever searches asks an evaluator for *lanes*.  A lane is a buffer and at most one batch in flight: write planes,
submit, do something else (such as filling another lane), take the answer.  Lanes of one evaluator share its weights;
each lane belongs to one thread at a time.
"""

from collections.abc import Mapping
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from ludus.errors import BadModel
from ludus.network.config import Shapes

Planes = NDArray[np.uint8]  # [B, C, H, W]
Logits = NDArray[np.float32]  # [B, A]
Outcomes = NDArray[np.float32]  # [B, 3] probabilities of win, draw and loss of the mover
Maps = NDArray[np.float32]  # [B, M, H, W] probabilities of the final maps, seen by the mover
Arrays = Mapping[str, NDArray[np.float32]]  # weights by torch's names


class Lane(Protocol):
    """A buffer of planes, and at most one batch in flight."""

    @property
    def planes(self) -> Planes:
        """What the next batch shows [B, C, H, W]; not to be written between `submit` and `answer`."""
        ...

    def submit(self, count: int) -> None:
        """Start to judge the first `count` rows of `planes`, 1 to B; the last batch must have been answered."""
        ...

    def answer(self) -> tuple[Logits, Outcomes]:
        """Wait for the submitted batch, without the GIL.

        Returns:
            logits [>= count, A] and outcomes [>= count, 3], whose rows from `count` on mean nothing; they stay valid
            until this lane's next `submit`.

        Raises:
            BadModel: the network answers with numbers that are not finite.
        """
        ...


class Evaluator(Protocol):
    """Judges batches of positions from their planes."""

    def lane(self, batch: int) -> Lane:
        """Return a new lane for batches of at most `batch` rows; several lanes may be in flight."""
        ...


@runtime_checkable
class Forecaster(Protocol):
    """An evaluator that can say what will become of the cells."""

    def maps(self, planes: Planes) -> Maps | None:
        """Return the final maps that are expected of planes [B, C, H, W]; None if the network has no such head."""
        ...


@runtime_checkable
class Connected(Protocol):
    """An evaluator with connections to other machines."""

    def close(self) -> None:
        """Hang up; its lanes are not to be used any more."""
        ...


class NetworkEvaluator(Evaluator, Protocol):
    """An evaluator that runs a network, whose weights can be exchanged between batches."""

    def load(self, arrays: Arrays) -> None:
        """Use other weights: batches submitted after this returns are judged by them, earlier ones by the old."""
        ...


def evaluate(evaluator: Evaluator, planes: Planes) -> tuple[Logits, Outcomes]:
    """Judge a single batch [B, C, H, W] in a lane of its own; many batches are faster in a lane that is kept."""
    lane = evaluator.lane(len(planes))
    lane.planes[:] = planes
    lane.submit(len(planes))
    logits, outcomes = lane.answer()
    return logits[: len(planes)].copy(), outcomes[: len(planes)].copy()


def check_finite(name: str, logits: Logits, outcomes: Outcomes) -> None:
    """Raise BadModel if a network's answers are no numbers: one sum of each, for it costs microseconds a batch."""
    if not np.isfinite(float(logits.sum()) + float(outcomes.sum())):
        raise BadModel(
            f"{name} answers with numbers that are not finite: its weights are broken, or too large for the precision "
            "of this device; go back to an earlier model, or train with a lower learner.learning_rate."
        )


class NullEvaluator:
    """Pseudo-random answers from a table at next to no cost, to measure the search alone."""

    def __init__(self, shapes: Shapes, rows: int = 1 << 14) -> None:
        """Draw a table of so many rows."""
        rng = np.random.default_rng(0)
        self._shapes = shapes
        self._logits = (2.0 * rng.standard_normal((rows, shapes.num_actions))).astype(np.float32)  # [rows, A]
        self._outcomes = rng.dirichlet((1.0, 1.0, 1.0), rows).astype(np.float32)  # [rows, 3]

    def lane(self, batch: int) -> Lane:
        """Return a lane that reads the table from its beginning, round and round."""
        return TableLane(self._shapes, batch, self._logits, self._outcomes)


class UniformEvaluator:
    """Knows nothing: every action alike, win and loss alike."""

    def __init__(self, shapes: Shapes) -> None:
        """Take the border to the game."""
        self._shapes = shapes

    def lane(self, batch: int) -> Lane:
        """Return a lane whose answers are always the same."""
        logits = np.zeros((batch, self._shapes.num_actions), np.float32)
        outcomes = np.tile(np.array([0.5, 0.0, 0.5], np.float32), (batch, 1))
        return TableLane(self._shapes, batch, logits, outcomes)


class TableLane:
    """Answers with the next rows of a table, without a look at the planes."""

    def __init__(self, shapes: Shapes, batch: int, logits: Logits, outcomes: Outcomes) -> None:
        """Read a table of at least `batch` rows: logits [rows, A] and outcomes [rows, 3]."""
        assert batch <= len(logits), "the table must hold a batch"
        self.planes: Planes = np.zeros((batch, *shapes.planes), np.uint8)
        self._logits, self._outcomes = logits, outcomes
        self._first = self._count = 0

    def submit(self, count: int) -> None:
        """Turn to the next `count` rows, or to the first if there are not so many left."""
        self._first += self._count
        if self._first + count > len(self._logits):
            self._first = 0
        self._count = count

    def answer(self) -> tuple[Logits, Outcomes]:
        """Return these rows."""
        rows = slice(self._first, self._first + self._count)
        return self._logits[rows], self._outcomes[rows]
