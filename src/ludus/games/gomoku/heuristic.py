"""The rule `heuristic` of Gomoku, for a run's first generation and as a weak opponent.

It rates each free cell near a stone by what a stone of either colour would make there: a five, a straight or double
four, a four with a three, two threes, a four, a three, or lines that may still become fives.
"""

import math
from collections.abc import Callable
from functools import cache

import numpy as np

from ludus.games.gomoku.forbidden import is_forbidden
from ludus.games.gomoku.layout import BLACK_STONE, COLOUR, NEAR, PAD, PLAY, PLAYER, ROWS, RULE, SIZE, STAGE, WHITE
from ludus.games.gomoku.lines import (
    CENTRES,
    five_points,
    free_windows,
    has_run,
    num_fours,
    one_window,
    runs,
    three_points,
    windows,
)
from ludus.games.gomoku.rules import is_exact
from ludus.games.packed import read_field
from ludus.games.rules import State
from ludus.kernel import count_bits
from ludus.viewpoint import turn

NOTHING, THREE, FOUR, TWO_THREES, FOUR_AND_THREE, OPEN_FOUR, FIVE = 0, 1, 2, 3, 4, 5, 6
NUM_KINDS = 7
MINE = (0.0, 4.0, 3.0, 12.0, 60.0, 200.0, 5000.0)
"""Weights by what my stone makes on a cell."""
THEIRS = (0.0, 1.0, 1.5, 5.0, 12.0, 60.0, 1000.0)
"""Weights by what the opponent's stone makes on a cell."""
LINE = (0.05, 0.15, 0.4, 0.8, 1.0)
"""Weights of five cells in a line without a stone of the other colour, by the number of stones on them."""
FAR = 0.02  # weight of a cell far from all stones
SURE = 0.002  # share of the other cells when a five must be made or stopped
LEAST = 1e-6  # minimum weight of a cell
THEIR_GROWTH = 0.7  # factor for the other colour's lines
REACH = 2  # distance in cells that counts as near a stone
CHOOSE = 0.5  # weight of each choice of swap2, where all weights sum to 1


def kind_of(own: int, free: int, exact: bool) -> int:
    """Return what a stone in the centre of these windows makes."""
    if has_run(runs(own), exact):
        return FIVE
    fours, threes, straight = 0, 0, False
    for direction in range(4):
        mine, empty = one_window(own, direction), one_window(free, direction)
        points = five_points(mine, empty, exact)
        if points != 0:
            fours += num_fours(points)
            straight = straight or points & (points >> 5) != 0
        elif three_points(mine, empty, exact) != 0:
            threes += 1
    if straight or fours >= 2:
        return OPEN_FOUR
    if fours == 1:
        return FOUR_AND_THREE if threes > 0 else FOUR
    return TWO_THREES if threes >= 2 else THREE if threes == 1 else NOTHING


def growth(own: int, free: int) -> float:
    """Return the weight of the lines through the centre that may still become fives."""
    total = 0.0
    for direction in range(4):
        mine, empty = one_window(own, direction), one_window(free, direction)
        for first in range(1, NEAR + 1):
            five = 0b11111 << first
            if five & ~(mine | empty) == 0:
                total += LINE[count_bits(np.uint64(mine & five)) - 1]
    return total


def near_stones(state: State, row: int, size: int) -> int:
    """Return the cells of a row that are within REACH rows and columns of a stone, column 0 at bit PAD."""
    near = 0
    for other in range(max(0, row - REACH), min(size - 1, row + REACH) + 1):
        word = int(state[ROWS + other])
        near |= (word | word >> WHITE) & ((1 << WHITE) - 1)
    return near | near << 1 | near >> 1 | near << 2 | near >> 2


def judge(mine: np.ndarray, theirs: np.ndarray) -> float:
    """Return the mover's value, from the number of cells of each kind for each side."""
    if mine[FIVE] > 0:
        return 1.0
    if theirs[FIVE] > 1:
        return -0.95
    if theirs[FIVE] == 0:
        if mine[OPEN_FOUR] > 0:
            return 0.95
        if mine[FOUR_AND_THREE] > 0:
            return 0.8
        if theirs[OPEN_FOUR] > 0 and mine[FOUR] == 0:
            return -0.3
    lead = 0.0
    for kind in range(THREE, FIVE):
        lead += kind * (min(3.0, float(mine[kind])) - 0.8 * min(3.0, float(theirs[kind])))
    return 0.6 * math.tanh(0.1 * lead)


def share_out(weights: np.ndarray, actions: np.ndarray, count: int, cells: int, urgency: np.ndarray) -> None:
    """Scale the cells' weights to a sum of 1, nearly excluding cells that are less urgent than the most urgent one."""
    total, most = 0.0, 0
    for k in range(count):
        if int(actions[k]) < cells:
            total += float(weights[k])
            most = max(most, int(urgency[k]))
    for k in range(count):
        if int(actions[k]) >= cells:
            weights[k] = np.float32(CHOOSE)
        else:
            share = SURE if most > 0 and urgency[k] < most else 1.0
            weights[k] = np.float32(max(share * float(weights[k]) / total, LEAST))


@cache
def heuristic(renju: bool) -> Callable[[State, np.ndarray, int, np.ndarray], float]:
    """Build the rule `heuristic`."""

    def heuristic(state: State, actions: np.ndarray, count: int, weights: np.ndarray) -> float:
        size, rule, colour = read_field(state, SIZE), read_field(state, RULE), read_field(state, COLOUR)
        my_kinds, their_kinds = np.zeros(NUM_KINDS, np.int64), np.zeros(NUM_KINDS, np.int64)
        urgency = np.zeros(count, np.int64)
        for k in range(count):
            cell = int(actions[k])
            if cell >= size * size:
                continue
            row, column = cell // size, cell % size
            if (near_stones(state, row, size) >> (PAD + column)) & 1 == 0:
                off_centre = abs(2 * row - size + 1) + abs(2 * column - size + 1)
                weights[k] = np.float32(FAR / (1.0 + 0.5 * off_centre))
                continue
            free = free_windows(state, cell) & ~CENTRES
            mine, theirs = windows(state, cell, colour) | CENTRES, windows(state, cell, 1 - colour) | CENTRES
            my_kind = kind_of(mine, free, is_exact(rule, colour))
            their_kind = kind_of(theirs, free, is_exact(rule, 1 - colour))
            weight = FAR + MINE[my_kind] + THEIRS[their_kind] + growth(mine, free) + THEIR_GROWTH * growth(theirs, free)
            weight *= weight
            if renju and (my_kind if colour == BLACK_STONE else their_kind) != FIVE and is_forbidden(state, cell):
                if colour == BLACK_STONE:
                    weights[k] = np.float32(LEAST)
                    urgency[k] = -1
                    continue
                their_kind = NOTHING
            my_kinds[my_kind] += 1
            their_kinds[their_kind] += 1
            urgency[k] = 2 if my_kind == FIVE else 1 if their_kind == FIVE else 0
            weights[k] = np.float32(weight)
        share_out(weights, actions, count, size * size, urgency)
        if read_field(state, STAGE) != PLAY:
            return 0.0
        return turn(judge(my_kinds, their_kinds), read_field(state, PLAYER))

    return heuristic
