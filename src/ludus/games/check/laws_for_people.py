"""Checks the laws `text` and `board`: a game's notation and descriptions.

Functions for people are plain Python and may return anything, so their results' types are checked first.
"""

import math
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import NoReturn

import msgspec
import numpy as np

from ludus.errors import BadInput
from ludus.games.blame import origin
from ludus.games.board import COLOURS, Board, Cell, Choice
from ludus.games.check.guard import Broken, Guarded, ask, line
from ludus.games.check.laws import REFUSE, Sight
from ludus.games.drawing import cells_of, draw
from ludus.games.game import Game, Position
from ludus.games.rules import ONGOING, State

NONSENSE = ("", "?", "zz99", "-1", "1.5", "a" * 200)

STYLES = ("squares", "checks", "drop", "points", "hexagons", "pits")
SIDES = ("right", "top")
SIDES_OF_HEXAGONS = ("right", "left", "top-left", "top-right", "bottom-left", "bottom-right")
MARKS = ("last", "win", "check", "star", "dead", "ko", "territory-0", "territory-1", "forbidden")
KINDS = ("cell", "right", "top", "button")
PLAYERS = (0, 1)
OWNERS = (0, 1, None)
MOST_IN_TRAYS = 40


def check_texts(game: Game, state: State, sight: Sight) -> None:
    """Check that legal actions have different texts, and that the author's parse_move() refuses nonsense."""
    names: dict[str, int] = {}
    for action in sight.legal:
        text = _text("text", "action_text", game.action_text, state, action)
        if text in names:
            raise Broken("text", f"actions {names[text]} and {action} are both written {text!r}")
        names[text] = action
    for text in NONSENSE if game.has_parse_move and not sight.is_over else ():
        try:
            answer = game.parse_move(state, text)
        except Exception as error:
            raised = origin(error)
            if isinstance(raised, BadInput):
                continue
            what = f"parse_move() raises {type(raised).__name__} on {text!r}{line(raised)}; {REFUSE}"
            raise Broken("text", what) from error
        read = _actions(text, answer)
        if not read or read[0] not in sight.legal:
            raise Broken("text", f"parse_move() reads {text!r} as {read}; {REFUSE}")


def check_move(rules: Guarded, begin: State, end: State, actions: list[int]) -> None:
    """Check that parse_move() reads the text of a whole move, which leads from `begin` to `end`."""
    text = _text("text", "move_text", rules.game.move_text, begin, actions)
    read = _actions(text, ask("text", "parse_move", rules.game.parse_move, begin, text))
    state = begin
    if all(0 <= action < rules.game.num_actions for action in read):
        for action in read:
            state = rules.play(state, action)
        if state.tobytes() == end.tobytes():
            return
        if read == actions:
            raise Broken("pure", f"replaying the same actions, {actions}, leads to another state")
    raise Broken("text", f"the move {actions} is written {text!r}, which parse_move() reads as {read}")


def check_moves(rules: Guarded, begin: State, sight: Sight, actions: Sequence[int]) -> None:
    """Check the texts of moves that consist of a single action."""
    for action in actions:
        end = rules.play(begin, action)
        if rules.number("outcome", end) != ONGOING or rules.number("to_play", end) != sight.to_play:
            check_move(rules, begin, end, [action])


def _text(law: str, name: str, function: Callable[..., object], *arguments: object) -> str:
    text = ask(law, name, function, *arguments)
    if not isinstance(text, str):
        raise Broken(law, f"{name}() returns {text!r}; it must return a string")
    return text


def _actions(text: str, answer: object) -> list[int]:
    if not isinstance(answer, (list, tuple)) or not all(isinstance(each, (int, np.integer)) for each in answer):
        wanted = "it must return a list of actions, or raise BadNotation"
        raise Broken("text", f"parse_move() returns {answer!r} for {text!r}; {wanted}")
    return [int(action) for action in answer]


def check_board(game: Game, position: Position, sight: Sight) -> None:
    """Check that a description can be drawn, offers exactly the legal actions, and puts nothing off the board."""
    board = _board(ask("board", "describe", game.describe, position))
    offered = {choice.action for choice in board.choices}
    if offered != set(sight.legal):
        wrong = sorted(offered ^ set(sight.legal))[0]
        raise Broken("board", f"describe() {'offers' if wrong in offered else 'does not offer'} action {wrong}")
    for choice in board.choices:
        if choice.text != game.action_text(position.state, choice.action):
            raise Broken("board", f"describe() calls action {choice.action} {choice.text!r}, action_text() does not")
        if fault := _fault(choice, board.style):
            raise Broken("board", f"the choice of action {choice.action} {fault}")
    placed = [("", thing.at) for thing in (*board.pieces, *board.marks, *board.labels)]
    placed += [("", at) for line in board.lines for at in line]
    placed += [(edge.side, edge.at) for edge in board.edges]
    placed += [(choice.kind.removeprefix("cell"), choice.at) for choice in board.choices if choice.at]
    placed += [("", choice.source) for choice in board.choices if choice.source]
    cells = {(row, column) for row, column in (place.at for place in cells_of(board))}
    if outside := [at for side, at in placed if not _is_on(board, cells, side, at)]:
        raise Broken("board", f"describe() puts something at {outside[0]}, off the board")
    try:
        draw(board)
    except Exception as error:
        what = f"describe() returns a board that cannot be drawn: {type(error).__name__}: {error}"
        raise Broken("board", what) from error
    if sight.is_over:
        _text("board", "reason", game.reason, position.state)


def _is_on(board: Board, cells: Collection[Cell], side: str, at: Cell) -> bool:
    """Return whether a cell is on the board or in a tray; or, with a side, whether that side touches a cell."""
    row, column = at
    if (row, column) in cells or not side:
        return (row, column) in cells or (row in (-1, board.rows) and 0 <= column < board.trays)
    return {"right": (row, column + 1), "top": (row - 1, column)}.get(side) in cells


def _fault(choice: Choice, style: str) -> str:
    kinds = [kind for kind in KINDS if style != "hexagons" or kind not in SIDES]
    if choice.kind not in kinds:
        return f"is of kind {choice.kind!r}; kinds are {', '.join(kinds)}"
    if choice.kind == "button":
        return "" if choice.label else "is a button without a label"
    return "" if choice.at else "names no cell to click"


def _board(answer: object) -> Board:
    """Return the result of describe() after checking the type of each part."""
    if not isinstance(answer, Board):
        raise Broken("board", f"describe() returns {answer!r}; it must return a ludus.Board")
    try:
        msgspec.convert(msgspec.to_builtins(answer, enc_hook=_refuse), Board)
    except msgspec.ValidationError as error:  # such as: Expected `str`, got `int` - at `$.row_labels[0]`
        what, _, where = str(error).partition(" - at ")
        raise Broken("board", f"describe() returns a board with wrong {where.strip('`$.')}: {what}") from error
    for what, value, known in _named(answer):
        if value not in known:
            raise Broken("board", f"describe() gives {what} {value!r}; it must be one of {known}")
    for what, labels, count in (
        ("rows", answer.row_labels, answer.rows),
        ("columns", answer.column_labels, answer.columns),
    ):
        if count < 0:
            raise Broken("board", f"describe() returns a board of {count} {what}")
        if labels and len(labels) != count:
            raise Broken("board", f"describe() gives {count} {what} {len(labels)} labels; give one label each, or none")
    if fault := _fault_of_cells(answer):
        raise Broken("board", f"describe() {fault}")
    if not all(piece.shape for piece in (*answer.pieces, *answer.captured)):
        raise Broken("board", "describe() returns a piece whose shape is empty; name one, such as 'stone'")
    return answer


def _fault_of_cells(board: Board) -> str:
    """Return what is wrong with the board's own cells, lines and trays; "" if nothing is."""
    known = {tuple(place.at) for place in board.cells}
    if board.cells and board.style == "drop":
        return "gives cells to a board of style 'drop', which has all cells of its rectangle"
    if outside := [at for at in known if not (0 <= at[0] < board.rows and 0 <= at[1] < board.columns)]:
        return f"gives a cell at {outside[0]}, beyond {board.rows} rows and {board.columns} columns"
    if len(known) < len(board.cells):
        return "gives two cells the same row and column"
    for place in board.cells:
        if min(place.size) <= 0 or not all(map(math.isfinite, (*place.size, *(place.centre or ())))):
            return f"gives the cell at {place.at} the size {place.size} and the centre {place.centre}"
    if not 0 <= board.trays <= MOST_IN_TRAYS:
        return f"gives trays of {board.trays} cells; they have {MOST_IN_TRAYS} at most"
    if any(len(line) < 2 for line in board.lines):
        return "gives a line through fewer than two cells"
    return "gives both sides the same colour" if board.paints[0] == board.paints[1] else ""


def _refuse(thing: object) -> NoReturn:
    what = f"{thing!r}, of type {type(thing).__name__}"
    raise Broken("board", f"describe() puts {what}, into the board; make it plain with int(...), str(...) or list(...)")


def _named(board: Board) -> Iterator[tuple[str, object, Sequence[object]]]:
    """Yield the name, the value and the allowed values of each part of a board that has a list of allowed values."""
    yield "style", board.style, STYLES
    for colour in board.paints:
        yield "a side the colour", colour, COLOURS
    for player, owner in enumerate(board.colours):
        yield f"player {player} the colour", owner, OWNERS
    yield "the next piece the colour", board.next_colour, OWNERS
    for piece in board.pieces:
        yield f"the piece at {piece.at} the owner", piece.owner, OWNERS
    for edge in board.edges:
        yield f"the edge at {edge.at} the side", edge.side, SIDES_OF_HEXAGONS if board.style == "hexagons" else SIDES
        yield f"the edge at {edge.at} the owner", edge.owner, OWNERS
    for mark in board.marks:
        yield f"the mark at {mark.at} the kind", mark.kind, MARKS
    for captured in board.captured:
        yield f"captured {captured.shape}s the taker", captured.by, PLAYERS
        yield f"captured {captured.shape}s the owner", captured.owner, OWNERS
