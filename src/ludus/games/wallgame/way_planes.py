"""What a network sees of the cats' ways with the option `ways`: twelve planes [columns, rows] more, mine before theirs.

    +0 +1          the length of my cat's way to its goal, on the whole frame, and of the opponent's cat's to its own
    +2 +3          the cells on the shortest of my cat's ways; on those of the opponent's cat
    +4 +5  +6 +7   by how many steps a wall to the right, and below, lengthens my way; the opponent's way
    +8 +9 +10 +11  passages to the right, and down, that are one of two at their distance on my ways; on the opponent's

A plain convolution does not find these by itself: whether a passage can be gone round shows only far away.  A wall that
would cut the last way may not be built, and lengthens nothing.  Survival has no second cat: its planes are empty.
"""

from collections.abc import Callable
from functools import cache

import numpy as np

from ludus.games.packed import field
from ludus.games.rules import State
from ludus.games.wallgame.layout import (
    BOARD,
    FRAME_COLUMNS,
    FRAME_ROWS,
    ONE,
    PASSAGES,
    PLAYER,
    SURVIVAL,
    TURN,
    VARIANT,
    pawn,
)
from ludus.games.wallgame.ways import ways
from ludus.games.wallgame.words import NONE, words, write_cells
from ludus.kernel import lowest_bit

WAY_PLANES = (
    *("my way's length", "opponent's way's length", "my shortest ways", "opponent's shortest ways"),
    *(f"{whose} way: {wall} lengthens" for whose in ("my", "opponent's") for wall in ("wall right", "wall below")),
    *(f"{whose} way: one of two {where}" for whose in ("my", "opponent's") for where in ("right", "below")),
)
NUM_WAY_PLANES = len(WAY_PLANES)
LENGTH_SCALE = 1.0 / 8.0  # of a step in planes +0, +1 and +4 to +7, so that one step is not lost beside ones and zeros
WAY_SCALES = (LENGTH_SCALE,) * 2 + (1.0,) * 2 + (LENGTH_SCALE,) * 4 + (1.0,) * 4
MOST = 255  # that a byte holds


@cache
def way_writer(width: int) -> Callable[[State, np.ndarray, int], None]:
    """Return `write(state, flat, first)`, which writes the twelve planes into `flat` [planes * N] from `first` on."""
    _, load, single, _, _, without, _, _, _ = words(width)
    distance, measure, narrows = ways(width)

    def write(state: State, flat: np.ndarray, first: int) -> None:
        board = np.uint64(state[BOARD])
        rows = field(board, FRAME_ROWS)
        cells = rows * field(board, FRAME_COLUMNS)
        right, down = load(state, PASSAGES), load(state, PASSAGES + width)
        mover = field(np.uint64(state[TURN]), PLAYER)
        levels = np.empty(64 * width * width, np.uint64)  # [distance, W]
        for side in range(2):
            player = mover ^ side
            if player == 1 and field(board, VARIANT) == SURVIVAL:
                continue
            cat, goal = single(pawn(state, 2 * player)), single(pawn(state, 2 * player + 1))
            length = measure(right, down, rows, goal, cat, levels)
            only_right, only_down, two_right, two_down, way = narrows(right, down, rows, cat, levels, length)
            start = first + side * cells
            flat[start : start + cells] = min(length, MOST)
            write_cells(flat, start + 2 * cells, way, 1)
            for kind in range(2):
                only = only_right if kind == 0 else only_down
                start = first + (4 + 2 * side + kind) * cells
                for word in range(width):
                    bits = only[word]
                    while bits != NONE:
                        cell = 64 * word + lowest_bit(bits)
                        bits &= bits - ONE
                        wall = single(cell)
                        still_right = without(right, wall) if kind == 0 else right
                        still_down = down if kind == 0 else without(down, wall)
                        detour = distance(still_right, still_down, rows, cat, goal)
                        flat[start + cell] = max(0, min(detour - length, MOST))  # 0 where none leads
            start = first + (8 + 2 * side) * cells
            write_cells(flat, start, two_right, 1)
            write_cells(flat, start + cells, two_down, 1)

    return write
