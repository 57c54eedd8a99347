"""Describes Gomoku positions for people: stones, the last one, the winning line, and forbidden points."""

from collections.abc import Callable

from ludus.games.board import Board, Cell, Choice, Mark, Piece
from ludus.games.game import Position
from ludus.games.gomoku import layout
from ludus.games.gomoku.forbidden import forbidden_cells
from ludus.games.gomoku.lines import CENTRES, one_window, runs, windows
from ludus.games.gomoku.notation import CHOICES, COLUMNS, action_text
from ludus.games.gomoku.rules import is_exact, wins
from ludus.games.gomoku.start import cells_of
from ludus.games.packed import read_field
from ludus.games.rules import DRAW, State

FORBIDDEN_POINT = "forbidden point"
LEAST_WITH_STARS, LEAST_WITH_WIDE_STARS = 9, 13  # smallest boards with star points, and with them on the fourth line
BUTTONS = {"black": "Take Black", "two": "Put two more"}

NOTES = {
    layout.THREE: "Put two black stones and a white one; the other player then chooses a side.",
    layout.CHOICE: "Take Black, play a white stone, or put two more stones.",
    layout.TWO_MORE: "Put a white stone and a black one; the other player then chooses a side.",
    layout.LAST_CHOICE: "Take Black, or play a white stone.",
}
"""The instruction shown at each stage of an opening."""


def winning_cells(state: State) -> list[int]:
    """Return the cells of all winning fives, in order."""
    size, rule = read_field(state, layout.SIZE), read_field(state, layout.RULE)
    found: set[int] = set()
    for colour in range(2):
        for cell in cells_of(state, colour):
            if not wins(state, cell, colour, rule):
                continue
            run = runs(windows(state, cell, colour) | CENTRES)
            for direction in range(4):
                line = one_window(run, direction)
                if line.bit_count() == 5 or (line.bit_count() > 5 and not is_exact(rule, colour)):
                    steps = [bit - layout.NEAR for bit in range(2 * layout.NEAR + 1) if line >> bit & 1]
                    onward = layout.DOWN[direction] * size + layout.RIGHT[direction]
                    found.update(cell + step * onward for step in steps)
    return sorted(found)


def reason(state: State) -> str:
    """Return why a finished game is over."""
    if read_field(state, layout.RESULT) == DRAW:
        return "board full"
    return "five in a row" if winning_cells(state) else FORBIDDEN_POINT


def colours(state: State) -> tuple[int | None, int | None]:
    """Return the colour of each player's stones; None until an opening has decided it."""
    if read_field(state, layout.STAGE) != layout.PLAY:
        return None, None
    as_seated = read_field(state, layout.PLAYER) == read_field(state, layout.COLOUR)
    return (layout.BLACK_STONE, layout.WHITE_STONE) if as_seated else (layout.WHITE_STONE, layout.BLACK_STONE)


def star_cells(size: int) -> list[Cell]:
    """Return the star points: near the corners, and the centre of an odd board."""
    if size < LEAST_WITH_STARS:
        return []
    near = 2 if size < LEAST_WITH_WIDE_STARS else 3
    corners = [(row, column) for row in (near, size - 1 - near) for column in (near, size - 1 - near)]
    return [*corners, (size // 2, size // 2)] if size % 2 else corners


def describer(size: int, rule: int) -> Callable[[Position], Board]:
    """Return the function `describe`: a click on a point puts a stone there; an opening's choices are buttons."""
    at: list[Cell] = [(cell // size, cell % size) for cell in range(size * size)]

    def describe(position: Position) -> Board:
        state = position.state
        pieces = [
            Piece(at=at[cell], shape="stone", owner=colour) for colour in range(2) for cell in cells_of(state, colour)
        ]
        marks = [Mark(at=cell, kind="star") for cell in star_cells(size)]
        if position.action is not None and position.action < len(at):
            marks.append(Mark(at=at[position.action], kind="last"))
        if position.outcome:
            marks += [Mark(at=at[cell], kind="win") for cell in winning_cells(state)]
            if position.outcome.reason == FORBIDDEN_POINT and position.action is not None:
                marks.append(Mark(at=at[position.action], kind="forbidden"))
        elif rule == layout.RENJU and read_field(state, layout.COLOUR) == layout.BLACK_STONE:
            marks += [Mark(at=at[cell], kind="forbidden") for cell in forbidden_cells(state)]
        return Board(
            rows=size,
            columns=size,
            style="points",
            pieces=pieces,
            marks=marks,
            choices=[_choice(action, action_text(state, action), at) for action in position.actions],
            column_labels=list(COLUMNS[:size]),
            row_labels=[str(row) for row in range(size, 0, -1)],
            note="" if position.outcome else NOTES.get(read_field(state, layout.STAGE), ""),
            colours=colours(state),
            next_colour=read_field(state, layout.COLOUR),
            paints=("black", "white"),
        )

    return describe


def _choice(action: int, text: str, at: list[Cell]) -> Choice:
    if text in CHOICES:
        return Choice(action=action, text=text, kind="button", label=BUTTONS[text])
    return Choice(action=action, text=text, kind="cell", at=at[action])
