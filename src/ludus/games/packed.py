"""What states of several games are made of: numbers of a few bits side by side in a word, sets of cells, square boards.

Of a set, bit `cell % 64` of word `cell // 64` is the cell.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

Field = tuple[int, ...]
"""Lowest bit and width of a number in a word, and which word of the state that is where a game's layout says so."""
ONE, NONE = np.uint64(1), np.uint64(0)


def field(word: np.uint64 | int, where: Field) -> int:
    """Return the number in a field."""
    return int(np.uint64(word) >> np.uint64(where[0])) & ((1 << where[1]) - 1)


def with_field(word: np.uint64 | int, where: Field, number: int) -> np.uint64:
    """Return the word with another number in a field."""
    mask = np.uint64((1 << where[1]) - 1) << np.uint64(where[0])
    return (np.uint64(word) & ~mask) | np.uint64(number) << np.uint64(where[0])


def read_field(state: NDArray[Any], where: Field) -> int:
    """Return the number in a field of a state."""
    return field(state[where[2]], where)


def write_field(state: NDArray[Any], where: Field, number: int) -> None:
    """Change the number in a field of a state."""
    state[where[2]] = with_field(state[where[2]], where, number)


def in_either(a: np.uint64, b: np.uint64) -> np.uint64:
    """Return what is in one of the words or in both."""
    return a | b


def in_both(a: np.uint64, b: np.uint64) -> np.uint64:
    """Return what is in both words."""
    return a & b


def in_first(a: np.uint64, b: np.uint64) -> np.uint64:
    """Return what is in the first word and not in the second."""
    return a & ~b


def part(cell: int, word: int) -> np.uint64:
    """Return a word of the set of one cell."""
    return ONE << np.uint64(cell & 63) if cell >> 6 == word else NONE


def image(cell: int, symmetry: int, size: int, frame: int) -> int:
    """Return where a symmetry moves a cell, `row * frame + column`, of a square board at its frame's top left.

    Args:
        cell: its number.
        symmetry: bit 0 mirrors left and right, bit 1 top and bottom, and bit 2 transposes after the mirrors.
        size: rows of the board.
        frame: rows of the frame.
    """
    row, column = cell // frame, cell % frame
    if symmetry & 1:
        column = size - 1 - column
    if symmetry & 2:
        row = size - 1 - row
    if symmetry & 4:
        row, column = column, row
    return row * frame + column
