"""A state of Go as people see it: stones by cell, what the rules remember, and the names of points."""

import re

import numpy as np

from ludus.errors import BadNotation
from ludus.games.board import Cell
from ludus.games.go.layout import BLACK, FRAME, RULES, SETS, SIZE, WHITE, width_of
from ludus.games.packed import Field, field, with_field
from ludus.games.rules import State

COLUMNS = "ABCDEFGHJKLMNOPQRST"
"""Of the board, from the left: there is no I."""
VERTEX = re.compile(r"([A-HJ-Ta-hj-t])([1-9][0-9]?)", re.ASCII)
COLOURS = ("black", "white")


def rule(state: State, where: Field, word: int = RULES) -> int:
    """Return a field of a word of the state."""
    return field(np.uint64(state[word]), where)


def set_rule(state: State, where: Field, value: int, word: int = RULES) -> None:
    """Change a field of a word of the state."""
    state[word] = with_field(np.uint64(state[word]), where, value)


def size_of(state: State) -> int:
    """Return the side of the board."""
    return rule(state, SIZE)


def points_of(state: State, number: int) -> list[int]:
    """Return the points of one of the sets of a state, in order."""
    width = width_of(rule(state, FRAME))
    first = SETS + number * width
    words = [int(word) for word in state[first : first + width]]
    return [64 * index + bit for index, word in enumerate(words) for bit in range(64) if word >> bit & 1]


def write_points(state: State, number: int, points: list[int]) -> None:
    """Replace one of the sets of a state."""
    width = width_of(rule(state, FRAME))
    words = [0] * width
    for point in points:
        words[point // 64] |= 1 << point % 64
    first = SETS + number * width
    state[first : first + width] = np.array(words, np.uint64)


def cell_of(state: State, point: int) -> Cell:
    """Return (row from the top, column) of a point."""
    return divmod(point, rule(state, FRAME))


def point_of(state: State, cell: Cell) -> int:
    """Return the number of the point at (row from the top, column)."""
    return cell[0] * rule(state, FRAME) + cell[1]


def stones_of(state: State) -> dict[Cell, int]:
    """Return who owns the stone on each cell that has one."""
    return {
        cell_of(state, point): player
        for player, number in enumerate((BLACK, WHITE))
        for point in points_of(state, number)
    }


def vertex(cell: Cell, size: int) -> str:
    """Return the name of a cell: the column's letter and the row's number from the bottom, such as `D4`."""
    return f"{COLUMNS[cell[1]]}{size - cell[0]}"


def cell_named(text: str, size: int) -> Cell:
    """Return the cell of a name; raise BadNotation if the board has none of that name."""
    found = VERTEX.fullmatch(text.strip())
    cell = (size - int(found[2]), COLUMNS.index(found[1].upper())) if found else (-1, -1)
    if not (0 <= cell[0] < size and 0 <= cell[1] < size):
        raise BadNotation(
            f"{text[:20]!r} is no point of a board of {size}x{size}; points are A1 to {vertex((0, size - 1), size)}."
        )
    return cell
