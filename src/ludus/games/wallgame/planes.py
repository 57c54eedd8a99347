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

NUM_PLANES = 9


@cache
def encoder(width: int) -> Callable[[State, np.ndarray], None]:  # noqa: C901 - one rule and its helpers
    """Return the rule `encode` for boards of `width` words."""
    _, load, single, union, _, without, _, _, meet = words(width)
    neighbours, _, _, _ = walls(width)

    def encode(state: State, planes: np.ndarray) -> None:
        board, turn = np.uint64(state[BOARD]), np.uint64(state[TURN])
        rows = field(board, FRAME_ROWS)
        cells = rows * field(board, FRAME_COLUMNS)
        flat = planes.reshape(NUM_PLANES, cells)  # [9, N]
        right, down = load(state, PASSAGES), load(state, PASSAGES + width)
        mover = field(turn, PLAYER)
        variant = field(board, VARIANT)
        for plane in range(4):
            player = mover if plane < 2 else 1 - mover
            row = flat[plane]
            row[:] = np.float32(1.0)
            if player == 0 or variant != SURVIVAL:
                write_distances(row, right, down, rows, single(pawn(state, 2 * player + (plane & 1))))
        write_closed(flat[4], right, cells)
        write_closed(flat[5], down, cells)
        flat[6] = np.float32(field(turn, SECOND))
        flat[7] = np.float32(1 - mover)
        flat[8] = np.float32(1 if variant != CLASSIC else 0)

    def write_distances(row: np.ndarray, right: Cells, down: Cells, rows: int, source: Cells) -> None:
        scale = 1.0 / row.shape[0]
        seen, front = source, source
        distance = 0
        while meet(front, front):
            write(row, front, np.float32(distance * scale))
            front = without(neighbours(front, right, down, rows), seen)
            seen = union(seen, front)
            distance += 1

    def write(row: np.ndarray, cells: Cells, number: np.float32) -> None:
        for word in range(width):
            bits = cells[word]
            for bit in range(min(64, row.shape[0] - 64 * word)):
                if int(bits >> np.uint64(bit)) & 1 == 1:
                    row[64 * word + bit] = number

    def write_closed(row: np.ndarray, passages: Cells, cells: int) -> None:
        for word in range(width):
            bits = ~passages[word]
            for bit in range(min(64, cells - 64 * word)):
                row[64 * word + bit] = np.float32(int(bits >> np.uint64(bit)) & 1)

    return encode
