"""Boards without a table: lines replayed, lessons, and positions that people put together piece by piece."""

from typing import Annotated, Any, Literal

from msgspec import Struct
from pydantic import BaseModel, Field

from ludus.games.board import Board
from ludus.site.messages.choices import Named
from ludus.site.messages.page import MoveInfo
from ludus.site.table.table import TableResult

MAX_ACTIONS = 2000
"""Of a line, and of a game that a link carries."""

Actions = list[Annotated[int, Field(ge=0, le=32_767)]]
Texts = list[Annotated[str, Field(min_length=1, max_length=80)]]


class StudyLine(BaseModel, extra="forbid", strict=True, frozen=True):
    """`POST /api/study`: moves in notation, and then actions, from a game's start or from `setup`."""

    spec: Annotated[str, Field(min_length=1, max_length=100)]
    setup: dict[str, Any] | str | None = None
    moves: Annotated[Texts, Field(max_length=MAX_ACTIONS)] = []
    actions: Annotated[Actions, Field(max_length=MAX_ACTIONS)] = []


class StudyView(Struct, frozen=True, rename="camel"):
    """A position to look at and to go on from."""

    game: str
    variant: str
    """As `CatalogueGame` names them."""
    board: Board
    """With a choice for each legal action."""
    to_play: int
    ply: int
    """Actions played."""
    actions: list[int]
    """All of them, from the start on."""
    moves: list[MoveInfo]
    result: TableResult | None
    players: tuple[str, str]
    """What the sides are called in this game."""
    setup: dict[str, Any] | str | None
    """What `setup` takes to begin here, such as a FEN; None where a game has no such thing."""


class LessonPart(Struct, frozen=True, rename="camel"):
    """One thing to learn, and a position to try it in."""

    title: str
    text: str
    spec: str
    setup: dict[str, Any] | None
    """Where the position begins; None: as the game does."""
    before: list[str]
    """Moves that were played first."""
    goal: str
    """What to try; empty where there is nothing to reach."""
    view: StudyView


class Lesson(Struct, frozen=True):
    """The answer to `GET /api/lessons/{game}`."""

    game: str
    title: str
    summary: str
    parts: list[LessonPart]


class LessonTitle(Struct, frozen=True):
    """A lesson in the list."""

    game: str
    title: str
    summary: str
    view: StudyView
    """The position of its last part, to be drawn."""


class Lessons(Struct, frozen=True):
    """The answer to `GET /api/lessons`."""

    lessons: list[LessonTitle]


MAX_CELLS = 625
Place = Annotated[int, Field(ge=0, le=24)]


class PieceKind(Struct, frozen=True):
    """A piece that may be put on the board."""

    shape: str
    owner: int | None
    name: str
    single: bool = False
    """Exactly one of them stands on the board: it goes from cell to cell and never leaves."""


class Kit(Struct, frozen=True, rename="camel"):
    """The answer to `POST /api/study/kit`: the position to begin with, and all that can be changed of it."""

    board: Board
    """Without choices."""
    kinds: list[PieceKind]
    """Empty: nobody puts positions of this game together."""
    edges: list[str]
    """Sides of cells on which walls may be put."""
    to_play: int
    movers: list[Named]
    """Who may be to move, by number; empty: there is no choice."""
    switches: list[Named]
    """What else is true of a position or not, such as a right to castle."""
    on: list[str]
    """Those that are on."""


class PutPiece(BaseModel, extra="forbid", frozen=True):
    """A piece that was put on a cell."""

    at: tuple[Place, Place]
    shape: Annotated[str, Field(max_length=20)]
    owner: Literal[0, 1] | None


class PutEdge(BaseModel, extra="forbid", frozen=True):
    """A wall that was put on a side of a cell."""

    at: tuple[Place, Place]
    side: Literal["right", "top"]
    owner: Literal[0, 1] | None = None


class Arrangement(BaseModel, extra="forbid", frozen=True):
    """`POST /api/study/arrange`: what somebody has put together."""

    spec: Annotated[str, Field(min_length=1, max_length=100)]
    setup: dict[str, Any] | str | None = None
    """What it was made from: what cannot be put by hand, such as a komi, stays as it is there."""
    pieces: Annotated[list[PutPiece], Field(max_length=MAX_CELLS)]
    edges: Annotated[list[PutEdge], Field(max_length=2 * MAX_CELLS)] = []
    to_play: Annotated[Literal[0, 1], Field(alias="toPlay")] = 0
    switches: Annotated[list[Annotated[str, Field(max_length=20)]], Field(max_length=16)] = []


class LineInfo(Struct, frozen=True, rename="camel"):
    """What would be played."""

    moves: list[MoveInfo]
    actions: list[int]
    evaluation: float
    visits: int


class LineEvaluation(Struct, frozen=True, rename="camel"):
    """The answer to `POST /api/study/evaluation`."""

    evaluation: float
    """Seen by player 0."""
    best_move: str
    lines: list[LineInfo]
    """The best first; empty if the bot tells none."""
    ownership: list[list[float]]
    """The final owner of each cell, seen by player 0, row by row; empty where the bot does not say."""
    bot: str
    """Who says so."""
