"""Connect Four for people: action names, the reason for a game's end, and the board on the page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludus.games.board import Board, Choice, Mark, Piece
from ludus.games.connect4.layout import COLUMNS, DIRECTIONS, HEIGHT, ROWS

if TYPE_CHECKING:
    from ludus.games.game import Position
    from ludus.games.rules import State


def action_text(state: State, action: int) -> str:  # noqa: ARG001
    """Return the column's number, 1 to 7 from the left, as in solvers' records."""
    return str(action + 1)


def winning_bits(state: State) -> int:
    """Return the cells of all fours on the board as bits."""
    found = 0
    for player in range(2):
        discs = int(state[player])
        for step in DIRECTIONS:
            four = discs & (discs >> step) & (discs >> 2 * step) & (discs >> 3 * step)
            found |= four | (four << step) | (four << 2 * step) | (four << 3 * step)
    return found


def reason(state: State) -> str:
    """Return why the game is over."""
    return "four in a line" if winning_bits(state) else "board full"


def describe(position: Position) -> Board:
    """Describe an upright grid; a click on any cell of a column drops a disc there."""
    state = position.state
    pieces: list[Piece] = []
    marks: list[Mark] = []
    won = winning_bits(state)
    before = position.parent.state if position.parent else state
    for column in range(COLUMNS):
        for height in range(ROWS):
            bit = 1 << (column * HEIGHT + height)
            at = (ROWS - 1 - height, column)
            for player in range(2):
                if int(state[player]) & bit:
                    pieces.append(Piece(at=at, shape="disc", owner=player))
                    if not int(before[player]) & bit:
                        marks.append(Mark(at=at, kind="last"))
            if won & bit:
                marks.append(Mark(at=at, kind="win"))
    choices = [
        Choice(action=action, text=action_text(state, action), kind="cell", at=(row, action))
        for action in position.actions
        for row in range(ROWS)
    ]
    labels = [str(column + 1) for column in range(COLUMNS)]
    return Board(
        rows=ROWS,
        columns=COLUMNS,
        style="drop",
        pieces=pieces,
        marks=marks,
        choices=choices,
        column_labels=labels,
        paints=("red", "yellow"),
    )
