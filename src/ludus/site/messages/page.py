"""What the site tells a page, as plain structs."""

from typing import Literal

from msgspec import Struct

from ludus.games.board import Board
from ludus.site.messages.choices import Choices
from ludus.site.table.table import TableResult, What


class PlayerInfo(Struct, frozen=True):
    """Who sits on one side."""

    name: str
    kind: Literal["person", "bot", "open"]
    """`open`: nobody yet."""
    connected: bool


class MoveInfo(Struct, frozen=True):
    """A move in the list; the last one may be unfinished."""

    text: str
    player: int
    ply: int
    """Actions played after it."""
    clocks: tuple[int, int] | None
    """Milliseconds of both sides after it; None without clocks."""


class ClockInfo(Struct, frozen=True):
    """The clocks at the moment of the message, in milliseconds."""

    left: tuple[int, int]
    running: int | None
    """The side whose clock runs; None: both stand."""
    initial: int
    increment: int


class OfferInfo(Struct, frozen=True):
    """What one side asks of the other."""

    what: What
    by: int


class GameState(Struct, frozen=True, rename="camel", tag_field="type", tag="state"):
    """Everything that a page shows of a game, sent after every change."""

    id: str
    spec: str
    game: str
    variant: str
    title: str
    kind: Literal["friend", "lobby", "bot"]
    """How the players came together."""
    rated: bool
    time_class: str
    """By which the ratings of a game are kept apart."""
    players: tuple[PlayerInfo, PlayerInfo]
    you: int | None
    to_play: int
    ply: int
    """Actions played."""
    staged: int
    """Actions already made in the present move; only who makes it sees them."""
    board: Board
    """Its choices are empty unless it is your turn."""
    moves: list[MoveInfo]
    evaluation: float | None
    """The latest known, seen by player 0."""
    evaluations: list[float | None]
    """By actions played; None where nothing was evaluated (yet)."""
    thinking: bool
    """Whether a bot is to move."""
    status: Literal["waiting", "playing", "over"]
    """`waiting`: a seat is open."""
    result: TableResult | None
    clock: ClockInfo | None
    offers: list[OfferInfo]
    can_undo: bool
    can_takeback: bool
    can_abort: bool
    claim_in: int | None
    """The other side has left: in so many milliseconds you may claim the game, at 0 now; None: nothing to claim."""
    score: tuple[float, float]
    """Points of both sides in this row of rematches, this game included."""
    rematch: str | None
    """The game that followed."""
    spectators: int


class ErrorMessage(Struct, frozen=True, tag_field="type", tag="error"):
    """What was asked is refused; nothing has changed."""

    message: str


class NoticeMessage(Struct, frozen=True, tag_field="type", tag="notice"):
    """Something that concerns the game, in a sentence."""

    message: str


class DeclinedMessage(Struct, frozen=True, tag_field="type", tag="declined"):
    """Side `by` said no."""

    what: What
    by: int


class RematchMessage(Struct, frozen=True, tag_field="type", tag="rematch"):
    """The next game is open, with sides swapped; the token of this one is good there."""

    id: str


class ChatMessage(Struct, frozen=True, tag_field="type", tag="chat"):
    """Somebody says something."""

    text: str
    name: str
    side: int | None
    """None: a spectator."""
    at: int
    """Milliseconds since 1970."""


class PongMessage(Struct, frozen=True, tag_field="type", tag="pong"):
    """The answer to `ping`."""


PageNote = ErrorMessage | NoticeMessage | DeclinedMessage | RematchMessage | ChatMessage | PongMessage
PageMessage = GameState | PageNote
"""Whatever the site says over a game's socket."""


class PlyView(Struct, frozen=True):
    """The answer to `GET /api/games/{id}/plies/{n}`."""

    board: Board
    evaluation: float | None


class CatalogueBot(Struct, frozen=True):
    """A bot that plays a game."""

    id: str
    name: str
    level: str
    rank: int
    official: bool
    """Whether it is the site's own."""
    private: bool
    """Whether nobody else sees it."""


class CatalogueGame(Struct, frozen=True, rename="camel"):
    """A game that can be played here."""

    spec: str
    game: str
    title: str
    variant: str
    board_width: int
    board_height: int
    summary: str
    board: Board
    """A typical position, for a drawing."""
    players: tuple[str, str]
    """What the sides are called."""
    arranges: bool
    """Whether positions of it can be put together piece by piece."""
    bots: list[CatalogueBot]


class Catalogue(Struct, frozen=True):
    """The answer to `GET /api/catalogue`."""

    games: list[CatalogueGame]
    choices: list[Choices] = []
    """What else can be chosen, by game."""


class Fault(Struct, frozen=True):
    """The answer to a request that cannot be served."""

    error: str
