"""Finds what a stone of one colour would make on every free cell: fives, fours and open threes, for planes.

The terms are those of `lines`: a *four* lacks one stone for a five, a *three* one stone for a straight four.  `lines`
examines a single cell; this code examines a whole row at once, with a row per word.  The next cells of all lines that
begin in a row are in the words of the rows below, shifted.
"""

import numpy as np

from ludus.games.gomoku.layout import DOWN, RIGHT, SIZE, free_cells, stones
from ludus.games.packed import read_field
from ludus.games.rules import State

FIVE, FOUR, TWO_FOURS, THREE, TWO_THREES = 0, 1, 2, 3, 4
NUM_THREATS = 5
FRAME = 6  # empty rows above and below the board, for lines that leave it
LINE = 6  # cells of a line examined together; the cells before and after them show an overline
DISTANCES = 9  # distance between two missing cells of a line: -4 to 4


def find_threats(state: State, colour: int, exact: bool, with_threes: bool, found: np.ndarray) -> None:
    """Write what a stone of one colour would make on each free cell.

    Args:
        state: a position.
        colour: colour of the stone.
        exact: whether the colour needs exactly five.
        with_threes: find threes, too, which doubles the time.
        found: receives sets of free cells, column 0 at bit PAD: a five; a four; two fours or a straight four;
            a three without a four in its line; two such threes.  # [NUM_THREATS, N] int64
    """
    size = read_field(state, SIZE)
    own, free = np.zeros(size + 2 * FRAME, np.int64), np.zeros(size + 2 * FRAME, np.int64)
    for row in range(size):
        own[FRAME + row] = stones(state, row, colour)
        free[FRAME + row] = free_cells(state, row, size)
    fours, threes = np.zeros((DISTANCES, size), np.int64), np.zeros((DISTANCES, size), np.int64)
    mine, empty = np.zeros(LINE, np.int64), np.zeros(LINE, np.int64)
    found[:] = 0
    for direction in range(4):
        down, right = DOWN[direction], RIGHT[direction]
        fours[:], threes[:] = 0, 0
        for row in range(size):
            stones_here = 0
            for step in range(LINE):
                mine[step] = shifted(int(own[FRAME + row + step * down]), step * right)
                empty[step] = shifted(int(free[FRAME + row + step * down]), step * right)
                stones_here |= int(mine[step])
            if stones_here == 0:
                continue
            before = shifted(int(own[FRAME + row - down]), -right)
            behind = shifted(int(own[FRAME + row + LINE * down]), LINE * right)
            five_or_more = ~(before | int(mine[LINE - 1])) if exact else -1
            open_ends = int(empty[0]) & int(empty[LINE - 1]) & (~(before | behind) if exact else -1)
            find_fives(mine, empty, five_or_more, row, down, right, found)
            find_pairs(mine, empty, 0, five_or_more, row, down, right, fours)
            if with_threes:
                find_pairs(mine, empty, 1, open_ends, row, down, right, threes)
        for row in range(size):
            any_four, any_three = 0, 0
            for distance in range(DISTANCES):
                found[TWO_FOURS, row] |= found[FOUR, row] & fours[distance, row]
                found[FOUR, row] |= fours[distance, row]
                any_four |= int(fours[distance, row])
                any_three |= int(threes[distance, row])
            found[TWO_THREES, row] |= found[THREE, row] & any_three & ~any_four
            found[THREE, row] |= any_three & ~any_four


def shifted(word: int, steps: int) -> int:
    """Shift a row by `steps` columns to the left; to the right if negative."""
    return word >> steps if steps >= 0 else word << -steps


def find_fives(
    mine: np.ndarray, empty: np.ndarray, counts: int, row: int, down: int, right: int, found: np.ndarray
) -> None:
    """Mark the missing cells of countable fives that begin in this row."""
    for gap in range(5):
        five = int(empty[gap]) & counts
        for step in range(5):
            five &= int(mine[step]) if step != gap else -1
        if five != 0:
            found[FIVE, row + gap * down] |= shifted(five, -gap * right)


def find_pairs(
    mine: np.ndarray, empty: np.ndarray, begin: int, counts: int, row: int, down: int, right: int, pairs: np.ndarray
) -> None:
    """Mark the two empty cells of each line whose steps `begin` to 4 otherwise hold stones, by their distance."""
    if counts == 0:
        return
    for first in range(begin, 5):
        for second in range(first + 1, 5):
            both = int(empty[first]) & int(empty[second]) & counts
            for step in range(begin, 5):
                both &= int(mine[step]) if step not in (first, second) else -1
            if both != 0:
                pairs[4 + second - first, row + first * down] |= shifted(both, -first * right)
                pairs[4 + first - second, row + second * down] |= shifted(both, -second * right)
