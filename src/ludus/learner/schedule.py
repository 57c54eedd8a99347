"""Learning-rate schedules: constant, cosine over the run, one cycle per generation, or drops at loss plateaus."""

import math

import msgspec

from ludus.learner.settings import LearnerSettings

RISE = 0.3  # share of a cycle with increasing rate (Smith and Topin 2019; as in torch's OneCycleLR)
FIRST, LAST = 1.0 / 25.0, 1e-5  # first and last rate of a cycle, relative to the highest
LIGHT, HEAVY = 0.85, 0.95  # momentum at the highest and at the lowest rate
SMALLEST_GAIN = 1e-3  # smallest relative decrease of the loss that counts


class Plateau(msgspec.Struct):
    """The detection of loss plateaus over generations."""

    best: float = math.inf
    """Lowest loss since the last drop."""
    waited: int = 0
    """Generations since the lowest loss."""
    drops: int = 0
    """Number of rate drops so far."""

    def see(self, loss: float, patience: int) -> None:
        """Record a generation's loss; drop the rate after `patience` generations without a lower one."""
        if loss < self.best * (1.0 - SMALLEST_GAIN):
            self.best, self.waited = loss, 0
            return
        self.waited += 1
        if self.waited >= patience:
            self.best, self.waited = loss, 0  # the window changes, so an old lowest loss may be out of reach
            self.drops += 1


def learning_rate(settings: LearnerSettings, *, progress: float, step: int, total: int, drops: int) -> float:
    """Return the learning rate of a step.

    Args:
        settings: the schedule and its rates.
        progress: finished share of the run.
        step: number of earlier steps in this generation.
        total: number of steps in this generation.
        drops: number of rate drops so far (`plateau`).
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
    """Return the momentum of a step: `one-cycle` lowers it as the rate increases; it is constant otherwise."""
    if settings.schedule != "one-cycle":
        return settings.momentum
    passed = step / max(1, total - 1)
    if passed < RISE:
        return _cosine(HEAVY, LIGHT, passed / RISE)
    return _cosine(LIGHT, HEAVY, (passed - RISE) / (1.0 - RISE))


def _cosine(begin: float, end: float, passed: float) -> float:
    return end + (begin - end) * 0.5 * (1.0 + math.cos(math.pi * passed))
