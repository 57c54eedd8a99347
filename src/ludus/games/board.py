"""The description of a position that pages and terminals draw: pieces, marks and what can be clicked.

It holds no rules and no pixels.  Cells are `(row, column)` with row 0 at the top.
"""

from collections.abc import Mapping

import msgspec

Cell = tuple[int, int]  # row from the top, column from the left


class Piece(msgspec.Struct, frozen=True):
    """A piece on a cell."""

    at: Cell
    shape: str
    """The picture: disc, cross, nought, cat, mouse, home, stone, king ..."""
    owner: int | None = None
    """Player 0 or 1, None for a neutral piece; after a swap of colours, `Board.colours` tells which player it is."""


class Edge(msgspec.Struct, frozen=True):
    """A wall on the right or top side of a cell."""

    at: Cell
    """Column -1 with side `right` is the board's left edge, row `rows` with side `top` its bottom edge."""
    side: str
    """`right` or `top`."""
    owner: int | None = None


class Mark(msgspec.Struct, frozen=True):
    """A highlighted cell."""

    at: Cell
    kind: str
    """`last` (the latest action), `win` (part of a winning line), `check` (a threatened piece), `star` (a star point),
    `dead`, `ko`, `territory-0`, `territory-1`, `forbidden` (a point where the player to move may not play)."""


class Choice(msgspec.Struct, frozen=True):
    """A legal action and where a player clicks to choose it."""

    action: int
    text: str
    """The action in the game's notation."""
    kind: str
    """`cell` (click the cell), `right` or `top` (click that side of the cell), `button` (a labelled button)."""
    at: Cell | None = None
    """The cell to click; for a side, as in `Edge.at`."""
    source: Cell | None = None
    """The cell of the piece to move, if the player must choose one: click it first, or drag it."""
    label: str | None = None
    """The button's text."""
    move: str | None = None
    """The action in the list of moves, if that differs from `text`: SAN for a UCI `text`."""


class Captured(msgspec.Struct, frozen=True):
    """Pieces of one shape that a player has captured."""

    by: int
    """The player who captured the pieces."""
    shape: str
    owner: int | None
    """The player who owned the pieces."""
    count: int


class Board(msgspec.Struct, frozen=True):
    """Everything that a page needs to draw one position and to map clicks to actions."""

    rows: int
    columns: int
    style: str
    """`squares` (pieces inside cells), `checks` (light and dark cells without gaps), `drop` (an upright grid of holes),
    `points` (stones on intersections)."""
    pieces: list[Piece] = []
    edges: list[Edge] = []
    marks: list[Mark] = []
    choices: list[Choice] = []
    column_labels: list[str] = []
    row_labels: list[str] = []
    """From the top row down."""
    captured: list[Captured] = []
    """In display order."""
    note: str = ""
    """One sentence for the players about something that the board does not show."""
    opposite: bool = False
    """Whether the second player sees the board rotated by 180 degrees."""
    colours: tuple[int | None, int | None] = (0, 1)
    """The `owner` of each player's pieces: `(1, 0)` after a swap of colours, None before colours are chosen."""
    next_colour: int | None = None
    """The `owner` of the next piece, if it differs from the player to move."""


def draw(board: Board, signs: Mapping[Cell, str] | None = None) -> str:
    """Draw a board in plain characters, for terminals and tests; a board without cells becomes a list of its moves.

    Args:
        board: the board to draw.
        signs: for some cells, a character to draw in front of the cell's piece.
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
    """Return the capital letter that stands for a piece without a picture: the first letter, but N for a knight."""
    return "N" if shape == "knight" else shape[:1].upper()
