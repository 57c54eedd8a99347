"""The eight images of a board in itself: bit 0 mirrors left and right, bit 1 top and bottom, bit 2 then transposes."""

from ludus.games.game import State
from ludus.games.gomoku.layout import BLACK_STONE, INFO, ROWS, SIZE, WHITE_STONE, field, stone_bit


def image(size: int, symmetry: int, cell: int) -> int:
    """Return where a symmetry moves a cell."""
    row, column = cell // size, cell % size
    if symmetry & 1:
        column = size - 1 - column
    if symmetry & 2:
        row = size - 1 - row
    if symmetry & 4:
        row, column = column, row
    return row * size + column


def symmetric_state(state: State, symmetry: int, out: State) -> None:
    """Move the stones."""
    size = field(int(state[INFO]), SIZE)
    for row in range(size):
        out[ROWS + row] = 0
    for row in range(size):
        word = int(state[ROWS + row])
        for column in range(size):
            there = image(size, symmetry, row * size + column)
            if word & stone_bit(column, BLACK_STONE):
                out[ROWS + there // size] |= stone_bit(there % size, BLACK_STONE)
            if word & stone_bit(column, WHITE_STONE):
                out[ROWS + there // size] |= stone_bit(there % size, WHITE_STONE)
    out[INFO] = state[INFO]


def symmetric_action(state: State, symmetry: int, action: int) -> int:
    """Move the cell; choices of the opening stay what they are."""
    size = field(int(state[INFO]), SIZE)
    return image(size, symmetry, action) if action < size * size else action
