"""Learning rates: constant, a cosine over the run, one cycle a generation, or drops where the loss stays."""

import math

import msgspec

from ludus.learner.settings import LearnerSettings

RISE = 0.3  # share of a cycle in which the rate rises (Smith and Topin 2019; as in torch's OneCycleLR)
FIRST, LAST = 1.0 / 25.0, 1e-5  # of the highest rate, at the beginning and at the end of a cycle
LIGHT, HEAVY = 0.85, 0.95  # momentum where the rate is highest, and where it is lowest
SMALLEST_GAIN = 1e-3  # share of the loss by which it must fall to count as lower


class Plateau(msgspec.Struct):
    """Whether the loss still falls, from generation to generation."""

    best: float = math.inf
    """Lowest loss so far."""
    waited: int = 0
    """Generations since then."""
    drops: int = 0
    """How often the rate has been dropped."""

    def see(self, loss: float, patience: int) -> None:
        """Take in a generation's loss."""
        if loss < self.best * (1.0 - SMALLEST_GAIN):
            self.best, self.waited = loss, 0
            return
        self.waited += 1
        if self.waited >= patience:
            self.best, self.waited = loss, 0  # what is searched for moves, and an old loss may never come again
            self.drops += 1


def learning_rate(settings: LearnerSettings, *, progress: float, step: int, total: int, drops: int) -> float:
    """Return the rate of a step.

    Args:
        settings: which schedule, and its rates.
        progress: share of the run that is over.
        step: steps of this generation before this one.
        total: steps of this generation.
        drops: how often the loss has stayed so far.
    """
    highest, lowest = settings.learning_rate, settings.final_learning_rate
    if settings.schedule == "one-cycle":
        passed = step / max(1, total - 1)
        if passed < RISE:
            return _cosine(FIRST * highest, highest, passed / RISE)
        return _cosine(highest, LAST * highest, (passed - RISE) / (1.0 - RISE))
    rate = highest
    if settings.schedule == "cosine":
        rate = _cosine(highest, lowest, min(1.0, progress))
    if settings.schedule == "plateau":
        rate = max(min(highest, lowest), highest * settings.plateau_factor**drops)
    return rate * min(1.0, (step + 1) / max(1, settings.warm_up))


def momentum(settings: LearnerSettings, *, step: int, total: int) -> float:
    """Return the momentum of a step: in one cycle it falls while the rate rises, otherwise it stays."""
    if settings.schedule != "one-cycle":
        return settings.momentum
    passed = step / max(1, total - 1)
    if passed < RISE:
        return _cosine(HEAVY, LIGHT, passed / RISE)
    return _cosine(LIGHT, HEAVY, (passed - RISE) / (1.0 - RISE))


def _cosine(begin: float, end: float, passed: float) -> float:
    return end + (begin - end) * 0.5 * (1.0 + math.cos(math.pi * passed))
