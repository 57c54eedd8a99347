"""Which walls may be built: all slots at once, by looking for the passages that a path cannot do without.

A wall is illegal if it would cut the last path from a cat to what it hunts.  Such a passage is a bridge of the graph of
open passages, and it lies on every path between the two cells, so:

1. A passage on an open ring of four cells is no bridge.  Rings are found for all passages by a few shifts; if they
   alone join cat and goal, nothing can cut them off (the usual case: one flood from both ends).
2. Otherwise only passages of one shortest path can be bridges.  A flood from the cat that does not use the path is let
   past the farthest path cell it has reached, again and again; where it reaches nothing new, the next step is a bridge.
"""

from collections.abc import Callable
from functools import cache
from typing import NamedTuple

import numpy as np

from ludus.games.wallgame.words import NONE, Cells, words


class Walls(NamedTuple):
    """Floods and cuts on sets of one width; `right`, `down` are the open passages, `rows` the rows of the frame."""

    neighbours: Callable[[Cells, Cells, Cells, int], Cells]
    """neighbours(cells, right, down, rows): the cells one step away from `cells`."""
    rings: Callable[[Cells, Cells, int], tuple[Cells, Cells]]
    """rings(right, down, rows): the passages that lie on an open ring of four cells."""
    joined: Callable[[Cells, Cells, int, Cells, Cells], bool]
    """joined(right, down, rows, start, goal): whether a path leads from the cell `start` to the cell `goal`."""
    cuts: Callable[[Cells, Cells, int, Cells, Cells], tuple[Cells, Cells]]
    """cuts(right, down, rows, start, goal): the passages that every path between the cells uses; one must exist."""


@cache
def walls(width: int) -> Walls:  # noqa: C901 - four rules that share their operations
    """Return the wall rules for sets of `width` words."""
    _, load, _, union, common, without, up, down_by, meet = words(width)
    empty: Cells = (NONE,) * width

    def neighbours(cells: Cells, right: Cells, down: Cells, rows: int) -> Cells:
        sideways = union(up(common(cells, right), rows), common(down_by(cells, rows), right))
        upright = union(up(common(cells, down), 1), common(down_by(cells, 1), down))
        return union(sideways, upright)

    def rings(right: Cells, down: Cells, rows: int) -> tuple[Cells, Cells]:
        ring = common(common(right, down_by(right, 1)), common(down, down_by(down, rows)))  # by its top left cell
        return union(ring, up(ring, 1)), union(ring, up(ring, rows))

    def joined(right: Cells, down: Cells, rows: int, start: Cells, goal: Cells) -> bool:
        here, there = start, goal  # two floods that go to meet each other
        while not meet(here, there):
            new_here = without(neighbours(here, right, down, rows), here)
            new_there = without(neighbours(there, right, down, rows), there)
            if not meet(new_here, new_here) or not meet(new_there, new_there):
                return False
            here, there = union(here, new_here), union(there, new_there)
        return True

    def between(a: Cells, b: Cells, right: Cells, down: Cells, rows: int) -> tuple[Cells, Cells]:
        pair = union(a, b)
        return common(common(pair, down_by(pair, rows)), right), common(common(pair, down_by(pair, 1)), down)

    def one_of(cell: Cells, targets: Cells, right: Cells, down: Cells, rows: int) -> Cells:
        step = common(up(common(cell, right), rows), targets)
        if not meet(step, step):
            step = common(common(down_by(cell, rows), right), targets)
        if not meet(step, step):
            step = common(up(common(cell, down), 1), targets)
        if not meet(step, step):
            step = common(common(down_by(cell, 1), down), targets)
        return step

    def cuts(right: Cells, down: Cells, rows: int, start: Cells, goal: Cells) -> tuple[Cells, Cells]:
        levels = np.empty(64 * width * width, np.uint64)  # [distance to the goal, W] the cells at that distance
        seen, front = goal, goal
        length = 0
        while not meet(front, start):
            for word in range(width):
                levels[length * width + word] = front[word]
            front = without(neighbours(front, right, down, rows), seen)
            seen = union(seen, front)
            length += 1

        # One shortest path: from now on a level is the path's cell there, and the path's passages are closed.
        off_right, off_down = right, down
        cell = start
        for distance in range(length, 0, -1):
            for word in range(width):
                levels[distance * width + word] = cell[word]
            step = one_of(cell, load(levels, (distance - 1) * width), right, down, rows)
            passage_right, passage_down = between(cell, step, right, down, rows)
            off_right, off_down = without(off_right, passage_right), without(off_down, passage_down)
            cell = step

        cut_right, cut_down = empty, empty
        reached, front = start, start
        at = length  # the path cell nearest to the goal that can be reached
        while at > 0:
            while meet(front, front):
                front = without(neighbours(front, off_right, off_down, rows), reached)
                reached = union(reached, front)
            far = 0
            while not meet(reached, load(levels, far * width)):
                far += 1
            if far == at:
                far = at - 1
                bridge_right, bridge_down = between(
                    load(levels, at * width), load(levels, far * width), right, down, rows
                )
                cut_right, cut_down = union(cut_right, bridge_right), union(cut_down, bridge_down)
            for distance in range(far, at):
                front = union(front, load(levels, distance * width))
            front = without(front, reached)
            reached = union(reached, front)
            at = far
        return cut_right, cut_down

    return Walls(neighbours, rings, joined, cuts)
