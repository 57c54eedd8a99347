"""The sequential probability ratio test on pairs of games: decides as early as possible whether a player is better.

The scores of pairs (0, 1/2, 1, 3/2, 2 points) are multinomial.  Each hypothesis has the likelihood of the distribution
that is nearest to the observed one and has the hypothesis' mean score ("generalised" test).

A. Wald: Sequential Tests of Statistical Hypotheses (1945); M. Van den Bergh: A Practical Introduction to the GSPRT
(2019), which also shows why to count pairs instead of games.
"""

import math
from bisect import bisect_left
from collections.abc import Sequence
from typing import Annotated, Literal

import msgspec

from ludus.config import Settings

SHARES = (0.0, 0.25, 0.5, 0.75, 1.0)  # shares of the points for the five scores of a pair
MOST_ELO = 2000.0  # limit of hypotheses, since scores near 0 and 1 are indistinguishable
MOST_PAIRS = 1_000_000  # limit of a match
_UNSEEN = 1e-3  # count of a score that did not occur, to allow for it
_STEPS = 60  # bisection steps, enough for full precision

Verdict = Literal["better", "not better"]


Elo = Annotated[float, msgspec.Meta(ge=-MOST_ELO, le=MOST_ELO)]
Risk = Annotated[float, msgspec.Meta(gt=0.0, lt=0.5)]


class Sprt(Settings, frozen=True):
    """A test of the hypothesis "the difference is `elo1`" against "it is `elo0`"."""

    elo0: Elo = 0.0
    """Elo difference of the null hypothesis: not better."""
    elo1: Elo = 20.0
    """Elo difference of the alternative hypothesis: better."""
    alpha: Risk = 0.05
    """Probability of "better" if the difference is `elo0`."""
    beta: Risk = 0.05
    """Probability of "not better" if the difference is `elo1`."""

    def __post_init__(self) -> None:
        """Check that `elo0` is below `elo1`; raises ValueError otherwise."""
        super().__post_init__()
        if not self.elo0 < self.elo1:
            raise ValueError(f"elo1 = {self.elo1:g} must be larger than elo0 = {self.elo0:g}")

    def __str__(self) -> str:
        """Return the test as an argument of `ludus match --sprt`."""
        return f"{self.elo0:g},{self.elo1:g},{self.alpha:g},{self.beta:g}"

    @property
    def bounds(self) -> tuple[float, float]:
        """Return the log-likelihood ratios at which the test ends."""
        return math.log(self.beta / (1.0 - self.alpha)), math.log((1.0 - self.beta) / self.alpha)

    @property
    def fewest_pairs(self) -> int:
        """Return the number of pairs after which winning every game is "better", at most `MOST_PAIRS`."""
        return bisect_left(range(MOST_PAIRS), True, key=lambda pairs: self.verdict((0, 0, 0, 0, pairs)) == "better")

    def ratio(self, pairs: Sequence[int]) -> float:
        """Return the log-likelihood ratio of `elo1` to `elo0`.

        Args:
            pairs: numbers of pairs that scored 0, 1/2, 1, 3/2 and 2 points.
        """
        total = sum(pairs)
        if total == 0:
            return 0.0
        seen = [max(float(count), _UNSEEN) for count in pairs]
        shares = [count / sum(seen) for count in seen]
        return total * (_fit(shares, score_of(self.elo1)) - _fit(shares, score_of(self.elo0)))

    def verdict(self, pairs: Sequence[int]) -> Verdict | None:
        """Return the test's result; None: more pairs are needed.  It may be checked after any number of pairs."""
        low, high = self.bounds
        ratio = self.ratio(pairs)
        return "better" if ratio >= high else "not better" if ratio <= low else None


def score_of(elo: float) -> float:
    """Return the expected share of the points."""
    return 1.0 / (1.0 + 10.0 ** (-elo / 400.0))


def _fit(shares: Sequence[float], mean: float) -> float:
    """Return the largest mean log-likelihood of `shares` for a distribution over `SHARES` with the given mean."""
    # By Lagrange multipliers, p_i = shares_i / (1 + x (SHARES_i - mean)), where x gives the right mean.
    low, high = -1.0 / (1.0 - mean), 1.0 / mean
    for _ in range(_STEPS):
        x = 0.5 * (low + high)
        if sum(share * (at - mean) / (1.0 + x * (at - mean)) for share, at in zip(shares, SHARES, strict=True)) > 0.0:
            low = x
        else:
            high = x
    x = 0.5 * (low + high)
    return -sum(share * math.log(1.0 + x * (at - mean)) for share, at in zip(shares, SHARES, strict=True))
