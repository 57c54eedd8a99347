"""Computes what arms gain over the base, with error bars that include the luck of training."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from statistics import fmean, variance
from typing import NamedTuple

import numpy as np

from ludus.rating import MatchScore, rate

NORMAL = 1.959963984540054  # 95 % of a normal distribution are within so many deviations

BASE = "base"


class Gain(NamedTuple):
    """The difference of an arm's mean from the base's, and half the width of its 95 % interval."""

    gain: float
    error: float
    """Infinite if no arm has two seeds."""

    def text(self, places: int = 0, unit: str = "") -> str:
        """Return `+1.2 ± 0.8 points`."""
        error = f" ± {self.error:.{places}f}" if math.isfinite(self.error) else ""
        return f"{self.gain:+.{places}f}{error}{unit}"

    @property
    def sign(self) -> int:
        """Return 1 for a gain, -1 for harm, 0 if the interval contains 0."""
        return 0 if abs(self.gain) <= self.error else int(math.copysign(1, self.gain))


def student(freedom: int) -> float:
    """Return how many deviations contain 95 % of Student's distribution, by Abramowitz and Stegun 26.7.5.

    For two degrees of freedom the result is 3 % too small; for more, less than 1 %.
    """
    z = NORMAL
    terms = (
        z,
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
    )
    return sum(term / freedom**power for power, term in enumerate(terms))


def gains(found: Mapping[str, Sequence[float]], floor: float = 0.0) -> dict[str, Gain]:
    """Return each arm's gain over the base.

    Seeds differ by luck, and too few of them show how much.  So all arms share one estimate of this variance, from the
    differences between the seeds within each arm.

    Args:
        found: one figure for each seed of each arm, and of `BASE`.
        floor: the variance of one figure that is known from elsewhere; the estimate is never smaller.
    """
    freedom = sum(len(each) - 1 for each in found.values())
    within = sum(variance(each) * (len(each) - 1) for each in found.values() if len(each) > 1)
    base = found[BASE]

    def error(arm: Sequence[float]) -> float:
        if not freedom:
            return math.inf
        return student(freedom) * math.sqrt(max(floor, within / freedom) * (1 / len(arm) + 1 / len(base)))

    return {name: Gain(fmean(arm) - fmean(base), error(arm)) for name, arm in found.items() if name != BASE}


def elo_gains(results: Sequence[MatchScore], seeds: Mapping[str, Sequence[str]]) -> dict[str, Gain]:
    """Return each arm's gain over the base in Elo.

    Args:
        results: matches between networks.
        seeds: the names of each arm's networks, in `results`.
    """
    anchor = seeds[BASE][0]
    ratings = {each.name: each for each in rate(results, anchor=anchor)}
    sampled = [(each.error / NORMAL) ** 2 for name, each in ratings.items() if name != anchor]
    found = {arm: [ratings[name].elo for name in names] for arm, names in seeds.items()}
    return gains(found, floor=float(np.mean(sampled)) / 2)


def verdict(measured: Sequence[Gain]) -> str:
    """Return what several figures of one arm say together."""
    signs = {each.sign for each in measured}
    if {1, -1} <= signs:
        return "gain and harm"
    if not all(math.isfinite(each.error) for each in measured):
        return "not clear: one seed"
    return "gain" if 1 in signs else "harm" if -1 in signs else "no difference shown"
