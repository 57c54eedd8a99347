"""Finds all legal walls at once, as the passages that no cat depends on.

A wall is illegal if it cuts a cat's last path to its goal: its passage is a bridge of the graph of open passages, and
lies on a path between the two cells.  The walls reveal the bridges.  Call the corners of cells *posts*; a wall joins
two posts, and all posts on the border count as one.  A passage is a bridge exactly if walls already join its two posts,
because one more wall then closes a ring around some cells.

1. A passage on an open ring of four cells is no bridge.  If such passages alone lead from cat to goal, no wall can cut
   them off; this takes a few shifts and one flood from both ends.
2. Otherwise, a flood along the walls finds the posts connected to the border.  A bridge lies on a path between two
   cells exactly if it lies on a shortest path, and two floods find the passages of all shortest paths.  Those with
   both posts on the border are cuts; those with both posts on islands of walls are examined one by one.
"""

from collections.abc import Callable
from functools import cache
from typing import NamedTuple

from ludus.games.packed import ONE
from ludus.games.wallgame.words import ALL, NONE, Cells, words
from ludus.kernel import lowest_bit

Passages = tuple[Cells, Cells]  # sets of passages to the right and down


class Walls(NamedTuple):
    """Flood fills on sets of cells; `right`, `down` are the open passages, `rows` the rows of the frame."""

    neighbours: Callable[[Cells, Cells, Cells, int], Cells]
    """neighbours(cells, right, down, rows): the cells one step away from `cells`."""
    joined: Callable[[Cells, Cells, int, Cells, Cells], bool]
    """joined(right, down, rows, a, b): whether a path leads from the cell `a` to the cell `b`."""
    between: Callable[[Cells, Cells, Cells, int], Cells]
    """between(a, b, passages, step): the passages of one direction that lead from `a` to `b` or back."""
    rings: Callable[[Cells, Cells, int], Passages]
    """rings(right, down, rows): the passages on open rings of four cells."""
    bridges: Callable[[Cells, Cells, int, int, int], tuple[Cells, Cells, Cells, Cells]]
    """bridges(right, down, rows, board_rows, board_columns): the bridges (right, down) between posts on the border, and
    the passages between posts on islands of walls, which may be bridges."""
    cuts: Callable[[Cells, Cells, int, tuple[Cells, Cells, Cells, Cells], Cells, Cells], Passages]
    """cuts(right, down, rows, bridges, start, goal): the passages that every path from `start` to `goal` uses."""


@cache
def walls(width: int) -> Walls:  # noqa: C901 - six functions that share their operations
    """Build the flood fills and cuts for sets of cells in `width` words."""
    _, _, single, union, common, without, up, down_by, meet = words(width)
    empty: Cells = (NONE,) * width
    everything: Cells = (ALL,) * width
    first = single(0)

    def neighbours(cells: Cells, right: Cells, down: Cells, rows: int) -> Cells:
        sideways = union(up(common(cells, right), rows), common(down_by(cells, rows), right))
        upright = union(up(common(cells, down), 1), common(down_by(cells, 1), down))
        return union(sideways, upright)

    def joined(right: Cells, down: Cells, rows: int, a: Cells, b: Cells) -> bool:
        while not meet(a, b):  # flood from both ends
            new_a = without(neighbours(a, right, down, rows), a)
            new_b = without(neighbours(b, right, down, rows), b)
            if not meet(new_a, new_a) or not meet(new_b, new_b):
                return False
            a, b = union(a, new_a), union(b, new_b)
        return True

    def between(a: Cells, b: Cells, passages: Cells, step: int) -> Cells:
        return common(union(common(a, down_by(b, step)), common(b, down_by(a, step))), passages)

    def rings(right: Cells, down: Cells, rows: int) -> Passages:
        ring = common(common(right, down_by(right, 1)), common(down, down_by(down, rows)))  # bit of the top left cell
        return common(right, union(ring, up(ring, 1))), common(down, union(ring, up(ring, rows)))

    # A post has the number of the cell at whose lower right corner it is.  A wall on the right of cell c joins posts c
    # - 1 and c, a wall below it posts c - rows and c; posts of the left and upper border have no number.
    def fence(right: Cells, down: Cells, rows: int) -> Passages:
        """Return the walls as a graph: its nodes are the corners of cells (posts), and each wall joins two of them."""
        return down_by(without(everything, down), rows), down_by(without(everything, right), 1)

    def bridges(
        right: Cells, down: Cells, rows: int, board_rows: int, board_columns: int
    ) -> tuple[Cells, Cells, Cells, Cells]:
        column, inner, left = empty, empty, empty
        for _ in range(board_rows - 1):
            column = union(up(column, 1), first)
        for _ in range(board_columns - 1):
            inner = union(up(inner, rows), column)  # posts inside the border
        for _ in range(rows):
            left = union(up(left, 1), first)
        along, across = fence(right, down, rows)
        front = union(without(everything, inner), union(without(left, down), without(first, right)))
        anchored = front
        while meet(front, front):
            front = without(neighbours(front, along, across, rows), anchored)
            anchored = union(anchored, front)
        walled_right, walled_down = without(everything, right), without(everything, down)
        touched = union(union(walled_right, along), union(walled_down, across))
        island = without(touched, anchored)
        return (
            common(common(right, anchored), union(up(anchored, 1), first)),
            common(common(down, anchored), union(up(anchored, rows), left)),
            common(common(right, island), up(island, 1)),
            common(common(down, island), up(island, rows)),
        )

    def cuts(
        right: Cells, down: Cells, rows: int, bridges: tuple[Cells, Cells, Cells, Cells], start: Cells, goal: Cells
    ) -> Passages:
        # The cells whose distance from the goal, modulo 3, equals that of the flood's front, one less, and one more.
        here, before, after = goal, empty, empty
        seen, front = goal, goal
        while not meet(front, start):
            front = without(neighbours(front, right, down, rows), seen)
            seen = union(seen, front)
            here, before, after = union(after, front), here, before
        way_right, way_down = empty, empty
        front = start
        while not meet(front, goal):
            nearer = common(neighbours(front, right, down, rows), before)
            way_right = union(way_right, between(front, nearer, right, rows))
            way_down = union(way_down, between(front, nearer, down, 1))
            here, before, after = before, after, here
            front = nearer
        bridge_right, bridge_down, island_right, island_down = bridges
        along, across = fence(right, down, rows)
        return (
            union(common(way_right, bridge_right), closing(common(way_right, island_right), along, across, rows, 1)),
            union(common(way_down, bridge_down), closing(common(way_down, island_down), along, across, rows, rows)),
        )

    def closing(suspects: Cells, along: Cells, across: Cells, rows: int, step: int) -> Cells:
        """Return the suspects whose two posts, `step` apart, are joined by walls."""
        found = empty
        for word in range(width):
            bits = suspects[word]
            while bits != NONE:
                cell = 64 * word + lowest_bit(bits)
                bits &= bits - ONE
                if joined(along, across, rows, single(cell - step), single(cell)):
                    found = union(found, single(cell))
        return found

    return Walls(neighbours, joined, between, rings, bridges, cuts)
