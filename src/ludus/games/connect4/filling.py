"""Fills the board by a fixed strategy; a player who runs out of harmless discs loses (zugzwang).

Each player wins at once if possible; else stops a four; else drops a disc that gives neither player a four on the cell
above; else a disc that spoils only a four of their own.  Among equals, the cell above the last disc comes first, then
the first column in the given order.  A player without such a disc has lost.  This follows the control of zugzwang in
V. Allis, A Knowledge-based Approach of Connect-Four (1988).
"""

import numpy as np

from ludus.games.connect4.layout import BOARD, HEIGHT, ROWS, completing, landing
from ludus.games.packed import ONE

ORDERS = (  # orders of the columns; the second of each pair is the mirror image of the first
    ((0, 1, 2, 3, 4, 5, 6), (6, 5, 4, 3, 2, 1, 0)),  # from one side to the other
    ((3, 2, 4, 1, 5, 0, 6), (3, 4, 2, 5, 1, 6, 0)),  # from the centre
    ((0, 6, 1, 5, 2, 4, 3), (6, 0, 5, 1, 4, 2, 3)),  # from the edges
)
NUM_FILLINGS = 1 + len(ORDERS)
TRIED = np.array(  # [ORDERS, 2, COLUMNS] the cells of each column, in order
    [[[((1 << ROWS) - 1) << column * HEIGHT for column in order] for order in pair] for pair in ORDERS], np.uint64
)


def filled(mine: np.uint64, theirs: np.uint64, last: np.uint64, tried: np.ndarray, growing: bool) -> int:
    """Return the result for the player to move: 1 won, 0 full board, -1 lost.

    Args:
        mine: discs of the player to move.
        theirs: discs of the opponent.
        last: the opponent's last disc.
        tried: the columns in their order, as sets of cells [COLUMNS].
        growing: whether discs dropped during the filling also form lines; otherwise only the present discs do.
    """
    side = 1
    my_ends, their_ends = completing(mine) & BOARD, completing(theirs) & BOARD  # cells that would complete a four
    while True:
        free = landing(mine | theirs)
        if free == 0:
            return 0
        if my_ends & free:
            return side
        stops = their_ends & free
        if stops & (stops - ONE):
            return -side
        cell = stops
        if stops == 0:
            spared = free & ~(their_ends >> ONE)  # without the cells below an opponent's winning cell
            harmless = spared & ~(my_ends >> ONE)
            if spared == 0:
                return -side
            cell = first_of(harmless if harmless else spared, last << ONE, tried)
        mine, theirs, last = theirs, mine | cell, cell
        my_ends, their_ends = their_ends, completing(theirs) & BOARD if growing else my_ends
        side = -side


def first_of(cells: np.uint64, preferred: np.uint64, tried: np.ndarray) -> np.uint64:
    """Return the preferred cell if it is in the set, else the cell in the first column of the order."""
    if cells & preferred:
        return preferred
    column = 0
    while not cells & tried[column]:
        column += 1
    return np.uint64(cells & tried[column])


def fillings(mine: np.uint64, theirs: np.uint64, found: np.ndarray) -> None:
    """Find the cells where a disc of the player to move wins, and where it loses, if the board is then filled.

    `found` uint64 [NUM_FILLINGS, 2] receives both sets of cells: first counting the present lines only, then counting
    all lines, for each pair of ORDERS.  To keep mirror images consistent, both orders of a pair must agree, or one of
    them must end without a winner.
    """
    won = completing(mine) & landing(mine | theirs)
    found[:, 0], found[:, 1] = won, np.uint64(0)
    untried = landing(mine | theirs) & ~won
    while untried:
        cell = untried & (~untried + ONE)
        untried ^= cell
        for kind in range(NUM_FILLINGS):
            pair, balance = TRIED[max(0, kind - 1)], 0  # balance: wins minus losses of the player to move in the pair
            for image in range(2):
                balance -= filled(theirs, mine | cell, cell, pair[image], kind > 0)
            if balance > 0:
                found[kind, 0] |= cell
            elif balance < 0:
                found[kind, 1] |= cell
