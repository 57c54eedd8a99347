"""The rule `heuristic` of the Wall Game, for a run's first generation and as a weak opponent.

It walks, and lengthens the opponent's path.
Deep-Wallwars' first generation walks (a prior of 0.3 on all steps) and builds walls anywhere.  Here, most of the prior
is on walls that block all of the opponent's shortest paths, or one of only two passages.  At 60 visits per action, this
player beat the other in 113 of 120 games of 6x6 classic, 116 of 6x6 standard and 119 of 8x8 classic (openings of four
random actions, both sides of each).
"""

import math
from collections.abc import Callable
from functools import cache

import numpy as np

from ludus.games.packed import read_field
from ludus.games.rules import State
from ludus.games.wallgame import layout
from ludus.games.wallgame.layout import mouse_slot, pawn
from ludus.games.wallgame.rules import neighbour
from ludus.games.wallgame.ways import ways
from ludus.games.wallgame.words import NONE, Cells, words
from ludus.viewpoint import turn

STEPS_SHARE = 0.25  # prior of all pawn steps; walls share the rest
CAT_NEARER, CAT_FARTHER = 1.0, 0.1  # weights of steps of my cat, by its distance from the goal afterwards
MOUSE_FARTHER, MOUSE_NEARER = 0.75, 0.3  # weights of steps of my mouse, by its distance from the opponent's cat
WALL, WALL_ONE_OF_TWO, WALL_ONLY = 1.0, 10.0, 50.0  # weights of walls by how few passages the opponent's paths have
STOP = 0.001
CONFIDENCE = 0.25  # value of each step by which one cat is ahead


@cache
def heuristic(width: int) -> Callable[[State, np.ndarray, int, np.ndarray], float]:  # noqa: C901 - with its helpers
    """Build the rule `heuristic` for boards of at most `width` words of cells."""
    _, load, single, _, _, _, _, _, meet = words(width)
    _, measure, narrows = ways(width)
    empty: Cells = (NONE,) * width

    def heuristic(state: State, actions: np.ndarray, count: int, weights: np.ndarray) -> float:
        rows = read_field(state, layout.FRAME_ROWS)
        cells = rows * read_field(state, layout.FRAME_COLUMNS)
        mover = read_field(state, layout.PLAYER)
        right, down = load(state, layout.PASSAGES), load(state, layout.PASSAGES + width)
        my_cat, my_goal = single(pawn(state, 2 * mover)), single(pawn(state, 2 * mover + 1))
        levels = np.empty(64 * width * width, np.uint64)  # [distance, W]
        mine = measure(right, down, rows, my_goal, my_cat, levels)
        nearer = load(levels, (mine - 1) * width) if mine > 0 else empty
        enemy, prey = single(pawn(state, 2 - 2 * mover)), single(pawn(state, 3 - 2 * mover))
        theirs = measure(right, down, rows, enemy, prey, levels)
        caught = load(levels, (theirs - 1) * width) if theirs > 0 else empty
        only_right, only_down, two_right, two_down, _ = narrows(right, down, rows, prey, levels, theirs)

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
            elif step < 4:
                there = single(neighbour(pawn(state, 2 * mover), step, rows))
                weight = CAT_NEARER if meet(there, nearer) else CAT_FARTHER
                steps_total += weight
            elif step < layout.NUM_STEPS:
                there = single(neighbour(pawn(state, mouse_slot(mover)), step & 3, rows))
                weight = MOUSE_NEARER if meet(there, caught) else MOUSE_FARTHER
                steps_total += weight
            weights[k] = np.float32(weight)
        for k in range(count):
            step = int(actions[k]) - 2 * cells
            if step < 0:
                weights[k] = np.float32((1.0 - STEPS_SHARE) * float(weights[k]) / walls_total)
            elif step < layout.NUM_STEPS:
                weights[k] = np.float32(STEPS_SHARE * float(weights[k]) / steps_total)
        return turn(judge(state, mine, theirs), mover)

    def judge(state: State, mine: int, theirs: int) -> float:
        """Return the mover's value from the lengths of the cats' shortest paths."""
        mover, left = read_field(state, layout.PLAYER), 2 - read_field(state, layout.SECOND)
        if read_field(state, layout.VARIANT) == layout.SURVIVAL:  # a race against the remaining number of moves
            way = mine if mover == 0 else theirs
            lead = 2.0 * read_field(state, layout.TURNS_LEFT) - float(way)
            return turn(math.tanh(CONFIDENCE * lead), mover)
        if mine <= left:
            return 1.0
        return math.tanh(CONFIDENCE * (float(theirs) - float(mine) + 0.5 * left))

    return heuristic
