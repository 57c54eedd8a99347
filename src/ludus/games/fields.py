"""Fields of bits in the words of a state: numbers of a few bits each, side by side in 64."""

import numpy as np

Field = tuple[int, int]
"""Lowest bit and width."""


def field(word: np.uint64 | int, where: Field) -> int:
    """Return the number in a field."""
    return int(np.uint64(word) >> np.uint64(where[0])) & ((1 << where[1]) - 1)


def with_field(word: np.uint64 | int, where: Field, number: int) -> np.uint64:
    """Return the word with another number in a field."""
    mask = np.uint64((1 << where[1]) - 1) << np.uint64(where[0])
    return (np.uint64(word) & ~mask) | np.uint64(number) << np.uint64(where[0])
