"""The evaluator interface: byte planes in, policy logits and outcome probabilities out; evaluators without weights.

A search asks an evaluator for *lanes*.  A lane is a buffer with at most one batch in flight: write planes, submit, do
other work (such as filling another lane), and take the result.  Lanes of one evaluator share its weights; each lane is
used by one thread at a time.
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
Maps = NDArray[np.float32]  # [B, M, H, W] probabilities of the final maps, from the mover's perspective
Arrays = Mapping[str, NDArray[np.float32]]  # weights by torch's names


class Lane(Protocol):
    """A buffer of planes with at most one batch in flight."""

    @property
    def planes(self) -> Planes:
        """Input planes of the next batch [B, C, H, W]; must not be written between `submit` and `answer`."""
        ...

    def submit(self, count: int) -> None:
        """Start to evaluate the first `count` rows (1 to B) of `planes`; the previous batch must have been answered."""
        ...

    def answer(self) -> tuple[Logits, Outcomes]:
        """Wait for the submitted batch without holding the GIL.

        Returns:
            logits [>= count, A] and outcomes [>= count, 3], valid until this lane's next `submit`; rows from `count`
            on are undefined.

        Raises:
            BadModel: the network's output contains numbers that are not finite.
        """
        ...


class Evaluator(Protocol):
    """An evaluator of batches of positions, given as planes."""

    def lane(self, batch: int) -> Lane:
        """Return a new lane for batches of at most `batch` rows; several lanes may be in flight."""
        ...


@runtime_checkable
class Forecaster(Protocol):
    """An evaluator that can predict final maps."""

    def maps(self, planes: Planes) -> Maps | None:
        """Return the final maps predicted for planes [B, C, H, W]; None if the network has no such head."""
        ...


@runtime_checkable
class Precise(Protocol):
    """An evaluator that knows in which precision it computes."""

    precision: str
    """`int8`, `bf16`, `f16` or `f32`."""


@runtime_checkable
class Connected(Protocol):
    """An evaluator with connections to other machines."""

    def close(self) -> None:
        """Close the connections; the evaluator's lanes must not be used afterwards."""
        ...


class NetworkEvaluator(Evaluator, Protocol):
    """An evaluator that runs a network; the weights can be replaced between batches."""

    def load(self, arrays: Arrays) -> None:
        """Load other weights: batches submitted after this returns use them, earlier batches the old weights."""
        ...


def evaluate(evaluator: Evaluator, planes: Planes) -> tuple[Logits, Outcomes]:
    """Evaluate a single batch [B, C, H, W] in a new lane; for many batches, keep a lane."""
    lane = evaluator.lane(len(planes))
    lane.planes[:] = planes
    lane.submit(len(planes))
    logits, outcomes = lane.answer()
    return logits[: len(planes)].copy(), outcomes[: len(planes)].copy()


def check_finite(name: str, logits: Logits, outcomes: Outcomes) -> None:
    """Raise BadModel if a network's output is not finite; checking one sum per array takes microseconds a batch."""
    if not np.isfinite(float(logits.sum()) + float(outcomes.sum())):
        raise BadModel(
            f"{name} answers with numbers that are not finite: its weights are broken, or too large for the precision "
            "of this device; use an earlier model, or train with a lower learner.learning_rate."
        )


class NullEvaluator:
    """An evaluator with pseudo-random results from a table, at almost no cost, to measure the search alone."""

    def __init__(self, shapes: Shapes, rows: int = 1 << 14) -> None:
        """Fill a table with `rows` random rows."""
        rng = np.random.default_rng(0)
        self._shapes = shapes
        self._logits = (2.0 * rng.standard_normal((rows, shapes.num_actions))).astype(np.float32)  # [rows, A]
        self._outcomes = rng.dirichlet((1.0, 1.0, 1.0), rows).astype(np.float32)  # [rows, 3]

    def lane(self, batch: int) -> Lane:
        """Return a lane that reads the table in order, starting again after its end."""
        return TableLane(self._shapes, batch, self._logits, self._outcomes)


class UniformEvaluator:
    """An evaluator with equal logits for all actions, and equal probabilities for win and loss."""

    def __init__(self, shapes: Shapes) -> None:
        """Use the input and output shapes of a network."""
        self._shapes = shapes

    def lane(self, batch: int) -> Lane:
        """Return a lane with constant results."""
        logits = np.zeros((batch, self._shapes.num_actions), np.float32)
        outcomes = np.tile(np.array([0.5, 0.0, 0.5], np.float32), (batch, 1))
        return TableLane(self._shapes, batch, logits, outcomes)


class TableLane:
    """A lane that returns successive rows of a table, regardless of the planes."""

    def __init__(self, shapes: Shapes, batch: int, logits: Logits, outcomes: Outcomes) -> None:
        """Read from a table of at least `batch` rows: logits [rows, A] and outcomes [rows, 3]."""
        assert batch <= len(logits), "the table must have at least as many rows as a batch"
        self.planes: Planes = np.zeros((batch, *shapes.planes), np.uint8)
        self._logits, self._outcomes = logits, outcomes
        self._first = self._count = 0

    def submit(self, count: int) -> None:
        """Advance to the next `count` rows, or to the start if fewer are left."""
        self._first += self._count
        if self._first + count > len(self._logits):
            self._first = 0
        self._count = count

    def answer(self) -> tuple[Logits, Outcomes]:
        """Return the logits and outcomes of the submitted batch."""
        rows = slice(self._first, self._first + self._count)
        return self._logits[rows], self._outcomes[rows]
