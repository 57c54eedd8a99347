"""Fills the board by a fixed strategy; a player who runs out of harmless discs loses (zugzwang).

Each player wins at once if possible; else stops a four; else drops a disc that gives neither player a four on the cell
above; else a disc that spoils only a four of their own.  Among equals, the cell above the last disc comes first, then
the first column in the given order.  A player without such a disc has lost.  This follows the control of zugzwang in
V. Allis, A Knowledge-based Approach of Connect-Four (1988).

All fillings of a position run side by side: lane 2k is filling k, lane 2k + 1 the same on the mirror image.
"""

import numpy as np

from ludus.games.connect4.layout import BOARD, CELLS, HEIGHT, completing, landing, mirrored
from ludus.games.packed import ONE
from ludus.kernel import Lanes, count_bits, kernel, lanes_of, nonzero, spread, where

ORDERS = (  # sets of columns in the order in which they are tried; within a set, the leftmost column comes first
    ((0, 1, 2, 3, 4, 5, 6),),  # from one side to the other
    ((3,), (2, 4), (1, 5), (0, 6)),  # from the centre
    ((0, 6), (1, 5), (2, 4), (3,)),  # from the edges
)
NUM_FILLINGS = 1 + len(ORDERS)
NUM_TRIED = max(map(len, ORDERS)) - 1  # the last set needs no test
EVERY = (1 << 2 * NUM_FILLINGS) - 1
NEVER = 2 * NUM_FILLINGS + 1
ALL = ~np.uint64(0)
GROWING, IMAGE = NUM_TRIED, NUM_TRIED + 1  # rows of TABLE


def _table() -> np.ndarray:
    """Return TABLE: the cells of the sets of columns, and masks of lanes that are growing, and that are mirrored."""
    table = np.zeros((NUM_TRIED + 2, 2 * NUM_FILLINGS), np.uint64)
    for kind in range(NUM_FILLINGS):
        for at, columns in enumerate(ORDERS[max(0, kind - 1)][:-1]):
            cells = sum(((1 << HEIGHT) - 1) << column * HEIGHT for column in columns)
            table[at, 2 * kind : 2 * kind + 2] = cells
    table[GROWING, 2:], table[IMAGE, 1::2] = ALL, ALL
    return table


TABLE = _table()  # [NUM_TRIED + 2, lanes]


@kernel
def with_image(cells: np.uint64) -> Lanes:
    """Return a set of cells in the even lanes, and its mirror image in the odd ones."""
    return where(lanes_of(TABLE, IMAGE), spread(mirrored(cells)), spread(cells))


@kernel
def filled(mine: np.uint64, theirs: np.uint64, last: np.uint64, low: int, high: int) -> tuple[int, int]:
    """Return the sets of fillings, as bits, that the player to move wins and loses; the others end with a full board.

    Filling 0 counts the present lines only, the others all lines.  The sets are incomplete if the number of wins minus
    that of losses is certain to be `low` or less, or `high` or more, in which case they show that, too.

    Args:
        mine: discs of the player to move.
        theirs: discs of the opponent.
        last: the opponent's last disc.
        low: see above.
        high: see above.
    """
    nothing = spread(np.uint64(0))
    own, other, above = with_image(mine), with_image(theirs), with_image(last << ONE)
    own_ends, other_ends = completing(own) & BOARD, completing(other) & BOARD  # cells that would complete a four
    growing, going, won, lost = lanes_of(TABLE, GROWING), EVERY, 0, 0
    for turn in range(CELLS - count_bits(np.uint64(mine | theirs))):
        free = landing(own | other)
        stops = other_ends & free
        spared = free & ~(other_ends >> ONE)  # without the cells below an opponent's winning cell
        harmless = spared & ~(own_ends >> ONE)
        cells = where(stops, stops, where(harmless, harmless, spared))
        ahead = going & nonzero(own_ends & free)
        going &= ~ahead
        behind = going & ~nonzero(where(stops & (stops - ONE), nothing, cells))
        going &= ~behind
        if turn & 1 == 0:
            won, lost = won | ahead, lost | behind
        else:
            won, lost = won | behind, lost | ahead
        if ahead | behind != 0:
            balance, unsure = count_bits(np.uint64(won)) - count_bits(np.uint64(lost)), count_bits(np.uint64(going))
            if going == 0 or balance + unsure <= low or balance - unsure >= high:
                break
        chosen = cells
        for at in range(NUM_TRIED):
            tried = cells & lanes_of(TABLE, NUM_TRIED - 1 - at)
            chosen = where(tried, tried, chosen)
        chosen = where(cells & above, cells & above, chosen)
        cell = chosen & (~chosen + ONE)
        own, other, above = other, own | cell, cell << ONE
        own_ends, other_ends = other_ends, where(growing, completing(other) & BOARD, own_ends)
    return won, lost


def fillings(mine: np.uint64, theirs: np.uint64, found: np.ndarray) -> None:
    """Find the cells where a disc of the player to move wins, and where it loses, if the board is then filled.

    `found` uint64 [NUM_FILLINGS, 2] receives both sets of cells for each filling.  To keep mirror images consistent, a
    filling and its mirror image must agree, or one of them must end without a winner.
    """
    won = completing(mine) & landing(mine | theirs)
    found[:, 0], found[:, 1] = won, np.uint64(0)
    untried = landing(mine | theirs) & ~won
    while untried:
        cell = untried & (~untried + ONE)
        untried ^= cell
        losses, wins = filled(theirs, mine | cell, cell, -NEVER, NEVER)
        for kind in range(NUM_FILLINGS):
            balance = count_bits(np.uint64(wins >> 2 * kind & 3)) - count_bits(np.uint64(losses >> 2 * kind & 3))
            if balance > 0:
                found[kind, 0] |= cell
            elif balance < 0:
                found[kind, 1] |= cell
