"""What a network sees: nine planes or more [columns, rows] of the frame, from the mover's side.

    0 1    distance of every cell from my cat, and from my goal (the opponent's mouse; in classic my home)
    2 3    distance from the opponent's cat, and from the opponent's goal
    4 5    the passage to the right, and down, is closed (by a wall, by the border, or outside the board)
    6      ones if this is the second action of the move
    7      ones if the mover is player 0
    8      ones unless the variant is classic
    ...    the cats' ways, with the option `ways` (`way_planes`)
    last   ones on the board: the mask, with the option `masked`

Distances are path lengths, which the network sees divided by the number of cells of the frame; where no path leads,
they are that number.  A byte holds 255 at most: on larger frames, longer paths look like 255 steps.  Survival has
no second cat: the planes of an absent pair of pawns are those of cells without a path.
"""

from collections.abc import Callable
from functools import cache

import numpy as np

from ludus.games.packed import field
from ludus.games.rules import State
from ludus.games.wallgame.layout import (
    BOARD,
    CLASSIC,
    COLUMNS,
    FRAME_COLUMNS,
    FRAME_ROWS,
    NUM_STEPS,
    ONE,
    PASSAGES,
    PLAYER,
    ROWS,
    SECOND,
    SURVIVAL,
    TURN,
    VARIANT,
    pawn,
)
from ludus.games.wallgame.walls import walls
from ludus.games.wallgame.way_planes import MOST, NUM_WAY_PLANES, WAY_PLANES, WAY_SCALES, way_writer
from ludus.games.wallgame.words import ALL, Cells, words, write_cells
from ludus.kernel import write_where

PLANES = (  # without the options
    *("from my cat", "from my goal", "from opponent's cat", "from opponent's goal"),
    *("closed right", "closed below", "second action", "player 0 moves", "not classic"),
)
NUM_PLANES = len(PLANES)


def plane_names(*, ways: bool, masked: bool) -> tuple[str, ...]:
    """Return what each plane shows."""
    return PLANES + WAY_PLANES * ways + ("board",) * masked


def plane_scale(cells: int, *, ways: bool, masked: bool) -> tuple[float, ...]:
    """Return what each plane's bytes are multiplied by, on a frame of so many cells."""
    return (1.0 / cells,) * 4 + (1.0,) * (NUM_PLANES - 4) + WAY_SCALES * ways + (1.0,) * masked


def action_places(rows: int, columns: int) -> list[tuple[int, int, int]]:
    """Return where actions sit in planes of a frame: walls on the cells beside and above them, pawn steps nowhere."""
    walls = [(kind, column, row) for kind in (0, 1) for column in range(columns) for row in range(rows)]
    return walls + [(step, -1, -1) for step in range(NUM_STEPS + 1)]


def write_mask(flat: np.ndarray, board: np.uint64) -> None:
    """Write ones on the board into the mask [N], or nothing where there is none [0]."""
    for column in range(field(board, COLUMNS) if flat.shape[0] > 0 else 0):
        first = column * field(board, FRAME_ROWS)
        flat[first : first + field(board, ROWS)] = 1


def write_missing(flat: np.ndarray, first: int, cells: int, there: Cells, value: int) -> None:
    """Write `value` for each cell of the frame that is not `there`."""
    for word in range(len(there)):
        left = cells - 64 * word  # bits that are cells
        frame = ALL if left >= 64 else (ONE << np.uint64(max(left, 0))) - ONE
        write_where(flat, first + 64 * word, frame & ~there[word], value)


@cache
def encoder(width: int, *, ways: bool = False) -> Callable[[State, np.ndarray], None]:
    """Return the rule `encode` for boards of `width` words, with planes of the cats' ways or without."""
    _, load, single, union, _, without, _, _, meet = words(width)
    write_ways = way_writer(width)
    mask = NUM_PLANES + NUM_WAY_PLANES * ways
    neighbours = walls(width).neighbours

    def encode(state: State, planes: np.ndarray) -> None:
        board, turn = np.uint64(state[BOARD]), np.uint64(state[TURN])
        rows = field(board, FRAME_ROWS)
        cells = rows * field(board, FRAME_COLUMNS)
        flat = planes.reshape(planes.size)  # [planes N]
        right, down = load(state, PASSAGES), load(state, PASSAGES + width)
        mover = field(turn, PLAYER)
        variant = field(board, VARIANT)
        for plane in range(4):
            player = mover if plane < 2 else 1 - mover
            if player == 1 and variant == SURVIVAL:
                flat[plane * cells : (plane + 1) * cells] = min(cells, MOST)
            else:
                source = single(pawn(state, 2 * player + (plane & 1)))
                write_distances(flat, plane * cells, cells, right, down, rows, source)
        write_missing(flat, 4 * cells, cells, right, 1)
        write_missing(flat, 5 * cells, cells, down, 1)
        if field(turn, SECOND) == 1:
            flat[6 * cells : 7 * cells] = 1
        if mover == 0:
            flat[7 * cells : 8 * cells] = 1
        if variant != CLASSIC:
            flat[8 * cells : 9 * cells] = 1
        if ways:
            write_ways(state, flat, NUM_PLANES * cells)
        write_mask(flat[mask * cells :], board)

    def write_distances(
        flat: np.ndarray, first: int, cells: int, right: Cells, down: Cells, rows: int, source: Cells
    ) -> None:
        seen = source  # whose byte stays 0
        front = without(neighbours(source, right, down, rows), source)
        steps = 1
        while meet(front, front):
            write_cells(flat, first, front, min(steps, MOST))
            seen = union(seen, front)
            front = without(neighbours(front, right, down, rows), seen)
            steps += 1
        write_missing(flat, first, cells, seen, min(cells, MOST))

    return encode
