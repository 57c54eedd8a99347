"""What a stone makes in the four lines through it: runs, fours, and points that turn threes into straight fours.

A *window* is the eleven cells of a line around a cell, whose bit is NEAR.  The four windows (horizontal, vertical,
falling, rising) are packed into one integer, APART bits apart.
"""

import numpy as np

from ludus.games.gomoku.layout import NEAR, ROWS, SIZE, WHITE, WINDOW, free_cells
from ludus.games.packed import read_field
from ludus.games.rules import State
from ludus.kernel import count_bits

APART = WINDOW + 1  # a free bit keeps runs inside their window
ONES = (1 << WINDOW) - 1
CENTRES = sum(1 << (APART * direction + NEAR) for direction in range(4))


def windows(state: State, cell: int, colour: int) -> int:
    """Return the windows of one colour's stones around a cell."""
    size = read_field(state, SIZE)
    row, column = cell // size, cell % size
    shift = column + WHITE * colour
    level = (int(state[ROWS + row]) >> shift) & ONES
    upright, falling, rising = 0, 0, 0
    for step in range(max(-NEAR, -row), min(NEAR, size - 1 - row) + 1):
        bits = int(state[ROWS + row + step]) >> shift
        upright |= ((bits >> NEAR) & 1) << (NEAR + step)
        falling |= bits & (1 << (NEAR + step))
        rising |= ((bits >> (NEAR - step)) & 1) << (NEAR + step)
    return level | upright << APART | falling << (2 * APART) | rising << (3 * APART)


def free_windows(state: State, cell: int) -> int:
    """Return the windows of the free cells around a cell."""
    size = read_field(state, SIZE)
    row, column = cell // size, cell % size
    level = (free_cells(state, row, size) >> column) & ONES
    upright, falling, rising = 0, 0, 0
    for step in range(max(-NEAR, -row), min(NEAR, size - 1 - row) + 1):
        bits = free_cells(state, row + step, size) >> column
        upright |= ((bits >> NEAR) & 1) << (NEAR + step)
        falling |= bits & (1 << (NEAR + step))
        rising |= ((bits >> (NEAR - step)) & 1) << (NEAR + step)
    return level | upright << APART | falling << (2 * APART) | rising << (3 * APART)


def one_window(packed: int, direction: int) -> int:
    """Return the window of one direction."""
    return (packed >> (APART * direction)) & ONES


def runs(own: int) -> int:
    """Return the unbroken runs through the centre in all directions, for windows with a stone in the centre."""
    run = CENTRES
    for _ in range(NEAR):
        run |= (run << 1 | run >> 1) & own
    return run


def has_run(run: int, exact: bool) -> bool:
    """Return whether one of the `runs` is a five: exactly five stones, or at least five."""
    for direction in range(4):
        length = count_bits(np.uint64(one_window(run, direction)))
        if length == 5 or (length > 5 and not exact):
            return True
    return False


def has_overline(run: int) -> bool:
    """Return whether one of the `runs` is longer than five."""
    longest = 0
    for direction in range(4):
        longest = max(longest, count_bits(np.uint64(one_window(run, direction))))
    return longest > 5


def five_points(own: int, free: int, exact: bool) -> int:
    """Return the free cells of one window that would make a five through the centre."""
    points = 0
    for first in range(1, NEAR + 1):
        five = 0b11111 << first
        around = (1 << (first - 1) | 1 << (first + 5)) if exact else 0
        missing = five & ~own
        if missing & (missing - 1) == 0 and own & around == 0:
            points |= missing & free
    return points


def num_fours(points: int) -> int:
    """Return the number of fours in one window, from its `five_points`; a straight four counts once."""
    count = count_bits(np.uint64(points))
    return 1 if count == 2 and points & (points >> 5) != 0 else count


def three_points(own: int, free: int, exact: bool) -> int:
    """Return the free cells of one window where a stone would make a straight four through the centre."""
    points = 0
    for first in range(1, NEAR):
        inner, ends = 0b1111 << (first + 1), 1 << first | 1 << (first + 5)
        around = (1 << (first - 1) | 1 << (first + 6)) if exact else 0
        missing = inner & ~own
        if missing & (missing - 1) == 0 and free & ends == ends and own & around == 0:
            points |= missing & free
    return points
