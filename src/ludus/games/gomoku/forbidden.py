"""Finds the points that are forbidden to Black in renju: double threes, double fours and overlines.

A point that makes five is always allowed.  A *four* is a line in which one more stone makes exactly five; two fours in
one line count as two unless they are the ends of a straight four.  A *three* is a line without a four in which one more
stone makes a straight four, if Black may play that stone and it makes no five.  Whether a point is forbidden may
therefore depend on other points.  Compiled code cannot recurse, so open questions are kept on a stack.
"""

import numpy as np

from ludus.games.gomoku.layout import BLACK_STONE, DOWN, NEAR, RIGHT, ROWS, SIZE, free_cells, stone_bit
from ludus.games.gomoku.lines import (
    APART,
    CENTRES,
    ONES,
    five_points,
    free_windows,
    has_overline,
    has_run,
    num_fours,
    one_window,
    runs,
    three_points,
    windows,
)
from ludus.games.packed import read_field
from ludus.games.rules import State
from ludus.kernel import lowest_bit

ALLOWED, FORBIDDEN, FIVE, OPEN = 0, 1, 2, 3  # OPEN: depends on the points that would make straight fours
MAX_DEPTH = 400  # each nested question adds a stone to the board


def look(state: State, cell: int) -> tuple[int, int]:
    """Return the shapes that a black stone on a free cell makes, and the ends of its threes as bits (see `lines`)."""
    own = windows(state, cell, BLACK_STONE) | CENTRES
    run = runs(own)
    if has_run(run, True):
        return FIVE, 0
    if has_overline(run):
        return FORBIDDEN, 0
    free = free_windows(state, cell) & ~CENTRES
    fours, threes, points = 0, 0, 0
    for direction in range(4):
        mine, empty = one_window(own, direction), one_window(free, direction)
        made = num_fours(five_points(mine, empty, True))
        fours += made
        if made == 0:
            grows = three_points(mine, empty, True)
            threes += 1 if grows != 0 else 0
            points |= grows << (APART * direction)
    if fours >= 2:
        return FORBIDDEN, 0
    return (OPEN if threes >= 2 else ALLOWED), points


def num_lines(points: int) -> int:
    """Return how many of the four windows contain points."""
    count = 0
    for direction in range(4):
        count += 1 if one_window(points, direction) != 0 else 0
    return count


def is_forbidden(state: State, cell: int) -> bool:
    """Return whether a free cell is forbidden to Black."""
    verdict, points = look(state, cell)
    if verdict != OPEN:
        return verdict == FORBIDDEN
    size, board = read_field(state, SIZE), state.copy()
    at, asked, threes = np.zeros(MAX_DEPTH, np.int64), np.zeros(MAX_DEPTH, np.int64), np.zeros(MAX_DEPTH, np.int64)
    depth = 0
    at[0], asked[0], threes[0] = cell, points, 0
    board[ROWS + cell // size] |= stone_bit(cell % size, BLACK_STONE)
    while True:
        left = int(asked[depth])
        if threes[depth] >= 2 or int(threes[depth]) + num_lines(left) < 2:
            verdict = FORBIDDEN if threes[depth] >= 2 else ALLOWED
            here = int(at[depth])
            board[ROWS + here // size] ^= stone_bit(here % size, BLACK_STONE)
            if depth == 0:
                return verdict == FORBIDDEN
            depth -= 1
            left = int(asked[depth])
        else:
            point = point_cell(int(at[depth]), lowest_bit(np.uint64(left)), size)
            verdict, points = look(board, point)
            if verdict == OPEN:
                depth += 1
                at[depth], asked[depth], threes[depth] = point, points, 0
                board[ROWS + point // size] |= stone_bit(point % size, BLACK_STONE)
                continue
        bit = lowest_bit(np.uint64(left))
        if verdict == ALLOWED:  # the line is a three, so its other points need no check
            threes[depth] += 1
            asked[depth] = left & ~(ONES << (APART * (bit // APART)))
        else:
            asked[depth] = left & (left - 1)


def point_cell(cell: int, bit: int, size: int) -> int:
    """Return the cell of a bit in the windows around `cell`."""
    direction, step = bit // APART, bit % APART - NEAR
    return cell + step * (DOWN[direction] * size + RIGHT[direction])


def forbidden_cells(state: State) -> list[int]:
    """Return all cells that are forbidden to Black, for display."""
    size = read_field(state, SIZE)
    cells = [row * size + column for row in range(size) for column in range(size)]
    empty = [cell for cell in cells if free_cells(state, cell // size, size) & stone_bit(cell % size, BLACK_STONE)]
    return [cell for cell in empty if is_forbidden(state, cell)]
