"""Point names: columns a, b, c ... from the left (including i), rows 1, 2, 3 ... from the bottom."""

import re
from collections.abc import Callable

from ludus.errors import BadNotation, IllegalMove
from ludus.games.calls import Calls
from ludus.games.gomoku.layout import PUT_TWO, SIZE, STAGE, TAKE_BLACK
from ludus.games.packed import read_field
from ludus.games.rules import State

COLUMNS = "abcdefghijklmnopqrst"
CHOICES = {"black": TAKE_BLACK, "two": PUT_TWO}
"""Actions of swap2 besides cells: take Black, or put two more stones; choosing a cell means to play White."""
STAGES = ("", "the first three stones", "a choice", "two more stones", "a choice")


def cell_text(size: int, cell: int) -> str:
    """Return the name of a cell."""
    return f"{COLUMNS[cell % size]}{size - cell // size}"


def read_cell(size: int, text: str) -> int:
    """Return the cell of a name; raise BadNotation if there is none."""
    found = re.fullmatch(r"([a-t])([1-9][0-9]?)", text.strip().lower(), re.ASCII)
    if not found or COLUMNS.index(found[1]) >= size or int(found[2]) > size:
        last = f"{COLUMNS[size - 1]}{size}"
        raise BadNotation(f"gomoku: {text.strip()[:40]!r} names no point; points are a1 to {last}.")
    return (size - int(found[2])) * size + COLUMNS.index(found[1])


def action_text(state: State, action: int) -> str:
    """Return the notation of one action."""
    size = read_field(state, SIZE)
    return cell_text(size, action) if action < size * size else list(CHOICES)[action - size * size]


def parser(calls: Callable[[], Calls]) -> Callable[[State, str], list[int]]:
    """Return the function `parse_move`, which reads actions joined by dots, such as the three stones of an opening."""

    def parse_move(state: State, text: str) -> list[int]:
        size = read_field(state, SIZE)
        actions: list[int] = []
        for part in text.strip().lower().split("."):
            if actions and calls().outcome(state):
                raise IllegalMove(f"gomoku: {part!r} comes after the end of the game.")
            choice = CHOICES.get(part)
            action = read_cell(size, part) if choice is None else size * size + choice
            if action not in calls().legal(state):
                stage = STAGES[read_field(state, STAGE)]
                here = f"in the opening ({stage})" if stage and choice is not None else "here"
                why = f"may not be chosen {here}" if choice is not None else "is taken"
                raise IllegalMove(f"gomoku: {part} {why}.")
            state = calls().play(state, action)
            actions.append(action)
        return actions

    return parse_move
