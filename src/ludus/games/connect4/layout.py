"""The state of Connect Four, three words: the discs of both players, a bit for each cell, and how many they are.

Bit `column * HEIGHT + height` of a player's word is a disc of that player:

     6 13 20 27 34 41 48   always free
     5 12 19 26 33 40 47   top row
     ...
     0  7 14 21 28 35 42   bottom row
"""

import numpy as np

from ludus.kernel import kernel

ROWS, COLUMNS, CELLS = 6, 7, 42
HEIGHT = ROWS + 1  # bits of a column: a free bit on top keeps lines from running into the next column
NUM_DISCS = 2  # index of the counter; words 0 and 1 are the players' discs
ONE = np.uint64(1)
FEET = np.uint64(sum(1 << column * HEIGHT for column in range(COLUMNS)))
BOARD = np.uint64(sum(((1 << ROWS) - 1) << column * HEIGHT for column in range(COLUMNS)))


@kernel
def landing(discs: np.uint64) -> np.uint64:
    """Return where a disc would come to lie: a bit added at the foot of a column carries up to its first free cell."""
    return np.uint64((discs + FEET) & BOARD)
