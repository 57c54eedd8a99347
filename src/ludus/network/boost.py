"""A prior boost: an evaluator that raises the priors of some actions, so that self-play tries actions it never learned.

Deep-Wallwars added 0.2 to the prior of each legal mouse move in three of its generations, since its network had never
learned to move mice.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import msgspec
import numpy as np

from ludus.config import AtLeastZero, Settings
from ludus.errors import BadPreset
from ludus.network.evaluator import Lane, Logits, NetworkEvaluator, Outcomes, Planes


class BoostSettings(Settings, frozen=True):
    """Which priors are raised in self-play, by how much, and in which generations."""

    actions: str = ""
    """A class of actions that the game declares, such as the steps of one piece; empty: no boost."""
    prior: Annotated[float, msgspec.Meta(gt=0.0, le=1.0)] = 0.2
    """Added to the prior of each of these actions, before all priors are normalized (Deep-Wallwars: 0.2)."""
    first_generation: AtLeastZero = 1
    """The first generation with boosted self-play; generation 0 may play with the model that the run starts from."""
    last_generation: int = 1
    """The last generation with boosted self-play."""

    def __post_init__(self) -> None:
        """Reject a boost that would apply to no generation."""
        super().__post_init__()
        if self.last_generation < self.first_generation:
            raise ValueError("last_generation must be no smaller than first_generation")

    def boosts(self, generation: int) -> bool:
        """Return whether the self-play of a generation is boosted."""
        return bool(self.actions) and self.first_generation <= generation <= self.last_generation

    def chosen(self, classes: dict[str, tuple[int, ...]]) -> tuple[int, ...]:
        """Return the boosted actions from a game's classes; raise BadPreset if the class does not exist."""
        if self.actions not in classes:
            known = ", ".join(classes) or "none"
            raise BadPreset(f"boost.actions is {self.actions!r}; the classes that the game declares are: {known}.")
        return classes[self.actions]


class BoostedEvaluator:
    """An evaluator that adds a boost to the priors of some actions in another evaluator's output."""

    def __init__(self, evaluator: NetworkEvaluator, actions: Sequence[int], prior: float) -> None:
        """Add `prior` to the prior of each of `actions` before normalization."""
        self._evaluator, self._actions, self._prior = evaluator, np.array(actions, np.int64), prior

    def lane(self, batch: int) -> Lane:
        """Return a lane that boosts the output of the wrapped evaluator's lane."""
        return BoostedLane(self._evaluator.lane(batch), self._actions, self._prior)

    def load(self, arrays: dict[str, np.ndarray]) -> None:
        """Load other weights into the wrapped evaluator."""
        self._evaluator.load(arrays)


class BoostedLane:
    """A lane that boosts the output of another lane."""

    def __init__(self, lane: Lane, actions: np.ndarray, prior: float) -> None:
        """Boost the output of `lane`."""
        self._lane, self._actions, self._prior, self._count = lane, actions, np.float32(prior), 0

    @property
    def planes(self) -> Planes:
        """Return the wrapped lane's buffer of planes."""
        return self._lane.planes

    def submit(self, count: int) -> None:
        """Start to evaluate `count` rows."""
        self._count = count
        self._lane.submit(count)

    def answer(self) -> tuple[Logits, Outcomes]:
        """Wait for the batch and boost its priors.

        Priors are computed over all actions; a trained network gives almost no prior to illegal ones.
        """
        logits, outcomes = self._lane.answer()
        rows = logits[: self._count]  # [B, A]
        top = rows.max(1, keepdims=True)  # [B, 1]
        weights = np.exp(rows - top)
        total = weights.sum(1, keepdims=True)  # [B, 1]
        boosted = rows.copy()
        boosted[:, self._actions] = np.log(weights[:, self._actions] / total + self._prior) + np.log(total) + top
        return boosted, outcomes
