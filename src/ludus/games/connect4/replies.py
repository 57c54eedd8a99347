"""What a disc is worth after the best reply and the best answer to it: a minimax of three discs judged by fillings.

A win by force is worth more than anything that fillings say; of these, each way to fill the board has a vote.  It finds
nothing that a search of the network would not find; a small network without a search does not find it.
"""

import numpy as np

from ludus.games.connect4.filling import NUM_FILLINGS, TRIED, filled, first_of
from ludus.games.connect4.forcing import DEEPEST, wins_by_force
from ludus.games.connect4.layout import ONE, completing, landing

DECIDED = 2 * NUM_FILLINGS + 1  # what a win by force is worth: one more than all votes
LEVELS = (DECIDED, 7, 5, 3, 1)  # that planes tell apart


def votes(mine: np.uint64, theirs: np.uint64, last: np.uint64, low: int, high: int) -> int:
    """Return in how many fillings the player to move wins, less those that he loses.

    Args:
        mine: discs of the player to move.
        theirs: discs of the opponent.
        last: the disc that was dropped last, of the opponent.
        low: a result that is no higher need not be exact, but no higher than this.
        high: a result that is no lower need not be exact, but no lower than this.
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
    """Return the cells to look at for a player to move who has no four: what stops one of the opponent, else all."""
    free = landing(mine | theirs)
    stops = completing(theirs) & free
    return np.uint64(stops if stops else free)


def best_answer(mine: np.uint64, theirs: np.uint64, last: np.uint64, enough: int, stack: np.ndarray) -> int:
    """Return what his best disc is worth to the player to move, or the first that is worth `enough`.

    Args:
        mine: discs of the player to move.
        theirs: discs of the opponent.
        last: the disc that was dropped last, of the opponent.
        enough: more need not be found.
        stack: scratch space of `wins_by_force`.
    """
    if wins_by_force(mine, theirs, stack):
        return DECIDED
    untried = sensible(mine, theirs)
    best = 0 if untried == 0 else -DECIDED  # a full board is drawn
    while untried and best < enough:
        cell = first_of(untried, last << ONE, TRIED[1, 0])
        untried ^= cell
        if not wins_by_force(theirs, mine | cell, stack):
            best = max(best, -votes(theirs, mine | cell, cell, -enough, -best))
    return best


def worst_reply(mine: np.uint64, theirs: np.uint64, last: np.uint64, stack: np.ndarray) -> int:
    """Return what a position is worth to the player who has just dropped a disc, and whom no force beats now.

    Args:
        mine: discs of the player who has just dropped one.
        theirs: discs of the opponent.
        last: the disc that was dropped last, of the former.
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
    """Find out where a disc of the player to move is worth at least each of LEVELS, and where as much to the opponent.

    Args:
        mine: discs of the player to move.
        theirs: discs of the opponent.
        forced: the cells by which he begins a win by force, and those that let the opponent begin one.
        found: both sets of cells of each level, written here.  # uint64 [LEVELS, 2]
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
