"""Data types inside states: bit fields of a 64-bit word, bit sets of cells, and symmetries of square boards.

In a set, bit `cell % 64` of word `cell // 64` stands for the cell.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

Field = tuple[int, int, int]
"""The lowest bit and the width of a number inside a word, and the word's index in the state."""
ONE, NONE = np.uint64(1), np.uint64(0)


def field(word: np.uint64 | int, where: Field) -> int:
    """Return the number stored in a field of a word."""
    return int(np.uint64(word) >> np.uint64(where[0])) & ((1 << where[1]) - 1)


def with_field(word: np.uint64 | int, where: Field, number: int) -> np.uint64:
    """Return the word with a new number in a field."""
    mask = np.uint64((1 << where[1]) - 1) << np.uint64(where[0])
    return (np.uint64(word) & ~mask) | np.uint64(number) << np.uint64(where[0])


def read_field(state: NDArray[Any], where: Field) -> int:
    """Return the number stored in a field of a state."""
    return field(state[where[2]], where)


def write_field(state: NDArray[Any], where: Field, number: int) -> None:
    """Store a number in a field of a state."""
    state[where[2]] = with_field(state[where[2]], where, number)


def in_either(a: np.uint64, b: np.uint64) -> np.uint64:
    """Return the union of two words."""
    return a | b


def in_both(a: np.uint64, b: np.uint64) -> np.uint64:
    """Return the intersection of two words."""
    return a & b


def in_first(a: np.uint64, b: np.uint64) -> np.uint64:
    """Return the first word without the bits of the second."""
    return a & ~b


def part(cell: int, word: int) -> np.uint64:
    """Return one word of the set that contains only `cell`."""
    return ONE << np.uint64(cell & 63) if cell >> 6 == word else NONE


def image(cell: int, symmetry: int, size: int, frame: int) -> int:
    """Return the image of a cell, `row * frame + column`, of a square board in the top left corner of its frame.

    Args:
        cell: number of the cell.
        symmetry: bit 0 mirrors left and right, bit 1 top and bottom; bit 2 then swaps rows and columns.
        size: rows and columns of the board.
        frame: rows and columns of the frame.
    """
    row, column = cell // frame, cell % frame
    if symmetry & 1:
        column = size - 1 - column
    if symmetry & 2:
        row = size - 1 - row
    if symmetry & 4:
        row, column = column, row
    return row * frame + column
