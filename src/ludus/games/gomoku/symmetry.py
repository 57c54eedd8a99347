"""The eight symmetries of a Gomoku board (`ludus.games.square`)."""

from ludus.games.gomoku.layout import BLACK_STONE, INFO, ROWS, SIZE, WHITE_STONE, stone_bit
from ludus.games.packed import field
from ludus.games.rules import State
from ludus.games.square import image


def symmetric_state(state: State, symmetry: int, out: State) -> None:
    """Move the stones."""
    size = field(int(state[INFO]), SIZE)
    for row in range(size):
        out[ROWS + row] = 0
    for row in range(size):
        word = int(state[ROWS + row])
        for column in range(size):
            there = image(row * size + column, symmetry, size, size)
            if word & stone_bit(column, BLACK_STONE):
                out[ROWS + there // size] |= stone_bit(there % size, BLACK_STONE)
            if word & stone_bit(column, WHITE_STONE):
                out[ROWS + there // size] |= stone_bit(there % size, WHITE_STONE)
    out[INFO] = state[INFO]


def symmetric_action(state: State, symmetry: int, action: int) -> int:
    """Move the cell; choices of the opening stay what they are."""
    size = field(int(state[INFO]), SIZE)
    return image(action, symmetry, size, size) if action < size * size else action
