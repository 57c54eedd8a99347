"""Lines of four: made, one disc short, two discs short; all sets of cells are words of the state's form."""

import numpy as np

from ludus.games.connect4.layout import HEIGHT, ONE
from ludus.kernel import kernel

DIRECTIONS = (1, HEIGHT, HEIGHT - 1, HEIGHT + 1)  # up, right, down-right, up-right


def has_four(discs: np.uint64) -> bool:
    """Return whether four discs stand in a line."""
    for step in DIRECTIONS:
        pairs = discs & (discs >> np.uint64(step))
        if int(pairs & (pairs >> np.uint64(2 * step))) != 0:
            return True
    return False


@kernel
def completing(discs: np.uint64) -> np.uint64:
    """Return the cells that would make four in a line with three of these discs, whatever lies there now."""
    below = discs << ONE & discs << np.uint64(2) & discs << np.uint64(3)
    found = np.uint64(below)
    for step in DIRECTIONS[1:]:
        one, two, three = np.uint64(step), np.uint64(2 * step), np.uint64(3 * step)
        up, down = discs << one, discs >> one  # what lies a step before each cell, and behind it
        found |= up & discs << two & (discs << three | down) | down & discs >> two & (discs >> three | up)
    return found


def preparing(discs: np.uint64, free: np.uint64) -> np.uint64:
    """Return the free cells of lines of four in which two of these discs lie, and none of the other player."""
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
