"""What is packed into the 64-bit words of a state: numbers of a few bits side by side, and sets of cells.

Of a set, bit `cell % 64` of word `cell // 64` is the cell.
"""

import numpy as np

Field = tuple[int, int]
"""Lowest bit and width of a number in a word."""
ONE, NONE = np.uint64(1), np.uint64(0)


def field(word: np.uint64 | int, where: Field) -> int:
    """Return the number in a field."""
    return int(np.uint64(word) >> np.uint64(where[0])) & ((1 << where[1]) - 1)


def with_field(word: np.uint64 | int, where: Field, number: int) -> np.uint64:
    """Return the word with another number in a field."""
    mask = np.uint64((1 << where[1]) - 1) << np.uint64(where[0])
    return (np.uint64(word) & ~mask) | np.uint64(number) << np.uint64(where[0])


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
