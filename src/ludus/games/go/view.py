"""Access to a Go state for people: stones by cell, and points and moves by name (`D4`, `pass`).

While dead stones are marked, the name of a stone's point marks its group.
"""

import re

import numpy as np

from ludus.errors import BadNotation, IllegalMove
from ludus.games.board import Cell
from ludus.games.calls import Calls
from ludus.games.go.layout import BLACK, FRAME, KO, SETS, SIZE, WHITE, width_of
from ludus.games.packed import read_field
from ludus.games.rules import State

COLUMNS = "ABCDEFGHJKLMNOPQRST"
"""Column letters from the left; there is no I."""
VERTEX = re.compile(r"([A-HJ-Ta-hj-t])([1-9][0-9]?)", re.ASCII)
COLOURS = ("black", "white")


def size_of(state: State) -> int:
    """Return the side of the board."""
    return read_field(state, SIZE)


def points_of(state: State, number: int) -> list[int]:
    """Return the points of a set in a state, in order."""
    width = width_of(read_field(state, FRAME))
    first = SETS + number * width
    words = [int(word) for word in state[first : first + width]]
    return [64 * index + bit for index, word in enumerate(words) for bit in range(64) if word >> bit & 1]


def write_points(state: State, number: int, points: list[int]) -> None:
    """Replace a set in a state."""
    width = width_of(read_field(state, FRAME))
    words = [0] * width
    for point in points:
        words[point // 64] |= 1 << point % 64
    first = SETS + number * width
    state[first : first + width] = np.array(words, np.uint64)


def cell_of(state: State, point: int) -> Cell:
    """Return a point's cell: row from the top, column."""
    return divmod(point, read_field(state, FRAME))


def point_of(state: State, cell: Cell) -> int:
    """Return the number of the point at a cell: row from the top, column."""
    return cell[0] * read_field(state, FRAME) + cell[1]


def stones_of(state: State) -> dict[Cell, int]:
    """Return the owner of the stone on each occupied cell."""
    return {
        cell_of(state, point): player
        for player, number in enumerate((BLACK, WHITE))
        for point in points_of(state, number)
    }


def vertex(cell: Cell, size: int) -> str:
    """Return the name of a cell: the column's letter and the row's number from the bottom, such as `D4`."""
    return f"{COLUMNS[cell[1]]}{size - cell[0]}"


def cell_named(text: str, size: int) -> Cell:
    """Return the cell of a name; raise BadNotation if the board has no such point."""
    found = VERTEX.fullmatch(text.strip())
    cell = (size - int(found[2]), COLUMNS.index(found[1].upper())) if found else (-1, -1)
    if not (0 <= cell[0] < size and 0 <= cell[1] < size):
        raise BadNotation(
            f"{text[:20]!r} is not a point of a board of {size}x{size}; points are A1 to {vertex((0, size - 1), size)}."
        )
    return cell


PASS = "pass"


def pass_action(state: State) -> int:
    """Return the number of the pass."""
    return read_field(state, FRAME) ** 2


def action_text(state: State, action: int) -> str:
    """Return a point's name, or `pass`."""
    return PASS if action == pass_action(state) else vertex(cell_of(state, action), size_of(state))


def action_named(state: State, text: str) -> int:
    """Return the action of a name, legal or not; raise BadNotation for an unknown name."""
    if text.strip().lower() == PASS:
        return pass_action(state)
    return point_of(state, cell_named(text, size_of(state)))


def parse_move(calls: Calls, state: State, text: str) -> list[int]:
    """Return the actions of a move text; raise BadNotation or IllegalMove.

    A move of several actions, such as free handicap stones or marks of dead stones, has dots between them.
    """
    actions: list[int] = []
    for part in text.split("."):
        try:
            action = action_named(state, part)
        except BadNotation as error:
            raise BadNotation(f"{str(error).rstrip('.')}, or pass.") from error
        if action not in calls.legal(state):
            raise IllegalMove(f"{part.strip()} may not be played here: {why_not(state, action)}.")
        actions.append(action)
        state = calls.play(state, action)
    return actions


def why_not(state: State, action: int) -> str:
    """Return why an action may not be played."""
    if action == pass_action(state):
        return "a pass is not allowed yet"
    if cell_of(state, action) in stones_of(state):
        return "the point is occupied"
    if action + 1 == read_field(state, KO):
        return "a ko may not be retaken at once"
    return "it would be suicide, or repeat a position"
