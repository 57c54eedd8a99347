"""Cycles: A beats B, B beats C, C beats A; no rating on one scale can show them, so they are named.

How sure must each of the three be?  Among n players who met each other there are n (n - 1) (n - 2) / 6 threes, each of
which may go round in two directions.  A direction needs three results at once, so that players who are all alike make
a given one with probability p^3, if p is the probability that one of two equals is taken for the better.  With
p = (0.05 / (2 threes))^(1/3), false cycles are to be expected in at most 5 % of leagues: 0.55 standard errors for three
players, 1.66 for twelve.  Players who differ, but stand on one scale, make fewer if all have met equally often: what
brings two of the three results nearer puts the third farther away, and the logarithm of the normal tail is concave.
"""

import itertools
import math
from collections.abc import Iterable
from statistics import NormalDist
from typing import NamedTuple

FALSE_CYCLES = 0.05  # in a league of equals


class Meeting(NamedTuple):
    """What two players did to each other, as it tells how far chance goes."""

    a: str
    b: str
    counts: list[int]
    """How many pairs of games with one opening gave `a` 0, 1/2, 1, 3/2 and 2 points; or single games 0, 1/2 and 1."""


def cycles(meetings: Iterable[Meeting]) -> list[tuple[str, str, str]]:
    """Return all cycles of three players, each beating the next, each once, its first name in the alphabet first.

    Args:
        meetings: what everyone did to everyone; several of two players are added up.
    """
    leads = _leads(meetings)
    met = {frozenset(pair) for pair in leads}
    names = sorted(frozenset[str]().union(*met))
    threes = [three for three in itertools.combinations(names, 3) if _all_met(three, met)]
    if not threes:
        return []
    chance = (FALSE_CYCLES / (2 * len(threes))) ** (1 / 3)  # see above: of one result
    sigmas = NormalDist().inv_cdf(1.0 - chance)
    beaten = {pair for pair, lead in leads.items() if lead > sigmas}
    rounds = [way for a, b, c in threes for way in ((a, b, c), (a, c, b))]
    return sorted((a, b, c) for a, b, c in rounds if {(a, b), (b, c), (c, a)} <= beaten)


def _all_met(three: tuple[str, str, str], met: set[frozenset[str]]) -> bool:
    return all(frozenset(pair) in met for pair in itertools.combinations(three, 2))


def _leads(meetings: Iterable[Meeting]) -> dict[tuple[str, str], float]:
    """Return by how many standard errors the first of two players, in either order, did better than an equal would.

    Between equals each difference from an even score goes either way with the same probability, whatever its size:
    that is the spread which the games really have, small where draws or an opening that decides make most of them
    even, and the binomial one where nothing is.  As in other tests by the normal distribution, a lead counts from half
    a step before it, so that few games prove little.
    """
    differences: dict[tuple[str, str], list[tuple[int, int]]] = {}  # half points above an even score, and how often
    for a, b, counts in meetings:
        steps = [(points - len(counts) // 2, count) for points, count in enumerate(counts) if count]
        differences.setdefault((a, b), []).extend(steps)
        differences.setdefault((b, a), []).extend((-above, count) for above, count in steps)
    return {pair: _lead([each for each in found if each[0]]) for pair, found in differences.items() if found}


def _lead(differences: list[tuple[int, int]]) -> float:
    if not differences:
        return 0.0
    points = sum(above * count for above, count in differences)
    half_step = min(abs(above) for above, _ in differences)
    return (points - half_step) / math.sqrt(sum(above * above * count for above, count in differences))
