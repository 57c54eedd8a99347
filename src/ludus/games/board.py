"""The description of a board for people: what stands where and what may be clicked; no rules, no pixels.

Cells are `(row, column)` with row 0 on top.  A page or a terminal draws any game from this alone.
"""

from collections.abc import Mapping

import msgspec

Cell = tuple[int, int]  # row from the top, column from the left


class Piece(msgspec.Struct, frozen=True):
    """A piece on a cell."""

    at: Cell
    shape: str
    """What it looks like: disc, cross, nought, cat, mouse, home, stone, king ..."""
    owner: int | None = None
    """Player 0 or 1, unless the board's `colours` say that players have changed them; None for neutral."""


class Edge(msgspec.Struct, frozen=True):
    """A wall on the right side or on the top side of a cell."""

    at: Cell
    """Column -1 has the board's left side on its right, row `rows` the board's bottom on top."""
    side: str
    """`right` or `top`."""
    owner: int | None = None


class Mark(msgspec.Struct, frozen=True):
    """A highlighted cell."""

    at: Cell
    kind: str
    """`last` (the latest action), `win` (part of a winning line), `check` (a threatened piece), `star` (a dot), `dead`,
    `ko`, `territory-0`, `territory-1`, `forbidden` (a point where the mover may not play)."""


class Choice(msgspec.Struct, frozen=True):
    """One legal action and where a person clicks for it."""

    action: int
    text: str
    """The action in the game's notation."""
    kind: str
    """`cell` (click the cell), `right` or `top` (click that side of the cell), `button` (a labelled button)."""
    at: Cell | None = None
    """As an edge's, for a side."""
    source: Cell | None = None
    """The piece that moves, where the player must say which: click it first, or drag it."""
    label: str | None = None
    """The text of a button."""
    move: str | None = None
    """As the list of moves has it, where that is not `text`: SAN beside UCI notation."""


class Captured(msgspec.Struct, frozen=True):
    """Pieces of one shape that a player has taken off the board."""

    by: int
    """The player who took them."""
    shape: str
    owner: int | None
    """Whose they were."""
    count: int


class Board(msgspec.Struct, frozen=True):
    """Everything that a page needs to draw one position and to turn clicks into actions."""

    rows: int
    columns: int
    style: str
    """`squares` (pieces inside cells), `checks` (the same without gaps, light and dark), `drop` (a standing rack of
    holes), `points` (stones on crossings)."""
    pieces: list[Piece] = []
    edges: list[Edge] = []
    marks: list[Mark] = []
    choices: list[Choice] = []
    column_labels: list[str] = []
    row_labels: list[str] = []
    """From the top row down."""
    captured: list[Captured] = []
    """In the order in which they are shown."""
    note: str = ""
    """What a player should know who cannot tell it from the board, in a sentence."""
    opposite: bool = False
    """Whether the second player sits on the other side of the board and sees it turned round."""
    colours: tuple[int | None, int | None] = (0, 1)
    """By player, the `owner` of their pieces: `(1, 0)` once players have changed colours, None while that is open."""
    next_colour: int | None = None
    """The `owner` of the piece that is put next, where it is not simply the mover's."""


def draw(board: Board, signs: Mapping[Cell, str] | None = None) -> str:
    """Draw a board with plain characters, for terminals and tests; one without cells is the list of its choices.

    Args:
        board: what is drawn.
        signs: characters that stand before what is on a cell.
    """
    if not board.rows and board.choices:
        return f"moves: {' '.join(str(choice.text) for choice in board.choices)}"
    symbols = {(piece.at): _symbol(piece) for piece in board.pieces}
    right = {edge.at for edge in board.edges if edge.side == "right"}
    top = {edge.at for edge in board.edges if edge.side == "top"}
    before = signs or {}
    has_roof, has_floor = (any(row == end for row, _ in top) for end in (0, board.rows))
    gutter = max((len(label) for label in board.row_labels), default=0)

    def bars(row: int) -> str:
        sides = " ".join("---" if (row, column) in top else "   " for column in range(board.columns))
        return f"{'':{gutter}} {sides}".rstrip()

    lines: list[str] = []
    for row in range(board.rows):
        if top and (row or has_roof):
            lines.append(bars(row))
        label = board.row_labels[row] if board.row_labels else ""
        cells = "".join(
            f"{before.get(at, ' ')}{symbols.get(at, '.')} {'|' if at in right else ' '}"
            for at in ((row, column) for column in range(board.columns))
        )
        lines.append(f"{label:>{gutter}}{'|' if (row, -1) in right else ' '}{cells}".rstrip())
    if has_floor:
        lines.append(bars(board.rows))
    if board.column_labels:
        lines.append(f"{'':{gutter}} " + " ".join(f"{label:^3}" for label in board.column_labels).rstrip())
    return "\n".join(lines)


def _symbol(piece: Piece) -> str:
    letter = {"disc": "xo", "cross": "xx", "nought": "oo", "stone": "xo"}.get(piece.shape)
    if letter:
        return letter[piece.owner or 0]
    return letter_of(piece.shape) if piece.owner == 0 else letter_of(piece.shape).lower()


def letter_of(shape: str) -> str:
    """Return the capital that stands for a piece where it has no picture: its first one, but a knight is no king."""
    return "N" if shape == "knight" else shape[:1].upper()
