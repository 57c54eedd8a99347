"""Cycles: A beats B, B beats C, C beats A; no rating on one scale can show them, so they are named."""

import itertools
import math
from collections.abc import Iterable

from ludus.rating.elo import Result, tally


def cycles(results: Iterable[Result], *, sigmas: float = 1.0) -> list[tuple[str, str, str]]:
    """Return all cycles of three players, each beating the next, each once, its first name in the alphabet first.

    Args:
        results: what everyone did to everyone; several results of one pair are added up.
        sigmas: how many standard errors of the score a player must be above one half to have beaten another.
    """
    points, games = tally(results)
    beaten: dict[str, set[str]] = {}
    for (winner, loser), number in games.items():
        if number and points[winner, loser] / number - 0.5 > sigmas * 0.5 / math.sqrt(number):
            beaten.setdefault(winner, set()).add(loser)
    return sorted(
        (a, b, c)
        for a, b, c in itertools.permutations(sorted({name for pair in games for name in pair}), 3)
        if a < b and a < c and b in beaten.get(a, ()) and c in beaten.get(b, ()) and a in beaten.get(c, ())
    )
