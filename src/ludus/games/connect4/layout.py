"""The state of Connect Four in three words: two bitboards and the number of discs.

Bit `column * HEIGHT + height` of a player's word is a disc of that player:

     6 13 20 27 34 41 48   always free
     5 12 19 26 33 40 47   top row
     ...
     0  7 14 21 28 35 42   bottom row

Sets of cells, such as lines of four, have the same form.
"""

import numpy as np

from ludus.games.packed import ONE
from ludus.kernel import kernel

ROWS, COLUMNS, CELLS = 6, 7, 42
HEIGHT = ROWS + 1  # bits per column; the free top bit separates the columns
NUM_DISCS = 2  # index of the disc counter; words 0 and 1 are the players' bitboards
FEET = np.uint64(sum(1 << column * HEIGHT for column in range(COLUMNS)))
BOARD = np.uint64(sum(((1 << ROWS) - 1) << column * HEIGHT for column in range(COLUMNS)))


@kernel
def landing(discs: np.uint64) -> np.uint64:
    """Return the cells where discs land: a bit added to the bottom of a column carries up to its first free cell."""
    return (discs + FEET) & BOARD


@kernel
def mirrored(cells: np.uint64) -> np.uint64:
    """Return the mirror image of a set of cells: the columns in reverse order."""
    image = np.uint64(0)
    for column in range(COLUMNS):
        bits = cells >> np.uint64(column * HEIGHT) & (ONE << np.uint64(HEIGHT)) - ONE
        image |= bits << np.uint64((COLUMNS - 1 - column) * HEIGHT)
    return image


DIRECTIONS = (1, HEIGHT, HEIGHT - 1, HEIGHT + 1)  # up, right, down-right, up-right


def has_four(discs: np.uint64) -> bool:
    """Return whether four of these discs are in a line."""
    for step in DIRECTIONS:
        pairs = discs & (discs >> np.uint64(step))
        if int(pairs & (pairs >> np.uint64(2 * step))) != 0:
            return True
    return False


@kernel
def completing(discs: np.uint64) -> np.uint64:
    """Return the cells, free or not, that complete a line of four with three of these discs."""
    below = discs << ONE & discs << np.uint64(2) & discs << np.uint64(3)
    found = below
    for step in DIRECTIONS[1:]:
        one, two, three = np.uint64(step), np.uint64(2 * step), np.uint64(3 * step)
        up, down = discs << one, discs >> one  # the neighbours one step before and after each cell
        found |= up & discs << two & (discs << three | down) | down & discs >> two & (discs >> three | up)
    return found


def preparing(discs: np.uint64, free: np.uint64) -> np.uint64:
    """Return the free cells of lines of four that hold two of these discs and none of the other player."""
    found = np.uint64(0)
    for step in DIRECTIONS:
        one, two, three = np.uint64(step), np.uint64(2 * step), np.uint64(3 * step)
        d1, d2, d3 = discs >> one, discs >> two, discs >> three
        e1, e2, e3 = free >> one, free >> two, free >> three
        w = free & e1 & d2 & d3
        found |= w | w << one
        w = free & d1 & e2 & d3
        found |= w | w << two
        w = free & d1 & d2 & e3
        found |= w | w << three
        w = discs & e1 & e2 & d3
        found |= w << one | w << two
        w = discs & e1 & d2 & e3
        found |= w << one | w << three
        w = discs & d1 & e2 & e3
        found |= w << two | w << three
    return found
