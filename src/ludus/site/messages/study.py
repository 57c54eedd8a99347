"""Messages about study boards, lessons, arranged positions, and evaluations of lines."""

from typing import Annotated, Any, Literal

from msgspec import Struct
from pydantic import BaseModel, Field

from ludus.games.annotations import MAX_ACTIONS
from ludus.games.board import Board
from ludus.site.messages.page import DevicePosition, MoveInfo
from ludus.site.table.table import TableResult

MAX_CELLS = 625
Place = Annotated[int, Field(ge=0, le=24)]
SentMark = tuple[tuple[Place, Place], Annotated[str, Field(max_length=20)], Annotated[str, Field(max_length=20)]]
Comment = Annotated[str, Field(max_length=20_000)]
Actions = list[Annotated[int, Field(ge=0, le=32_767)]]
Texts = list[Annotated[str, Field(min_length=1, max_length=80)]]


class StudyLine(BaseModel, extra="forbid", strict=True, frozen=True):
    """The body of `POST /api/study`: a line from a game's usual start or from `setup`, as moves followed by actions."""

    spec: Annotated[str, Field(min_length=1, max_length=100)]
    setup: dict[str, Any] | str | None = None
    moves: Annotated[Texts, Field(max_length=MAX_ACTIONS)] = []
    actions: Annotated[Actions, Field(max_length=MAX_ACTIONS)] = []


class JudgedLine(StudyLine, extra="forbid", strict=True, frozen=True):
    """The body of `POST /api/study/evaluation`: a line, and how the judge should search the position at its end."""

    lines: Annotated[int, Field(ge=1, le=5)] = 3
    """The number of best lines."""
    visits: Annotated[int, Field(ge=1, le=10_000_000)] | None = None
    """Wanted visits of the search; null: the judge's usual budget.  A request searches for seconds at most; asking
    again goes on with the search."""


Value = Annotated[float, Field(ge=-1.0, le=1.0, allow_inf_nan=False)]
Visits = Annotated[int, Field(ge=0, le=1_000_000_000)]
MAX_FOUND, MAX_FOUND_LINE = 8, 24
"""Most positions, and most actions of a line, that one request has put into words."""


class FoundLine(BaseModel, extra="forbid", strict=True, frozen=True):
    """A line of best play that a visitor's own engine found."""

    actions: Annotated[Actions, Field(min_length=1, max_length=MAX_FOUND_LINE)]
    """In the numbers of the engine's game."""
    value: Value
    """The value of the line from player 0's view."""
    visits: Visits
    proved: bool = False
    wins_in: Annotated[int, Field(alias="winsIn", ge=0, le=MAX_ACTIONS)] = 0
    """Within how many of its own moves the side with a proved win wins; 0: unknown."""


class FoundPosition(BaseModel, extra="forbid", strict=True, frozen=True):
    """What a visitor's own engine found about a position of a line."""

    ply: Annotated[int, Field(ge=0, le=MAX_ACTIONS)]
    """The number of actions of the line before the position."""
    value: Value
    """From player 0's view."""
    visits: Visits
    proved: bool = False
    lines: Annotated[list[FoundLine], Field(max_length=5)] = []
    """The best lines, the best one first."""


class FoundOnLine(StudyLine, extra="forbid", strict=True, frozen=True):
    """The body of `POST /api/study/words`: a line, and what a visitor's own engine found about its positions."""

    engine: Annotated[str, Field(max_length=200)]
    """The engine's manifest, as in `DevicePosition`."""
    found: Annotated[list[FoundPosition], Field(min_length=1, max_length=MAX_FOUND)]


class TreeNode(BaseModel, extra="forbid", strict=True, frozen=True):
    """An action of an analysis tree, or its start."""

    parent: Annotated[int, Field(ge=-1, le=MAX_ACTIONS)] = -1
    """The index of the action before it in the list; -1 for the start."""
    action: Annotated[int, Field(ge=-1, le=32_767)] = -1
    """-1 for the start."""
    before: Comment = ""
    """A comment before the action, where a variation begins."""
    comment: Comment = ""
    """The comment after the action."""
    nags: Annotated[list[Annotated[int, Field(ge=0, le=255)]], Field(max_length=16)] = []
    """Signs as numeric annotation glyphs."""
    marks: Annotated[list[SentMark], Field(max_length=MAX_CELLS)] = []
    """Marks on the board, as in `TreeMove`."""


class StudyTree(BaseModel, extra="forbid", frozen=True):
    """The body of `POST /api/study/text`: an analysis tree, which becomes a text in the game's format."""

    spec: Annotated[str, Field(min_length=1, max_length=100)]
    setup: dict[str, Any] | str | None = None
    nodes: Annotated[list[TreeNode], Field(min_length=1, max_length=MAX_ACTIONS + 1)]
    """The start, then the actions; each after its parent, and the main continuation before the others."""


class SharedTree(StudyTree, extra="forbid", frozen=True):
    """The body of `POST /api/study/link`: an analysis tree, which becomes a link."""

    at: Annotated[int, Field(ge=0, le=MAX_ACTIONS)] = 0
    """The node to open, by its index in `nodes`."""


class StudyView(Struct, frozen=True, rename="camel"):
    """A position on a study board, with its legal actions and the line that led to it."""

    game: str
    variant: str
    """The variant; `game` and `variant` are those of `CatalogueGame`."""
    board: Board
    """The position, with a choice for each legal action."""
    to_play: int
    ply: int
    """The number of actions played."""
    actions: list[int]
    """All actions from the start."""
    moves: list[MoveInfo]
    result: TableResult | None
    players: tuple[str, str]
    """The names of the sides in this game."""
    setup: dict[str, Any] | str | None
    """The `setup` that starts a game from this position, such as a FEN; None if the game has none."""
    ending: str = ""
    """Why the game ended, in the words of its players."""
    judge: str = ""
    """On an analysis board, the name of the engine that judges its positions; empty: none is connected."""
    device: DevicePosition | None = None
    """The position for the visitor's own engine; null if the site has none to download for this board."""


class LessonPart(Struct, frozen=True, rename="camel"):
    """A step of a lesson: a text, and a position for trying it out."""

    title: str
    text: str
    spec: str
    setup: dict[str, Any] | None
    """The first position; None for the game's usual one."""
    before: list[str]
    """The moves from there to the position of this step."""
    goal: str
    """The task for the reader; empty if there is none."""
    view: StudyView
    done: str = ""
    """A regular expression for the moves that fulfil the task, with blanks between them; empty: it is not judged."""


class Lesson(Struct, frozen=True):
    """The response to `GET /api/lessons/{game}`."""

    game: str
    title: str
    summary: str
    parts: list[LessonPart]


class LessonTitle(Struct, frozen=True):
    """A lesson in the list of lessons."""

    game: str
    title: str
    summary: str
    view: StudyView
    """The position of its last part, drawn as its picture."""


class Lessons(Struct, frozen=True):
    """The response to `GET /api/lessons`."""

    lessons: list[LessonTitle]


class PutPiece(BaseModel, extra="forbid", frozen=True):
    """A piece placed on a cell."""

    at: tuple[Place, Place]
    shape: Annotated[str, Field(max_length=20)]
    owner: Literal[0, 1] | None


class PutEdge(BaseModel, extra="forbid", frozen=True):
    """A wall placed on a side of a cell."""

    at: tuple[Place, Place]
    side: Literal["right", "top"]
    owner: Literal[0, 1] | None = None


class Arrangement(BaseModel, extra="forbid", frozen=True):
    """The body of `POST /api/study/arrange`: an arranged position."""

    spec: Annotated[str, Field(min_length=1, max_length=100)]
    setup: dict[str, Any] | str | None = None
    """The position that was changed; properties that cannot be arranged, such as the komi, are taken from it."""
    pieces: Annotated[list[PutPiece], Field(max_length=MAX_CELLS)]
    edges: Annotated[list[PutEdge], Field(max_length=2 * MAX_CELLS)] = []
    to_play: Annotated[Literal[0, 1], Field(alias="toPlay")] = 0
    switches: Annotated[list[Annotated[str, Field(max_length=20)]], Field(max_length=16)] = []


class LineInfo(Struct, frozen=True, rename="camel"):
    """A line of best play, with its evaluation and its visits."""

    moves: list[MoveInfo]
    actions: list[int]
    evaluation: float
    visits: int
    proved: bool = False
    """Whether the evaluation is the proved outcome."""
    wins_in: int = 0
    """Within how many of its own moves the side with a proved win wins; 0: unknown."""
    words: str = ""
    """What people read instead of the win chance of a forced win, such as `mate in 3`."""


class LineEvaluation(Struct, frozen=True, rename="camel"):
    """The response to `POST /api/study/evaluation`: a judgement of a position in words that people read."""

    evaluation: float
    """The evaluation from the view of player 0; exactly -1 or 1 only if the game is over, or a win is proved."""
    best_move: str
    lines: list[LineInfo]
    """The best lines, the best one first; empty if the bot reports none."""
    ownership: list[list[float]]
    """The expected owner of each cell by rows, from the view of player 0; empty if the bot does not report it."""
    bot: str
    """The name of the engine that judged the position; empty if the game is over there."""
    visits: int = 0
    """Visits of the search so far; 0 if the engine does not report them."""
    lead: float | None = None
    """The expected lead of player 0 in points; null in games without points."""
    proved: bool = False
    """Whether the evaluation is the proved outcome."""
    final: bool = False
    """Whether asking for more visits would change nothing."""


class WordedEvaluations(Struct, frozen=True):
    """The response to `POST /api/study/words`."""

    evaluations: list[LineEvaluation]
    """One for each position, in the same order."""
