"""Sets of points as tuples of 64-bit words, with the same compiled operations for 2, 3 and 6 words.

Bit `point % 64` of word `point // 64` stands for the point.  Tuples stay in registers.  A group is found by growing a
set in all directions at once.
"""

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from ludus.games.go.layout import MAX_SIZE
from ludus.games.packed import NONE, ONE, in_both, in_either, in_first, part
from ludus.games.rules import State
from ludus.kernel import count_bits, lowest_bit

Points = Any  # tuple[np.uint64, ...] of fixed length; each length is a separate type


class PointSets(NamedTuple):
    """The operations on sets of points with one number of words."""

    load: Callable[[State, int], Points]
    """Read the set that begins at an index of a state."""
    store: Callable[[State, int, Points], None]
    single: Callable[[int], Points]
    union: Callable[[Points, Points], Points]
    common: Callable[[Points, Points], Points]
    without: Callable[[Points, Points], Points]
    """Return the first set without the second."""
    is_empty: Callable[[Points], bool]
    number: Callable[[Points], int]
    """Return the number of points in a set."""
    lowest: Callable[[Points], int]
    """Return the smallest number in a nonempty set."""
    around: Callable[[Points, int], Points]
    """Return the neighbours of all points in a frame, possibly with numbers beyond the last row."""
    fill: Callable[[Points, Points, int], Points]
    """Return the points of the second set that are connected, inside it, to the first set."""


def inner_columns(width: int, column_from_end: bool) -> np.ndarray:
    """Return the points of each frame that can be reached by a step to the right (or left) [20, W]."""
    table = np.zeros((MAX_SIZE + 1, width), np.uint64)
    for frame in range(1, MAX_SIZE + 1):
        for point in range(min(64 * width, frame * frame)):
            if point % frame != (frame - 1 if column_from_end else 0):
                table[frame, point // 64] |= ONE << np.uint64(point % 64)
    return table


def _high(low: np.uint64, high: np.uint64, by: int) -> np.uint64:
    return high << np.uint64(by) | low >> np.uint64(64 - by)


def _low(low: np.uint64, high: np.uint64, by: int) -> np.uint64:
    return low >> np.uint64(by) | high << np.uint64(64 - by)


@cache
def point_sets(width: int) -> PointSets:
    """Build the operations on sets of points in `width` words: 2, 3 or 6."""
    load, store, single, pairwise, any_bit, count, up, down = {2: _two, 3: _three, 6: _six}[width]()
    union, common, without = pairwise(in_either), pairwise(in_both), pairwise(in_first)
    from_left, from_right = inner_columns(width, False), inner_columns(width, True)

    def is_empty(a: Points) -> bool:
        return any_bit(a) == NONE

    def lowest(a: Points) -> int:
        for word in range(width):
            if a[word] != NONE:
                return 64 * word + lowest_bit(a[word])
        return -1

    def beside(a: Points, rightward: Points, leftward: Points, frame: int) -> Points:
        sides = union(common(up(a, 1), rightward), common(down(a, 1), leftward))
        return union(sides, union(up(a, frame), down(a, frame)))

    def around(a: Points, frame: int) -> Points:
        return beside(a, load(from_left[frame], 0), load(from_right[frame], 0), frame)

    def fill(a: Points, within: Points, frame: int) -> Points:
        rightward = common(load(from_left[frame], 0), within)
        leftward = common(load(from_right[frame], 0), within)
        while True:
            sides = union(common(up(a, 1), rightward), common(down(a, 1), leftward))
            ends = common(union(up(a, frame), down(a, frame)), within)
            grown = without(union(sides, ends), a)
            if any_bit(grown) == NONE:
                return a
            a = union(a, grown)

    return PointSets(load, store, single, union, common, without, is_empty, count, lowest, around, fill)


def _two() -> Any:  # noqa: ANN401 - a tuple of functions, typed by PointSets
    def load(state: State, at: int) -> Points:
        return (np.uint64(state[at]), np.uint64(state[at + 1]))

    def store(state: State, at: int, a: Points) -> None:
        state[at], state[at + 1] = a[0], a[1]

    def single(point: int) -> Points:
        return (part(point, 0), part(point, 1))

    def pairwise(each: Any) -> Any:  # noqa: ANN401
        def operation(a: Points, b: Points) -> Points:
            return (each(a[0], b[0]), each(a[1], b[1]))

        return operation

    def any_bit(a: Points) -> Any:  # noqa: ANN401 - a word
        return a[0] | a[1]

    def count(a: Points) -> int:
        return count_bits(a[0]) + count_bits(a[1])

    def up(a: Points, by: int) -> Points:
        return (a[0] << np.uint64(by), _high(a[0], a[1], by))

    def down(a: Points, by: int) -> Points:
        return (_low(a[0], a[1], by), a[1] >> np.uint64(by))

    return load, store, single, pairwise, any_bit, count, up, down


def _three() -> Any:  # noqa: ANN401
    def load(state: State, at: int) -> Points:
        return (np.uint64(state[at]), np.uint64(state[at + 1]), np.uint64(state[at + 2]))

    def store(state: State, at: int, a: Points) -> None:
        state[at], state[at + 1], state[at + 2] = a[0], a[1], a[2]

    def single(point: int) -> Points:
        return (part(point, 0), part(point, 1), part(point, 2))

    def pairwise(each: Any) -> Any:  # noqa: ANN401
        def operation(a: Points, b: Points) -> Points:
            return (each(a[0], b[0]), each(a[1], b[1]), each(a[2], b[2]))

        return operation

    def any_bit(a: Points) -> Any:  # noqa: ANN401 - a word
        return a[0] | a[1] | a[2]

    def count(a: Points) -> int:
        return count_bits(a[0]) + count_bits(a[1]) + count_bits(a[2])

    def up(a: Points, by: int) -> Points:
        return (a[0] << np.uint64(by), _high(a[0], a[1], by), _high(a[1], a[2], by))

    def down(a: Points, by: int) -> Points:
        return (_low(a[0], a[1], by), _low(a[1], a[2], by), a[2] >> np.uint64(by))

    return load, store, single, pairwise, any_bit, count, up, down


def _six() -> Any:  # noqa: ANN401
    def load(state: State, at: int) -> Points:
        left = (np.uint64(state[at]), np.uint64(state[at + 1]), np.uint64(state[at + 2]))
        return (*left, np.uint64(state[at + 3]), np.uint64(state[at + 4]), np.uint64(state[at + 5]))

    def store(state: State, at: int, a: Points) -> None:
        state[at], state[at + 1], state[at + 2] = a[0], a[1], a[2]
        state[at + 3], state[at + 4], state[at + 5] = a[3], a[4], a[5]

    def single(point: int) -> Points:
        left = (part(point, 0), part(point, 1), part(point, 2))
        return (*left, part(point, 3), part(point, 4), part(point, 5))

    def pairwise(each: Any) -> Any:  # noqa: ANN401
        def operation(a: Points, b: Points) -> Points:
            left = (each(a[0], b[0]), each(a[1], b[1]), each(a[2], b[2]))
            return (*left, each(a[3], b[3]), each(a[4], b[4]), each(a[5], b[5]))

        return operation

    def any_bit(a: Points) -> Any:  # noqa: ANN401 - a word
        return (a[0] | a[1] | a[2]) | (a[3] | a[4] | a[5])

    def count(a: Points) -> int:
        left = count_bits(a[0]) + count_bits(a[1]) + count_bits(a[2])
        return left + count_bits(a[3]) + count_bits(a[4]) + count_bits(a[5])

    def up(a: Points, by: int) -> Points:
        left = (a[0] << np.uint64(by), _high(a[0], a[1], by), _high(a[1], a[2], by))
        return (*left, _high(a[2], a[3], by), _high(a[3], a[4], by), _high(a[4], a[5], by))

    def down(a: Points, by: int) -> Points:
        left = (_low(a[0], a[1], by), _low(a[1], a[2], by), _low(a[2], a[3], by))
        return (*left, _low(a[3], a[4], by), _low(a[4], a[5], by), a[5] >> np.uint64(by))

    return load, store, single, pairwise, any_bit, count, up, down
