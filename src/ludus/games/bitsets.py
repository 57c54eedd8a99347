"""What sets of cells in several 64-bit words are made of: the operations on one word, as plain functions that compile.

Bit `cell % 64` of word `cell // 64` is the cell.
"""

import numpy as np

ONE, NONE = np.uint64(1), np.uint64(0)


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
