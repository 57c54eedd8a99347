"""The rule `survey` of the Wall Game, for minimax: a value from path lengths, and ranks of actions by their effect."""

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

STEP_VALUE = 1.0 / 64.0  # value of an action by which one cat is ahead
MOST, SURE = 0.9, 0.95  # maximum value from path lengths; value of a cat that arrives in this move
ARRIVES, NEARER, FARTHER = 200, 60, 5  # ranks of steps of my cat
AWAY, TOWARDS = 30, 2  # ranks of steps of my mouse, relative to the opponent's cat
ONLY, ONE_OF_TWO, ON_THE_WAY, BESIDE, OWN_WAY, ELSEWHERE, HARMFUL = 50, 40, 20, 8, 2, -1, -2  # ranks of walls


@cache
def survey(width: int) -> Callable[[State, np.ndarray, int, np.ndarray], float]:  # noqa: C901 - with its helpers
    """Build the rule `survey` for boards of at most `width` words of cells."""
    _, load, single, union, _, _, up, down_by, meet = words(width)
    distance, measure, narrows = ways(width)
    empty: Cells = (NONE,) * width

    def survey(state: State, actions: np.ndarray, count: int, ranks: np.ndarray) -> float:
        mover = read_field(state, layout.PLAYER)
        if count > 0:
            mine, theirs = rank(state, actions, count, ranks)
        else:
            rows = read_field(state, layout.FRAME_ROWS)
            right, down = load(state, layout.PASSAGES), load(state, layout.PASSAGES + width)
            mine = distance(right, down, rows, single(pawn(state, 2 * mover)), single(pawn(state, 2 * mover + 1)))
            theirs = distance(right, down, rows, single(pawn(state, 2 - 2 * mover)), single(pawn(state, 3 - 2 * mover)))
        return turn(judge(state, mine, theirs), mover)

    def judge(state: State, mine: int, theirs: int) -> float:
        """Return the mover's value; with two actions per move, an action still to come counts as one already made."""
        mover, left = read_field(state, layout.PLAYER), 2 - read_field(state, layout.SECOND)
        lead = float(theirs - mine + left - 1)
        if read_field(state, layout.VARIANT) == layout.SURVIVAL:  # a race against the remaining number of moves
            way = mine if mover == 0 else theirs
            lead = turn(2.0 * read_field(state, layout.TURNS_LEFT) - float(way), mover)
        elif mine <= left:
            return SURE
        return min(MOST, max(-MOST, STEP_VALUE * lead))

    def rank(state: State, actions: np.ndarray, count: int, ranks: np.ndarray) -> tuple[int, int]:
        """Write the ranks; return the lengths of the mover's and the opponent's shortest path."""
        rows = read_field(state, layout.FRAME_ROWS)
        cells = rows * read_field(state, layout.FRAME_COLUMNS)
        mover, left = read_field(state, layout.PLAYER), 2 - read_field(state, layout.SECOND)
        right, down = load(state, layout.PASSAGES), load(state, layout.PASSAGES + width)
        levels = np.empty(64 * width * width, np.uint64)  # [distance, W]
        cat, goal = single(pawn(state, 2 * mover)), single(pawn(state, 2 * mover + 1))
        mine = measure(right, down, rows, goal, cat, levels)
        nearer = load(levels, (mine - 1) * width) if mine > 0 else empty
        my_right, my_down, _, _, my_way = narrows(right, down, rows, cat, levels, mine)
        enemy, prey = single(pawn(state, 2 - 2 * mover)), single(pawn(state, 3 - 2 * mover))
        theirs = measure(right, down, rows, enemy, prey, levels)
        caught = load(levels, (theirs - 1) * width) if theirs > 0 else empty
        only_right, only_down, two_right, two_down, way = narrows(right, down, rows, prey, levels, theirs)
        beside, own = grown(way, rows), grown(my_way, rows)
        if read_field(state, layout.VARIANT) == layout.SURVIVAL:  # player 1's cat has no goal
            beside, own = (empty, own) if mover == 0 else (beside, empty)
        best = HARMFUL
        for k in range(count):
            action = int(actions[k])
            step = action - 2 * cells
            found = 0
            if step < 0:
                slot = single(action % cells)
                if action < cells:
                    found = wall(slot, up(slot, rows), only_right, two_right, my_right, way)
                else:
                    found = wall(slot, up(slot, 1), only_down, two_down, my_down, way)
                if found == ELSEWHERE:
                    found = BESIDE if meet(slot, beside) else OWN_WAY if meet(slot, own) else ELSEWHERE
            elif step < 4:
                there = single(neighbour(pawn(state, 2 * mover), step, rows))
                arrives = ARRIVES if mine <= left else NEARER
                found = arrives if meet(there, nearer) else FARTHER
            elif step < layout.NUM_STEPS:
                there = single(neighbour(pawn(state, mouse_slot(mover)), step & 3, rows))
                found = TOWARDS if meet(there, caught) else AWAY
            ranks[k] = found
            best = max(best, found)
        if best < 0:  # only walls that change no path, or mine alone: try the least harmful ones
            for k in range(count):
                ranks[k] = int(ranks[k]) - best
        return mine, theirs

    def wall(slot: Cells, other: Cells, only: Cells, two: Cells, mine: Cells, way: Cells) -> int:
        """Return the rank of a wall between two cells by its effect on the opponent's path, and on mine."""
        found = ELSEWHERE
        if meet(slot, only):
            found = ONLY
        elif meet(slot, two):
            found = ONE_OF_TWO
        elif meet(slot, way) and meet(other, way):
            found = ON_THE_WAY
        if meet(slot, mine):
            found = OWN_WAY if found >= ON_THE_WAY else HARMFUL
        return found

    def grown(cells: Cells, rows: int) -> Cells:
        """Return the cells and their four neighbours."""
        sideways = union(up(cells, rows), down_by(cells, rows))
        return union(union(cells, sideways), union(up(cells, 1), down_by(cells, 1)))

    return survey
