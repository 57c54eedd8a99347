"""The rule `heuristic` of animal-cycle, for bots without a network and for a run's first generation.

Each pawn walks towards its prey, and walls lengthen the way of the enemy that is nearest to its prey, as in the other
variants (`ludus.games.wallgame.heuristic`).
"""

import math
from collections.abc import Callable
from functools import cache

import numpy as np

from ludus.games.packed import read_field
from ludus.games.rules import State
from ludus.games.wallgame import layout
from ludus.games.wallgame.heuristic import CONFIDENCE, STEPS_SHARE, STOP, WALL, WALL_ONE_OF_TWO, WALL_ONLY
from ludus.games.wallgame.layout import pawn
from ludus.games.wallgame.rules import neighbour
from ludus.games.wallgame.ways import ways
from ludus.games.wallgame.words import NONE, Cells, words
from ludus.viewpoint import turn

CATCH, NEARER, FARTHER, INTO_THE_HUNTER = 20.0, 1.0, 0.2, 0.001  # weights of steps and jumps
LATER = 0.5  # weight of a step of the pawn that is farther from its prey, relative to the other one's


@cache
def cycle_heuristic(width: int) -> Callable[[State, np.ndarray, int, np.ndarray], float]:  # noqa: C901 - with its helpers
    """Build the rule `heuristic` for boards of at most `width` words of cells."""
    _, load, single, _, _, _, _, _, meet = words(width)
    distance, measure, narrows = ways(width)
    empty: Cells = (NONE,) * width

    def heuristic(state: State, actions: np.ndarray, count: int, weights: np.ndarray) -> float:
        rows = read_field(state, layout.FRAME_ROWS)
        cells = rows * read_field(state, layout.FRAME_COLUMNS)
        mover = read_field(state, layout.PLAYER)
        right, down = load(state, layout.PASSAGES), load(state, layout.PASSAGES + width)
        levels = np.empty(64 * width * width, np.uint64)  # [distance, W]
        first, second = hunt(state, right, down, rows, mover), hunt(state, right, down, rows, mover + 2)
        one, two = hunt(state, right, down, rows, 1 - mover), hunt(state, right, down, rows, 3 - mover)
        mine = min(first, second)
        danger = 1 - mover if one <= two else 3 - mover
        enemy, prey = single(pawn(state, danger)), single(pawn(state, (danger + 1) & 3))
        theirs = measure(right, down, rows, enemy, prey, levels)
        only_right, only_down, two_right, two_down, _ = narrows(right, down, rows, prey, levels, theirs)
        measure(right, down, rows, single(pawn(state, (mover + 1) & 3)), single(pawn(state, mover)), levels)
        nearer = load(levels, (first - 1) * width) if first > 0 else empty
        measure(right, down, rows, single(pawn(state, (mover + 3) & 3)), single(pawn(state, mover + 2)), levels)
        second_nearer = load(levels, (second - 1) * width) if second > 0 else empty

        steps_total, walls_total = 0.0, 0.0
        for k in range(count):
            action = int(actions[k])
            step = action - 2 * cells
            weight = STOP
            if step < 0:
                slot = single(action % cells)
                vertical = action < cells
                if meet(slot, only_right if vertical else only_down):
                    weight = WALL_ONLY
                elif meet(slot, two_right if vertical else two_down):
                    weight = WALL_ONE_OF_TWO
                else:
                    weight = WALL
                walls_total += weight
            elif step != layout.NUM_STEPS:
                kind = step >> 2 if step < layout.NUM_STEPS else (step - layout.NUM_STEPS - 1) >> 3
                there = landing(state, mover + 2 * kind, step, rows)
                weight = FARTHER
                if there == pawn(state, (mover + 2 * kind + 1) & 3):
                    weight = CATCH
                elif there == pawn(state, (mover + 2 * kind + 3) & 3):
                    weight = INTO_THE_HUNTER
                elif meet(single(there), nearer if kind == 0 else second_nearer):
                    weight = NEARER if (first if kind == 0 else second) == mine else LATER * NEARER
                steps_total += weight
            weights[k] = np.float32(weight)
        for k in range(count):
            step = int(actions[k]) - 2 * cells
            if step < 0:
                weights[k] = np.float32((1.0 - STEPS_SHARE) * float(weights[k]) / walls_total)
            elif step != layout.NUM_STEPS:
                weights[k] = np.float32(STEPS_SHARE * float(weights[k]) / steps_total)
        left = 2 - read_field(state, layout.SECOND)
        value = 1.0 if mine <= left else math.tanh(CONFIDENCE * (float(theirs) - float(mine) + 0.5 * left))
        return turn(value, mover)

    def hunt(state: State, right: Cells, down: Cells, rows: int, slot: int) -> int:
        """Return the length of the way from the pawn of a slot to its prey."""
        return distance(right, down, rows, single(pawn(state, slot)), single(pawn(state, (slot + 1) & 3)))

    def landing(state: State, slot: int, step: int, rows: int) -> int:
        """Return the cell at which a step or a jump ends."""
        jump = step - layout.NUM_STEPS - 1
        if jump < 0:
            return neighbour(pawn(state, slot), step & 3, rows)
        between = neighbour(pawn(state, slot), jump & 3, rows)
        return neighbour(between, jump & 3 if jump & 7 < 4 else (jump + 1) & 3, rows)

    return heuristic
