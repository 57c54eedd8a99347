"""Common sense, for the first generation of a training run and as a weak opponent: run for the goal, and some walls."""

from collections.abc import Callable
from functools import cache

import numpy as np

from ludus.games.game import State
from ludus.games.wallgame.layout import (
    BOARD,
    FRAME_COLUMNS,
    FRAME_ROWS,
    NUM_STEPS,
    PASSAGES,
    PLAYER,
    SECOND,
    SURVIVAL,
    TURN,
    VARIANT,
    field,
    mouse_slot,
    pawn,
)
from ludus.games.wallgame.rules import neighbour
from ludus.games.wallgame.walls import walls
from ludus.games.wallgame.words import Cells, words
from ludus.viewpoint import turn

PAWN_SHARE = 0.3  # prior of all pawn steps together; the legal walls share the rest
BETTER, WORSE = 1.5, 0.75  # weight of a step that shortens the cat's way or lengthens the enemy's, and of the opposite
STOP = 0.001


@cache
def heuristic(width: int) -> Callable[[State, np.ndarray, int, np.ndarray], float]:  # noqa: C901 - with its helpers
    """Return the rule `heuristic` for boards of `width` words."""
    _, load, single, union, _, without, _, _, meet = words(width)
    neighbours, _, _, _ = walls(width)

    def approach(state: State, start: int, goal: int) -> tuple[int, Cells]:
        """Return the distance between two cells, and the cells that are one nearer to the first than the second is."""
        rows = field(np.uint64(state[BOARD]), FRAME_ROWS)
        right, down = load(state, PASSAGES), load(state, PASSAGES + width)
        target = single(goal)
        before, front = target, single(start)
        seen = front
        distance = 0
        while not meet(front, target):
            before = front
            front = without(neighbours(front, right, down, rows), seen)
            seen = union(seen, front)
            distance += 1
        return distance, before

    def heuristic(state: State, actions: np.ndarray, count: int, weights: np.ndarray) -> float:
        board, clock = np.uint64(state[BOARD]), np.uint64(state[TURN])
        rows = field(board, FRAME_ROWS)
        first_step = 2 * rows * field(board, FRAME_COLUMNS)
        mover = field(clock, PLAYER)
        mine, nearer = approach(state, pawn(state, 2 * mover + 1), pawn(state, 2 * mover))
        other = 1 - mover
        theirs, caught = approach(state, pawn(state, 2 * other), pawn(state, 2 * other + 1))

        total = 0.0
        num_walls = 0
        for k in range(count):
            step = int(actions[k]) - first_step
            weight = 0.0
            if step < 0:
                num_walls += 1
            elif step == NUM_STEPS:
                weight = STOP
            else:
                cat = step < 4
                cell = pawn(state, 2 * mover if cat else mouse_slot(mover))
                better = meet(single(neighbour(cell, step & 3, rows)), nearer if cat else caught) == cat
                weight = BETTER if better else WORSE
                total += weight
            weights[k] = np.float32(weight)
        wall = (1.0 - PAWN_SHARE) / max(num_walls, 1)
        for k in range(count):
            if k < num_walls:
                weights[k] = np.float32(wall)
            elif int(actions[k]) < first_step + NUM_STEPS:
                weights[k] = np.float32(PAWN_SHARE * float(weights[k]) / total)
        return judge(board, clock, mover, mine, theirs)

    def judge(board: np.uint64, clock: np.uint64, mover: int, mine: int, theirs: int) -> float:
        left = 2 - field(clock, SECOND)
        if field(board, VARIANT) == SURVIVAL:
            if mover == 0:
                return 1.0 if mine <= left else 0.5
            return 0.0
        if mine <= left:
            value = 1.0
        else:
            lead = float(theirs) - (float(mine) - 0.5 * left)
            value = lead / (float(theirs) + float(mine))
        return turn(value, mover)

    return heuristic
