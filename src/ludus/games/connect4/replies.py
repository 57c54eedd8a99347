"""Values of a disc after the best reply and the best answer: a minimax of three discs, evaluated by fillings.

A win by force is worth more than all fillings, each of which has one vote.  A network with search finds the same; a
small network without search does not.
"""

import numpy as np

from ludus.games.connect4.filling import NUM_FILLINGS, filled
from ludus.games.connect4.forcing import DEEPEST, wins_by_force
from ludus.games.connect4.layout import HEIGHT, completing, landing
from ludus.games.packed import ONE
from ludus.kernel import count_bits

DECIDED = 2 * NUM_FILLINGS + 1  # value of a win by force: one more than all votes
CENTRAL = np.array([((1 << HEIGHT) - 1) << column * HEIGHT for column in (3, 2, 4, 1, 5, 0, 6)], np.uint64)
LEVELS = (DECIDED, 7, 5, 3, 1)  # values that have planes; all are odd
REPLY, ANSWER = 0, 1  # indices of hints


def votes(mine: np.uint64, theirs: np.uint64, last: np.uint64, low: int, high: int) -> int:
    """Return the number of fillings that the player to move wins, minus those that are lost.

    Args:
        mine: discs of the player to move.
        theirs: discs of the opponent.
        last: the opponent's last disc.
        low: a result of `low` or less may be any number up to `low`.
        high: a result of `high` or more may be any number from `high`.
    """
    wins, losses = filled(mine, theirs, last, low, high)
    return count_bits(np.uint64(wins)) - count_bits(np.uint64(losses))


def first_of(cells: np.uint64, hint: np.uint64, above: np.uint64) -> np.uint64:
    """Return the cell in the set `hint`, else the cell `above` the last disc, else the one nearest to the centre."""
    if cells & hint:
        return np.uint64(cells & hint)
    if cells & above:
        return above
    column = 0
    while not cells & CENTRAL[column]:
        column += 1
    return np.uint64(cells & CENTRAL[column])


def column_of(cell: np.uint64) -> np.uint64:
    """Return the cells of a cell's column."""
    column = 0
    while not cell & CENTRAL[column]:
        column += 1
    return np.uint64(CENTRAL[column])


def sensible(mine: np.uint64, theirs: np.uint64) -> np.uint64:
    """Return the cells worth trying for a player who cannot make a four now: those that stop one, if any, else all."""
    free = landing(mine | theirs)
    stops = completing(theirs) & free
    return np.uint64(stops if stops else free)


def best_answer(
    mine: np.uint64, theirs: np.uint64, last: np.uint64, enough: int, stack: np.ndarray, hints: np.ndarray
) -> int:
    """Return the value of the best disc for the player to move, or the first value of at least `enough`.

    Args:
        mine: discs of the player to move.
        theirs: discs of the opponent.
        last: the opponent's last disc.
        enough: stop at a disc of this value.
        stack: scratch space of `wins_by_force`.
        hints: see `replies`.
    """
    if wins_by_force(mine, theirs, stack):
        return DECIDED
    untried = sensible(mine, theirs)
    best, found = 0 if untried == 0 else -DECIDED, np.uint64(0)  # a full board is a draw
    while untried and best < enough:
        cell = first_of(untried, hints[ANSWER], last << ONE)
        untried ^= cell
        if not wins_by_force(theirs, mine | cell, stack):
            value = -votes(theirs, mine | cell, cell, -enough, -best)
            if value > best:
                best, found = value, cell
    if found:
        hints[ANSWER] = column_of(found)
    return best


def worst_reply(mine: np.uint64, theirs: np.uint64, last: np.uint64, stack: np.ndarray, hints: np.ndarray) -> int:
    """Return a position's value for the player who dropped the last disc, if the opponent has no win by force.

    The result may be another value that reaches the same levels.

    Args:
        mine: discs of the player who dropped the last disc.
        theirs: discs of the opponent.
        last: the last disc.
        stack: scratch space of `wins_by_force`.
        hints: see `replies`.
    """
    untried = sensible(theirs, mine)
    worst = 0 if untried == 0 else DECIDED
    while untried and worst > -DECIDED:
        cell = first_of(untried, hints[REPLY], last << ONE)
        untried ^= cell
        enough = (worst - 1) | 1 if worst > 0 else worst & ~1  # the lowest value that reaches the levels of `worst`
        value = best_answer(mine, theirs | cell, cell, enough, stack, hints)
        if value < worst:
            worst = value
            hints[REPLY] = column_of(cell)
    return worst


def replies(mine: np.uint64, theirs: np.uint64, forced: tuple[np.uint64, np.uint64], found: np.ndarray) -> None:
    """Find, for each of LEVELS, the discs worth at least that to the player to move, and to the opponent.

    The columns of the last replies and answers that were best, `hints` uint64 [2], are tried first.

    Args:
        mine: discs of the player to move.
        theirs: discs of the opponent.
        forced: the cells that start a win by force, and those that let the opponent start one.
        found: uint64 [LEVELS, 2], receives both sets of cells for each level.
    """
    stack, hints = np.empty((DEEPEST, 3), np.uint64), np.zeros(2, np.uint64)
    found[:, 0], found[:, 1] = forced[0], forced[1]
    untried = landing(mine | theirs) & ~(forced[0] | forced[1])
    while untried:
        cell = untried & (~untried + ONE)
        untried ^= cell
        worth = worst_reply(mine | cell, theirs, cell, stack, hints)
        for level in range(len(LEVELS)):
            if worth >= LEVELS[level]:
                found[level, 0] |= cell
            elif worth <= -LEVELS[level]:
                found[level, 1] |= cell
