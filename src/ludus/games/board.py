"""The description of a position that pages and terminals draw: pieces, marks and what can be clicked.

It holds no rules and no pixels.  Cells are `(row, column)` with row 0 at the top.
"""

import msgspec

Cell = tuple[int, int]  # row from the top, column from the left

COLOURS = ("orange", "blue", "black", "white", "red", "yellow", "green", "purple")
"""The colours that a side's pieces can have."""


class Piece(msgspec.Struct, frozen=True):
    """A piece on a cell."""

    at: Cell
    shape: str
    """The picture: disc, stone, cross, nought, seed, pawn, knight, bishop, rook, queen, king, cat, mouse, home.

    Any other shape is a counter with a text: a number or one or two characters themselves, else the shape's initial."""
    owner: int | None = None
    """Player 0 or 1, None for a neutral piece; after a swap of colours, `Board.colours` tells which player it is."""


class Edge(msgspec.Struct, frozen=True):
    """A wall on a side of a cell."""

    at: Cell
    """Column -1 with side `right` is the board's left edge, row `rows` with side `top` its bottom edge."""
    side: str
    """`right` or `top`; of a hexagon, `right`, `left`, `top-left`, `top-right`, `bottom-left` or `bottom-right`."""
    owner: int | None = None


class Mark(msgspec.Struct, frozen=True):
    """A highlighted cell."""

    at: Cell
    kind: str
    """`last` (the latest action), `win` (part of a winning line), `check` (a threatened piece), `star` (a star point),
    `dead`, `ko`, `territory-0`, `territory-1`, `forbidden` (a point where the player to move may not play)."""


class Label(msgspec.Struct, frozen=True):
    """A short text on a cell, over its pieces."""

    at: Cell
    text: str


class Spot(msgspec.Struct, frozen=True):
    """A cell of a board that is no full rectangle, and where it is drawn."""

    at: Cell
    """The cell's row and column, by which pieces, marks and choices name it."""
    centre: tuple[float, float] | None = None
    """Where the cell's centre is drawn, as rows from the top and columns from the left; None: at its row and column."""
    size: tuple[float, float] = (1.0, 1.0)
    """The height and width that it is drawn with."""
    name: str = ""
    """What people call the cell; empty: the labels of its column and its row."""


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
    """The button's text; also the name in the question that a page asks if choices have the same cell and source."""
    move: str | None = None
    """The action in the list of moves, if that differs from `text`: SAN for a UCI `text`."""
    ask: str | None = None
    """A question to which the player must agree first, if the action is easily chosen by a slip."""


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
    `points` (stones on intersections), `hexagons` (six-sided cells, each row half a cell further right than the row
    above it), `pits` (round hollows, which hold any number of pieces)."""
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
    """One sentence for the player to move about something that the board does not show."""
    stage: str = ""
    """One sentence for everybody about a stage of the game that the board does not show, such as the scoring."""
    opposite: bool = False
    """Whether the second player sees the board rotated by 180 degrees."""
    colours: tuple[int | None, int | None] = (0, 1)
    """The `owner` of each player's pieces: `(1, 0)` after a swap of colours, None before colours are chosen."""
    next_colour: int | None = None
    """The `owner` of the next piece, if it differs from the player to move."""
    paints: tuple[str, str] = ("orange", "blue")
    """The colours of the pieces of owner 0 and owner 1, two of `ludus.games.board.COLOURS`."""
    cells: list[Spot] = []
    """The cells, if they are not all cells of the rectangle of rows and columns, or are drawn elsewhere."""
    lines: list[list[Cell]] = []
    """For style `points`, the lines of the board, each through two cells or more; empty: the lines of a grid."""
    labels: list[Label] = []
    trays: int = 0
    """The cells of each tray, for pieces in hand: row -1 is a tray above the board, row `rows` one below it."""
    stacked: bool = False
    """Whether pieces on one cell stand on one another, the first at the bottom, instead of side by side."""
    one_click: bool = False
    """Whether a click on a cell moves the only piece that can go there, as if that piece had been clicked first."""
