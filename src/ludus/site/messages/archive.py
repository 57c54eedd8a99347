"""Messages about finished games: search results, replays, links that carry a game, and game records as text."""

from typing import Annotated, Any

from msgspec import UNSET, Struct, UnsetType
from pydantic import BaseModel, Field

from ludus.games.about import Named
from ludus.games.annotations import CellMark
from ludus.games.records import Overtime

MAX_LINK_CHARS = 6000


class ReplayPlayer(Struct, frozen=True, rename="camel"):
    """A player of a finished game."""

    name: str
    kind: str
    """`guest`, `account` or `bot`."""
    rating: int | None = None
    """The rating before the game; None if the game was not rated."""
    rating_after: int | None = None
    """The rating after the game; None if the game did not change it."""
    in_browser: bool = False
    """Whether it is a bot that thought in the browser of its opponent: the site cannot vouch for its moves."""


class GameSummary(Struct, frozen=True, rename="camel"):
    """A finished game in a list, without its moves."""

    id: str | None
    """The game's id; None for a game that came in a link."""
    spec: str
    game: str
    variant: str
    size: str
    title: str
    players: tuple[ReplayPlayer, ReplayPlayer]
    winner: int | None
    reason: str
    rated: bool
    time_class: str | None
    started: float | None
    """Start time in seconds since 1970."""
    finished: float | None
    num_moves: int
    clock: tuple[float, float] | None = None
    """The time on each clock at the start, and the time added after each move, in seconds; None: no clocks."""
    ending: str = ""
    """Why the game ended, in the words of its players."""
    overtime: Overtime | None = None
    """The length of a period in seconds, the number of periods, and the moves of each; None: no overtime."""


class ReplayMove(Struct, frozen=True, rename="camel"):
    """A move of a finished game."""

    text: str
    player: int
    ply: int
    """The number of actions played, including this move."""
    time_left: tuple[float | None, float | None] | None
    """The time of both sides after the move until their flags fall, in seconds: all periods of overtime count."""


class TreeMove(Struct, frozen=True):
    """An action of a game with variations, or its start."""

    parent: int
    """The index of the action before it in the list; -1 for the start."""
    action: int
    """-1 for the start."""
    text: str
    """The text of the action's move, up to this action."""
    player: int
    ply: int
    """The number of actions up to and including this one."""
    begin: int
    """The ply before the first action of its move."""
    before: str
    """A comment before the action, where a variation begins."""
    comment: str
    """The comment after the action."""
    signs: str
    """Signs such as `!?`."""
    nags: list[int] = []
    """The signs as numeric annotation glyphs."""
    marks: list[CellMark] = []
    """Marks on the board: `[[row, column], shape, text]`."""


class Replay(Struct, frozen=True):
    """A finished game with its moves and evaluations."""

    game: GameSummary
    moves: list[ReplayMove]
    plies: int
    evaluations: list[float | None]
    """Evaluations after 0 to `plies` actions, from the view of player 0; None where there is none."""
    setup: dict[str, Any] | str | None
    """The first position, as the game's `start` accepts it; None for the usual one."""
    tree: list[TreeMove] = []
    """The start, then all actions, first continuations first; empty if there are no comments and no variations."""
    sides: tuple[str, str] = ("First", "Second")
    """The names of the sides, such as Black and White."""
    terms: list[Named] = []
    """What was played: rules, board, and what else was agreed, such as the komi."""
    review: str = ""
    """The name of the game's review, see `GET /api/reviews/{key}`."""


class ReplayLink(BaseModel, extra="forbid", strict=True, frozen=True):
    """The body of `POST /api/shared` and the paths below it: a link that carries a game."""

    link: Annotated[str, Field(max_length=4 * MAX_LINK_CHARS)]


class GameText(BaseModel, extra="forbid", strict=True, frozen=True):
    """The body of `POST /api/read`: a game record as text."""

    text: str


class LinkTold(Struct, frozen=True, rename="camel"):
    """The response to `POST /api/read` and `GET /api/archive/{id}/link`: the part after `#` in a replay's URL."""

    link: str
    left_out: list[str] | UnsetType = UNSET
    """A sentence for each kind of thing in the text that the link does not carry, if any."""


class TreeLink(Struct, frozen=True):
    """The response to `POST /api/study/link`: a link that contains an analysis."""

    link: str
    place: int
    """The number of the node to open, in the `tree` of the link's `Replay`."""


class FinishedGames(Struct, frozen=True):
    """The response to `GET /api/archive`: a page of finished games."""

    games: list[GameSummary]
    page: int
    pages: int
    """At most 200."""
    total: int
    """The number of games on all pages, at most 10,000."""
    more: bool = False
    """Whether there are more games than `total`; a search by dates finds them."""


class OpeningMove(Struct, frozen=True):
    """A move that finished games played in a position."""

    text: str
    actions: list[int]
    """Its actions; in the middle of a move, those that are still to be made."""
    games: int
    wins: tuple[int, int]
    """Games that each side won; in the others nobody did."""
    rating: int | None
    """The average rating of its players in rated games; None if there are none."""


class OpeningGame(Struct, frozen=True):
    """One of the games that reached a position."""

    move: str
    """The move that was played there."""
    game: GameSummary


class OpeningsView(Struct, frozen=True, rename="camel"):
    """The response to `POST /api/study/openings`: what the site's finished games played in a position."""

    games: int
    to_play: int
    """The side that the moves are of."""
    moves: list[OpeningMove]
    """The moves of the most games first."""
    samples: list[OpeningGame]
    """Some of these games, the latest first for each move."""
    most_moves: int
    """How many moves of each game are counted."""
    complete: bool
    """Whether all finished games are counted."""
