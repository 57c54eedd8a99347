"""How a board fills up if nobody gives anything away: who has to, in the end, wins or loses by zugzwang.

Both players win at once if they can, stop a four, answer on top of the last disc if that harms nobody, else fill a
column that nobody minds, else one that spoils only what they could get themselves; who has no such move has lost.
After the control of zugzwang in V. Allis, A Knowledge-based Approach of Connect-Four (1988).
"""

import numpy as np

from ludus.games.connect4.layout import BOARD, COLUMNS, HEIGHT, ONE, ROWS, landing
from ludus.games.connect4.lines import completing

ORDERS = (  # in which columns are tried: the second of each pair is the mirror image of the first
    ((0, 1, 2, 3, 4, 5, 6), (6, 5, 4, 3, 2, 1, 0)),  # from one side to the other
    ((3, 2, 4, 1, 5, 0, 6), (3, 4, 2, 5, 1, 6, 0)),  # from the centre
    ((0, 6, 1, 5, 2, 4, 3), (6, 0, 5, 1, 4, 2, 3)),  # from the edges
)
NUM_FILLINGS = 1 + len(ORDERS)
TRIED = np.array(  # [ORDERS, 2, COLUMNS] the cells of each column
    [[[((1 << ROWS) - 1) << column * HEIGHT for column in order] for order in pair] for pair in ORDERS], np.uint64
)


def filled(mine: np.uint64, theirs: np.uint64, last: np.uint64, tried: np.ndarray, growing: int) -> int:
    """Return how the game ends for the player to move: 1 won, 0 full, -1 lost.

    Args:
        mine: discs of the player to move.
        theirs: discs of the opponent.
        last: the disc that was dropped last, of the opponent.
        tried: columns in the order in which they are tried, as sets of cells [COLUMNS].
        growing: 1 if the discs that fill the board make lines, too; 0 if only those that lie there now count.
    """
    side = 1
    my_fours, their_fours = completing(mine) & BOARD, completing(theirs) & BOARD
    while True:
        free = landing(mine | theirs)
        if free == 0:
            return 0
        if my_fours & free:
            return side
        cell = their_fours & free
        if cell & (cell - ONE):
            return -side
        if cell == 0:
            spared = free & ~(their_fours >> ONE)  # without what lies under a four of the opponent
            harmless = spared & ~(my_fours >> ONE)
            if spared == 0:
                return -side
            cell = first_of(harmless if harmless else spared, last << ONE, tried)
        mine, theirs, last = theirs, mine | cell, cell
        my_fours, their_fours = their_fours, completing(theirs) & BOARD if growing else my_fours
        side = -side


def first_of(cells: np.uint64, preferred: np.uint64, tried: np.ndarray) -> np.uint64:
    """Return the preferred cell if it is one of these, else the one in the column that is tried first."""
    if cells & preferred:
        return preferred
    for column in range(COLUMNS):
        if cells & tried[column]:
            return np.uint64(cells & tried[column])
    return preferred


def fillings(mine: np.uint64, theirs: np.uint64, found: np.ndarray) -> None:
    """Find out which cells of the player to move are good, and which bad, if the board then fills up.

    `found` [NUM_FILLINGS, 2]: the sets of cells after which it is won, and lost, first by the lines that lie there now,
    then by all lines, in each of ORDERS; for the mirror image to have the mirrored sets, both of a pair must agree, or
    one of them find nobody winning.
    """
    found[:] = np.uint64(0)
    won = completing(mine) & landing(mine | theirs)
    for kind in range(NUM_FILLINGS):
        found[kind, 0] = won
    untried = landing(mine | theirs) & ~won
    while untried:
        cell = untried & (~untried + ONE)
        untried ^= cell
        for kind in range(NUM_FILLINGS):
            pair, growing = TRIED[max(0, kind - 1)], min(1, kind)
            value = 0
            for image in range(2):
                value -= filled(theirs, mine | cell, cell, pair[image], growing)
            if value > 0:
                found[kind, 0] |= cell
            elif value < 0:
                found[kind, 1] |= cell
