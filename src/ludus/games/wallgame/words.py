"""Sets of cells as tuples of 64-bit words, with the same compiled operations for 1, 2 and 7 words.

A set of W words is `(word 0, ..., word W-1)`; bit `cell % 64` of word `cell // 64` stands for the cell.  Tuples stay in
registers, so a one-word set costs no more than a bare integer.
"""

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from ludus.games.packed import NONE, ONE, in_both, in_either, in_first, part
from ludus.games.rules import State
from ludus.kernel import write_where

Cells = Any  # tuple[np.uint64, ...] of fixed length; each length is a separate type
ALL = ~np.uint64(0)


class Words(NamedTuple):
    """The operations on sets of cells with one number of words."""

    width: int
    load: Callable[[State, int], Cells]
    """Read the set that begins at an index of the state."""
    single: Callable[[int], Cells]
    """Return the set of one cell."""
    union: Callable[[Cells, Cells], Cells]
    common: Callable[[Cells, Cells], Cells]
    without: Callable[[Cells, Cells], Cells]
    """Return the first set without the second."""
    up: Callable[[Cells, int], Cells]
    """Add a step of 1 to 63 to every cell's number; numbers past the end are dropped."""
    down: Callable[[Cells, int], Cells]
    """Subtract a step of 1 to 63 from every cell's number; negative numbers are dropped."""
    meet: Callable[[Cells, Cells], bool]
    """Return whether the sets have a cell in common."""


@cache
def words(width: int) -> Words:
    """Build the operations on sets of cells in `width` words: 1, 2 or 7."""
    pairwise, load, single, up, down, meet = {1: _one, 2: _two, 7: _seven}[width]()
    return Words(width, load, single, pairwise(in_either), pairwise(in_both), pairwise(in_first), up, down, meet)


def write_cells(row: np.ndarray, first: int, cells: Cells, value: int) -> None:
    """Write `value` (0-255) into a row of bytes for each cell of a set, cell 0 at `first`; see `write_where`."""
    for word in range(len(cells)):
        if first + 64 * word < row.shape[0]:  # no cells after that
            write_where(row, first + 64 * word, cells[word], value)


def _one() -> Any:  # noqa: ANN401 - a tuple of functions, typed by Words
    def pairwise(each: Any) -> Any:  # noqa: ANN401
        def operation(a: Cells, b: Cells) -> Cells:
            return (each(a[0], b[0]),)

        return operation

    def load(state: State, at: int) -> Cells:
        return (np.uint64(state[at]),)

    def single(cell: int) -> Cells:
        return (ONE << np.uint64(cell),)

    def up(a: Cells, by: int) -> Cells:
        return (a[0] << np.uint64(by),)

    def down(a: Cells, by: int) -> Cells:
        return (a[0] >> np.uint64(by),)

    def meet(a: Cells, b: Cells) -> bool:
        return a[0] & b[0] != NONE

    return pairwise, load, single, up, down, meet


def _two() -> Any:  # noqa: ANN401
    def pairwise(each: Any) -> Any:  # noqa: ANN401
        def operation(a: Cells, b: Cells) -> Cells:
            return (each(a[0], b[0]), each(a[1], b[1]))

        return operation

    def load(state: State, at: int) -> Cells:
        return (np.uint64(state[at]), np.uint64(state[at + 1]))

    def single(cell: int) -> Cells:
        return (part(cell, 0), part(cell, 1))

    def up(a: Cells, by: int) -> Cells:
        return (a[0] << np.uint64(by), a[1] << np.uint64(by) | a[0] >> np.uint64(64 - by))

    def down(a: Cells, by: int) -> Cells:
        return (a[0] >> np.uint64(by) | a[1] << np.uint64(64 - by), a[1] >> np.uint64(by))

    def meet(a: Cells, b: Cells) -> bool:
        return (a[0] & b[0]) | (a[1] & b[1]) != NONE

    return pairwise, load, single, up, down, meet


def _seven() -> Any:  # noqa: ANN401
    def pairwise(each: Any) -> Any:  # noqa: ANN401
        def operation(a: Cells, b: Cells) -> Cells:
            left = (each(a[0], b[0]), each(a[1], b[1]), each(a[2], b[2]), each(a[3], b[3]))
            return (*left, each(a[4], b[4]), each(a[5], b[5]), each(a[6], b[6]))

        return operation

    def load(state: State, at: int) -> Cells:
        left = (np.uint64(state[at]), np.uint64(state[at + 1]), np.uint64(state[at + 2]), np.uint64(state[at + 3]))
        return (*left, np.uint64(state[at + 4]), np.uint64(state[at + 5]), np.uint64(state[at + 6]))

    def single(cell: int) -> Cells:
        left = (part(cell, 0), part(cell, 1), part(cell, 2), part(cell, 3))
        return (*left, part(cell, 4), part(cell, 5), part(cell, 6))

    def carry(low: np.uint64, high: np.uint64, by: int) -> np.uint64:
        return high << np.uint64(by) | low >> np.uint64(64 - by)

    def up(a: Cells, by: int) -> Cells:
        left = (a[0] << np.uint64(by), carry(a[0], a[1], by), carry(a[1], a[2], by), carry(a[2], a[3], by))
        return (*left, carry(a[3], a[4], by), carry(a[4], a[5], by), carry(a[5], a[6], by))

    def down(a: Cells, by: int) -> Cells:
        back = 64 - by
        left = (carry(a[0], a[1], back), carry(a[1], a[2], back), carry(a[2], a[3], back), carry(a[3], a[4], back))
        return (*left, carry(a[4], a[5], back), carry(a[5], a[6], back), a[6] >> np.uint64(by))

    def meet(a: Cells, b: Cells) -> bool:
        left = (a[0] & b[0]) | (a[1] & b[1]) | (a[2] & b[2]) | (a[3] & b[3])
        return left | (a[4] & b[4]) | (a[5] & b[5]) | (a[6] & b[6]) != NONE

    return pairwise, load, single, up, down, meet
