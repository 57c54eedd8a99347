"""The symmetries of a board: mirror images; a smaller board stays at the top left of its frame.

Bit 0 of a symmetry's number mirrors left and right, bit 1 top and bottom.  Bit 2 then transposes, which is possible
only for square boards in square frames.
"""

from functools import cache
from typing import Any

import numpy as np

from ludus.games.packed import ONE, field, with_field
from ludus.games.rules import State
from ludus.games.wallgame import layout
from ludus.games.wallgame.layout import pawn
from ludus.games.wallgame.rules import is_open


def image_of_cell(board: np.uint64, symmetry: int, cell: int) -> int:
    """Return the image of a cell of the board."""
    frame_rows = field(board, layout.FRAME_ROWS)
    column, row = cell // frame_rows, cell % frame_rows
    if symmetry & 1:
        column = field(board, layout.COLUMNS) - 1 - column
    if symmetry & 2:
        row = field(board, layout.ROWS) - 1 - row
    if symmetry & 4:
        column, row = row, column
    return column * frame_rows + row


def image_of_step(symmetry: int, step: int) -> int:
    """Return the image of a pawn's step; its two low bits are right, down, left, up."""
    direction = step & 3
    if (symmetry & 1 and direction & 1 == 0) or (symmetry & 2 and direction & 1 == 1):
        direction ^= 2
    if symmetry & 4:
        direction ^= 1  # swap right with down, and left with up
    return (step & ~3) | direction


def image_of_passage(board: np.uint64, symmetry: int, cell: int, downward: bool) -> tuple[int, bool]:
    """Return the image of the passage to a cell's right (or lower) neighbour: its first cell and its direction."""
    frame_rows = field(board, layout.FRAME_ROWS)
    a = image_of_cell(board, symmetry, cell)
    b = image_of_cell(board, symmetry, cell + (1 if downward else frame_rows))
    return min(a, b), abs(a - b) == 1


@cache
def symmetries(width: int) -> dict[str, Any]:
    """Build `symmetric_state` and `symmetric_action` for boards of at most `width` words of cells."""

    def symmetric_state(state: State, symmetry: int, out: State) -> None:
        board, turn = np.uint64(state[layout.BOARD]), np.uint64(state[layout.TURN])
        for word in range(layout.PASSAGES, layout.PASSAGES + 2 * width):
            out[word] = 0
        cells = field(board, layout.FRAME_ROWS) * field(board, layout.FRAME_COLUMNS)
        for kind in range(2):
            for cell in range(cells):
                if is_open(state, layout.PASSAGES + width * kind, cell):
                    image, downward = image_of_passage(board, symmetry, cell, kind == 1)
                    at = layout.PASSAGES + (width if downward else 0) + (image >> 6)
                    out[at] = np.uint64(out[at]) | (ONE << np.uint64(image & 63))
        back = field(turn, layout.BACK)
        if back > 0:
            turn = with_field(turn, layout.BACK, 1 + image_of_step(symmetry, back - 1))
        for slot in range(4):
            image = image_of_cell(board, symmetry, pawn(state, slot))
            turn = with_field(turn, (layout.PAWN_BITS * slot, layout.PAWN_BITS, layout.TURN), image)
        out[layout.BOARD] = board
        out[layout.TURN] = turn

    def symmetric_action(state: State, symmetry: int, action: int) -> int:
        board = np.uint64(state[layout.BOARD])
        cells = field(board, layout.FRAME_ROWS) * field(board, layout.FRAME_COLUMNS)
        step = action - 2 * cells
        if step >= 0:
            return action if step == layout.NUM_STEPS else 2 * cells + image_of_step(symmetry, step)
        cell, downward = image_of_passage(board, symmetry, action % cells, action >= cells)
        return cell + (cells if downward else 0)

    return {"symmetric_state": symmetric_state, "symmetric_action": symmetric_action}
