"""What a network sees: nine planes [columns, rows] of the frame, from the mover's side.

    0 1    distance of every cell from my cat, and from my goal (the opponent's mouse; in classic my home)
    2 3    distance from the opponent's cat, and from the opponent's goal
    4 5    the passage to the right, and down, is closed (by a wall, by the border, or outside the board)
    6      ones if this is the second action of the move
    7      ones if the mover is player 0
    8      ones unless the variant is classic

Distances are path lengths divided by the number of cells of the frame; 1.0 where no path leads.  Survival has no second
cat: the planes of an absent pair of pawns are 1.0 throughout.
"""

from collections.abc import Callable
from functools import cache

import numpy as np

from ludus.games.game import State
from ludus.games.wallgame.layout import (
    BOARD,
    CLASSIC,
    FRAME_COLUMNS,
    FRAME_ROWS,
    PASSAGES,
    PLAYER,
    SECOND,
    SURVIVAL,
    TURN,
    VARIANT,
    field,
    pawn,
)
from ludus.games.wallgame.walls import walls
from ludus.games.wallgame.words import Cells, words
from ludus.kernel import add_where

NUM_PLANES = 9


@cache
def encoder(width: int) -> Callable[[State, np.ndarray], None]:
    """Return the rule `encode` for boards of `width` words."""
    _, load, single, union, _, without, _, _, meet = words(width)
    neighbours = walls(width).neighbours

    def encode(state: State, planes: np.ndarray) -> None:
        board, turn = np.uint64(state[BOARD]), np.uint64(state[TURN])
        rows = field(board, FRAME_ROWS)
        cells = rows * field(board, FRAME_COLUMNS)
        flat = planes.reshape(NUM_PLANES, cells)  # [9, N]
        counts = np.empty(64 * width, np.int16)
        right, down = load(state, PASSAGES), load(state, PASSAGES + width)
        mover = field(turn, PLAYER)
        variant = field(board, VARIANT)
        for plane in range(4):
            player = mover if plane < 2 else 1 - mover
            if player == 1 and variant == SURVIVAL:
                flat[plane] = np.float32(1.0)
            else:
                source = single(pawn(state, 2 * player + (plane & 1)))
                write_distances(flat[plane], counts, right, down, rows, source)
        write_closed(flat[4], right, cells)
        write_closed(flat[5], down, cells)
        flat[6] = np.float32(field(turn, SECOND))
        flat[7] = np.float32(1 - mover)
        flat[8] = np.float32(1 if variant != CLASSIC else 0)

    def write_distances(
        row: np.ndarray, counts: np.ndarray, right: Cells, down: Cells, rows: int, source: Cells
    ) -> None:
        counts[:] = 0  # [64 W] how many steps of the flood left a cell dry
        seen, front = source, source
        steps = 0
        while meet(front, front):
            for word in range(width):
                add_where(counts, 64 * word, ~seen[word], 1)
            front = without(neighbours(front, right, down, rows), seen)
            seen = union(seen, front)
            steps += 1
        cells = row.shape[0]
        for word in range(width):
            add_where(counts, 64 * word, ~seen[word], cells - steps)  # no path: as far as there are cells
        scale = 1.0 / cells
        for cell in range(cells):
            row[cell] = np.float32(int(counts[cell]) * scale)

    def write_closed(row: np.ndarray, passages: Cells, cells: int) -> None:
        for word in range(width):
            bits = ~passages[word]
            for bit in range(min(64, cells - 64 * word)):
                row[64 * word + bit] = np.float32(int(bits >> np.uint64(bit)) & 1)

    return encode
