"""The network's input for the Wall Game: nine planes or more [columns, rows] of the frame, seen by the mover.

    0 1    distance of every cell from my cat, and from my goal (the opponent's mouse; in classic, my home)
    2 3    distance from the opponent's cat, and from the opponent's goal
    4 5    the passage to the right, and down, is closed (by a wall, by the border, or outside the board)
    6      all ones for the second action of a move
    7      all ones if the mover is player 0
    8      all ones unless the variant is classic
    ...    with the option `ways`: the twelve planes below
    last   with the option `masked`: ones on the board

Distances are path lengths, scaled by 1 / the number of cells of the frame; unreachable cells get that number.  A byte
holds 255 at most, so on larger frames, longer paths look like 255 steps.  Survival has no second cat: the planes of an
absent pair of pawns are those of unreachable cells.

The planes of `ways`, mine before the opponent's; those of an absent cat are zero.  Small convolutions do not find these
by themselves, since a passage's detour may be far away.

    +0 +1          length of my cat's shortest path to its goal, on the whole frame; of the opponent's cat's
    +2 +3          cells on my cat's shortest paths; on the opponent's cat's
    +4 +5  +6 +7   steps by which a wall to the right, and below, lengthens my path; the opponent's path; 0 if the wall
                   is illegal because it cuts the last path
    +8 +9 +10 +11  passages to the right, and down, that are one of two at their distance on my shortest paths; on the
                   opponent's
"""

from collections.abc import Callable
from functools import cache

import numpy as np

from ludus.games.packed import ONE, read_field
from ludus.games.rules import State
from ludus.games.wallgame import layout
from ludus.games.wallgame.layout import pawn
from ludus.games.wallgame.walls import walls
from ludus.games.wallgame.ways import ways
from ludus.games.wallgame.words import ALL, NONE, Cells, words, write_cells
from ludus.kernel import lowest_bit, write_where

WAY_PLANES = (
    *("my way's length", "opponent's way's length", "my shortest ways", "opponent's shortest ways"),
    *(f"{whose} way: {wall} lengthens" for whose in ("my", "opponent's") for wall in ("wall right", "wall below")),
    *(f"{whose} way: one of two {where}" for whose in ("my", "opponent's") for where in ("right", "below")),
)
NUM_WAY_PLANES = len(WAY_PLANES)
LENGTH_SCALE = 1.0 / 8.0  # scale of a step in planes +0, +1 and +4 to +7, to match planes of zeros and ones
WAY_SCALES = (LENGTH_SCALE,) * 2 + (1.0,) * 2 + (LENGTH_SCALE,) * 4 + (1.0,) * 4
MOST = 255  # maximum of a byte


@cache
def way_writer(width: int) -> Callable[[State, np.ndarray, int], None]:
    """Build `write(state, flat, first)`, which writes the twelve planes into `flat` [planes * N] from `first` on."""
    _, load, single, _, _, without, _, _, _ = words(width)
    distance, measure, narrows = ways(width)

    def write(state: State, flat: np.ndarray, first: int) -> None:
        rows = read_field(state, layout.FRAME_ROWS)
        cells = rows * read_field(state, layout.FRAME_COLUMNS)
        right, down = load(state, layout.PASSAGES), load(state, layout.PASSAGES + width)
        mover = read_field(state, layout.PLAYER)
        levels = np.empty(64 * width * width, np.uint64)  # [distance, W]
        for side in range(2):
            player = mover ^ side
            if player == 1 and read_field(state, layout.VARIANT) == layout.SURVIVAL:
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
                        flat[start + cell] = max(0, min(detour - length, MOST))  # 0 without a detour
            start = first + (8 + 2 * side) * cells
            write_cells(flat, start, two_right, 1)
            write_cells(flat, start + cells, two_down, 1)

    return write


PLANES = (  # the planes without options
    *("from my cat", "from my goal", "from opponent's cat", "from opponent's goal"),
    *("closed right", "closed below", "second action", "player 0 moves", "not classic"),
)
NUM_PLANES = len(PLANES)


def plane_names(*, ways: bool) -> tuple[str, ...]:
    """Return a short name for each plane, without the one of the board."""
    return PLANES + WAY_PLANES * ways


def plane_scale(cells: int, *, ways: bool, masked: bool) -> tuple[float, ...]:
    """Return the factors for the planes' bytes, on a frame of `cells` cells."""
    return (1.0 / cells,) * 4 + (1.0,) * (NUM_PLANES - 4) + WAY_SCALES * ways + (1.0,) * masked


def action_places(rows: int, columns: int, actions: int) -> list[tuple[int, int, int]]:
    """Return each action's place in the planes: walls on the cells next to them, the others without a cell."""
    walls = [(kind, column, row) for kind in (0, 1) for column in range(columns) for row in range(rows)]
    return walls + [(other, -1, -1) for other in range(actions - len(walls))]


def write_mask(flat: np.ndarray, state: State) -> None:
    """Write ones on the board into the mask [N]; nothing if the mask has length 0."""
    for column in range(read_field(state, layout.COLUMNS) if flat.shape[0] > 0 else 0):
        first = column * read_field(state, layout.FRAME_ROWS)
        flat[first : first + read_field(state, layout.ROWS)] = 1


def write_missing(flat: np.ndarray, first: int, cells: int, there: Cells, value: int) -> None:
    """Write `value` into each cell of the frame outside the set `there`."""
    for word in range(len(there)):
        left = cells - 64 * word  # number of bits used in the word
        frame = ALL if left >= 64 else (ONE << np.uint64(max(left, 0))) - ONE
        write_where(flat, first + 64 * word, frame & ~there[word], value)


@cache
def encoder(width: int, *, ways: bool = False) -> Callable[[State, np.ndarray], None]:
    """Build the rule `encode` for boards of at most `width` words of cells, with or without the planes of `ways`."""
    _, load, single, _, _, _, _, _, _ = words(width)
    write_ways, write_distances = way_writer(width), distance_writer(width)
    mask = NUM_PLANES + NUM_WAY_PLANES * ways

    def encode(state: State, planes: np.ndarray) -> None:
        rows = read_field(state, layout.FRAME_ROWS)
        cells = rows * read_field(state, layout.FRAME_COLUMNS)
        flat = planes.reshape(planes.size)  # [planes N]
        right, down = load(state, layout.PASSAGES), load(state, layout.PASSAGES + width)
        mover = read_field(state, layout.PLAYER)
        variant = read_field(state, layout.VARIANT)
        for plane in range(4):
            player = mover if plane < 2 else 1 - mover
            if player == 1 and variant == layout.SURVIVAL:
                flat[plane * cells : (plane + 1) * cells] = min(cells, MOST)
            else:
                source = single(pawn(state, 2 * player + (plane & 1)))
                write_distances(flat, plane * cells, cells, right, down, rows, source)
        write_missing(flat, 4 * cells, cells, right, 1)
        write_missing(flat, 5 * cells, cells, down, 1)
        if read_field(state, layout.SECOND) == 1:
            flat[6 * cells : 7 * cells] = 1
        if mover == 0:
            flat[7 * cells : 8 * cells] = 1
        if variant != layout.CLASSIC:
            flat[8 * cells : 9 * cells] = 1
        if ways:
            write_ways(state, flat, NUM_PLANES * cells)
        write_mask(flat[mask * cells :], state)

    return encode


@cache
def distance_writer(width: int) -> Callable[[np.ndarray, int, int, Cells, Cells, int, Cells], None]:
    """Build `write(flat, first, cells, right, down, rows, source)`, which writes each cell's distance from a cell."""
    _, _, _, union, _, without, _, _, meet = words(width)
    neighbours = walls(width).neighbours

    def write_distances(
        flat: np.ndarray, first: int, cells: int, right: Cells, down: Cells, rows: int, source: Cells
    ) -> None:
        seen = source  # the source's byte stays 0
        front = without(neighbours(source, right, down, rows), source)
        steps = 1
        while meet(front, front):
            write_cells(flat, first, front, min(steps, MOST))
            seen = union(seen, front)
            front = without(neighbours(front, right, down, rows), seen)
            steps += 1
        write_missing(flat, first, cells, seen, min(cells, MOST))

    return write_distances
