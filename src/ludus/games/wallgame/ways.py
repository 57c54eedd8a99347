"""Shortest paths between two cells: their length, their cells and their bottlenecks."""

from collections.abc import Callable
from functools import cache
from typing import NamedTuple

import numpy as np

from ludus.games.wallgame.walls import walls
from ludus.games.wallgame.words import NONE, Cells, words
from ludus.kernel import count_bits


class Ways(NamedTuple):
    """Flood fills on sets of cells; `right`, `down` are the open passages, `rows` the rows of the frame."""

    distance: Callable[[Cells, Cells, int, Cells, Cells], int]
    """distance(right, down, rows, start, goal): the length of the shortest paths, or -1 if there is none."""
    measure: Callable[[Cells, Cells, int, Cells, Cells, np.ndarray], int]
    """measure(right, down, rows, start, goal, levels): the length of the shortest paths, which must exist; fills
    `levels` with the cells at each smaller distance from the start."""
    narrows: Callable[[Cells, Cells, int, Cells, np.ndarray, int], tuple[Cells, Cells, Cells, Cells, Cells]]
    """narrows(right, down, rows, goal, levels, distance): the passages (right, down) that all shortest paths use, those
    that are one of two at their distance, and the cells on shortest paths."""


def size(cells: Cells) -> int:
    """Return the number of cells in a set."""
    count = 0
    for word in range(len(cells)):
        count += count_bits(cells[word])
    return count


@cache
def ways(width: int) -> Ways:
    """Build the flood fills for sets of cells in `width` words."""
    _, load, _, union, common, without, _, _, meet = words(width)
    neighbours, _, between, _, _, _ = walls(width)
    empty: Cells = (NONE,) * width

    def distance(right: Cells, down: Cells, rows: int, start: Cells, goal: Cells) -> int:
        seen, front = start, start
        steps = 0
        while not meet(front, goal):
            front = without(neighbours(front, right, down, rows), seen)
            if not meet(front, front):
                return -1
            seen = union(seen, front)
            steps += 1
        return steps

    def measure(right: Cells, down: Cells, rows: int, start: Cells, goal: Cells, levels: np.ndarray) -> int:
        seen, front = start, start
        steps = 0
        while not meet(front, goal):
            for word in range(width):
                levels[steps * width + word] = front[word]
            front = without(neighbours(front, right, down, rows), seen)
            seen = union(seen, front)
            steps += 1
        return steps

    def narrows(
        right: Cells, down: Cells, rows: int, goal: Cells, levels: np.ndarray, distance: int
    ) -> tuple[Cells, Cells, Cells, Cells, Cells]:
        only_right, only_down, two_right, two_down = empty, empty, empty, empty
        here, cells = goal, goal
        for nearer in range(distance - 1, -1, -1):
            there = common(neighbours(here, right, down, rows), load(levels, nearer * width))
            ways_right, ways_down = between(here, there, right, rows), between(here, there, down, 1)
            number = size(ways_right) + size(ways_down)
            if number == 1:
                only_right, only_down = union(only_right, ways_right), union(only_down, ways_down)
            elif number == 2:
                two_right, two_down = union(two_right, ways_right), union(two_down, ways_down)
            here, cells = there, union(cells, there)
        return only_right, only_down, two_right, two_down, cells

    return Ways(distance, measure, narrows)
