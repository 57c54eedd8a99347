"""Values of a disc after the best reply and the best answer: a minimax of three discs, evaluated by fillings.

A win by force is worth more than all fillings, each of which has one vote.  A network with search finds the same; a
small network without search does not.
"""

import numpy as np

from ludus.games.connect4.filling import NUM_FILLINGS, TRIED, filled, first_of
from ludus.games.connect4.forcing import DEEPEST, wins_by_force
from ludus.games.connect4.layout import completing, landing
from ludus.games.packed import ONE

DECIDED = 2 * NUM_FILLINGS + 1  # value of a win by force: one more than all votes
LEVELS = (DECIDED, 7, 5, 3, 1)  # values that have planes


def votes(mine: np.uint64, theirs: np.uint64, last: np.uint64, low: int, high: int) -> int:
    """Return the number of fillings that the player to move wins, minus those that are lost.

    Args:
        mine: discs of the player to move.
        theirs: discs of the opponent.
        last: the opponent's last disc.
        low: a result of `low` or less may be any number up to `low`.
        high: a result of `high` or more may be any number from `high`.
    """
    balance, left = 0, 2 * NUM_FILLINGS
    for kind in range(NUM_FILLINGS):
        pair = TRIED[max(0, kind - 1)]
        for image in range(2):
            balance += filled(mine, theirs, last, pair[image], kind > 0)
            left -= 1
            if balance + left <= low:
                return balance + left
            if balance - left >= high:
                return balance - left
    return balance


def sensible(mine: np.uint64, theirs: np.uint64) -> np.uint64:
    """Return the cells worth trying for a player who cannot make a four now: those that stop one, if any, else all."""
    free = landing(mine | theirs)
    stops = completing(theirs) & free
    return np.uint64(stops if stops else free)


def best_answer(mine: np.uint64, theirs: np.uint64, last: np.uint64, enough: int, stack: np.ndarray) -> int:
    """Return the value of the best disc for the player to move, or the first value of at least `enough`.

    Args:
        mine: discs of the player to move.
        theirs: discs of the opponent.
        last: the opponent's last disc.
        enough: stop at a disc of this value.
        stack: scratch space of `wins_by_force`.
    """
    if wins_by_force(mine, theirs, stack):
        return DECIDED
    untried = sensible(mine, theirs)
    best = 0 if untried == 0 else -DECIDED  # a full board is a draw
    while untried and best < enough:
        cell = first_of(untried, last << ONE, TRIED[1, 0])
        untried ^= cell
        if not wins_by_force(theirs, mine | cell, stack):
            best = max(best, -votes(theirs, mine | cell, cell, -enough, -best))
    return best


def worst_reply(mine: np.uint64, theirs: np.uint64, last: np.uint64, stack: np.ndarray) -> int:
    """Return a position's value for the player who dropped the last disc, if the opponent has no win by force.

    Args:
        mine: discs of the player who dropped the last disc.
        theirs: discs of the opponent.
        last: the last disc.
        stack: scratch space of `wins_by_force`.
    """
    untried = sensible(theirs, mine)
    worst = 0 if untried == 0 else DECIDED
    while untried and worst > -DECIDED:
        cell = first_of(untried, last << ONE, TRIED[1, 0])
        untried ^= cell
        worst = min(worst, best_answer(mine, theirs | cell, cell, worst, stack))
    return worst


def replies(mine: np.uint64, theirs: np.uint64, forced: tuple[np.uint64, np.uint64], found: np.ndarray) -> None:
    """Find, for each of LEVELS, the discs worth at least that to the player to move, and to the opponent.

    Args:
        mine: discs of the player to move.
        theirs: discs of the opponent.
        forced: the cells that start a win by force, and those that let the opponent start one.
        found: uint64 [LEVELS, 2], receives both sets of cells for each level.
    """
    stack = np.empty((DEEPEST, 3), np.uint64)
    found[:, 0], found[:, 1] = forced[0], forced[1]
    untried = landing(mine | theirs) & ~(forced[0] | forced[1])
    while untried:
        cell = untried & (~untried + ONE)
        untried ^= cell
        worth = worst_reply(mine | cell, theirs, cell, stack)
        for level in range(len(LEVELS)):
            if worth >= LEVELS[level]:
                found[level, 0] |= cell
            elif worth <= -LEVELS[level]:
                found[level, 1] |= cell
