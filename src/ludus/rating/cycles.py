"""Cycles of players (A beats B, B beats C, C beats A), which ratings on one scale cannot represent.

Significance of each result: n players have n (n - 1) (n - 2) / 6 triples, each with two possible cycles.  A cycle needs
three results at once, so among equal players a given one appears with probability p^3, where p is the probability that
one player seems better than an equal one.  With p = (0.05 / (2 triples))^(1/3), at most 5 % of leagues are expected to
show a false cycle.  This needs 0.55 standard errors per result for three players, and 1.66 for twelve.  If all players
met equally often, players of different strength show fewer false cycles than equal ones: the logarithm of the normal
tail is concave.
"""

import itertools
import math
from collections.abc import Iterable
from statistics import NormalDist
from typing import NamedTuple

FALSE_CYCLES = 0.05  # probability for a league of equal players


class Meeting(NamedTuple):
    """Results between two players."""

    a: str
    b: str
    counts: list[int]
    """Numbers of pairs of games that gave `a` 0, 1/2, 1, 3/2 and 2 points; or of single games: 0, 1/2 and 1."""


def cycles(meetings: Iterable[Meeting]) -> list[tuple[str, str, str]]:
    """Return all cycles of three players, each beating the next, starting with the alphabetically first name.

    Args:
        meetings: results between players; several of the same players are added up.
    """
    leads = _leads(meetings)
    met = {frozenset(pair) for pair in leads}
    names = sorted(frozenset[str]().union(*met))
    threes = [three for three in itertools.combinations(names, 3) if _all_met(three, met)]
    if not threes:
        return []
    chance = (FALSE_CYCLES / (2 * len(threes))) ** (1 / 3)  # significance of one result, see above
    sigmas = NormalDist().inv_cdf(1.0 - chance)
    beaten = {pair for pair, lead in leads.items() if lead > sigmas}
    rounds = [way for a, b, c in threes for way in ((a, b, c), (a, c, b))]
    return sorted((a, b, c) for a, b, c in rounds if {(a, b), (b, c), (c, a)} <= beaten)


def _all_met(three: tuple[str, str, str], met: set[frozenset[str]]) -> bool:
    return all(frozenset(pair) in met for pair in itertools.combinations(three, 2))


def _leads(meetings: Iterable[Meeting]) -> dict[tuple[str, str], float]:
    """Return each player's lead over each opponent, in standard errors of results between equal players.

    Between equal players, each deviation from an even score has either sign with the same probability.  The sum of
    squared deviations is therefore the variance, which is small if most pairs are even.  The usual continuity
    correction of half a step keeps few games from being significant.
    """
    differences: dict[tuple[str, str], list[tuple[int, int]]] = {}  # (half points above an even score, count)
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
