"""Structs of the messages that the site sends to a page: game states, chat, notices, errors, and the catalogue."""

from typing import Any, Literal

from msgspec import Struct

from ludus.games.about import Named, OpeningRule, SetupField
from ludus.games.board import Board
from ludus.site.table.table import TableResult, What


class PlayerInfo(Struct, frozen=True, rename="camel"):
    """The player of one side."""

    name: str
    kind: Literal["person", "bot", "open"]
    """`open` if the seat is not taken yet."""
    connected: bool
    appearance: dict[str, str] = {}
    """The appearance of a bot: `color`, a CSS colour, is that of its picture."""
    key: str = ""
    """A person's public key, by which one can block the person; "" for others, and if the person is unknown."""
    strength: str = ""
    """A bot's measured rating with its error; empty if it tells none."""
    strength_source: str = ""
    """How that rating was measured."""


class MoveInfo(Struct, frozen=True):
    """A move in a game's list of moves; the last one may be unfinished."""

    text: str
    player: int
    ply: int
    """The number of actions played, including this move."""
    clocks: tuple[int, int] | None
    """The time of both sides after the move until their flags fall, in milliseconds; None without clocks."""


class OvertimeInfo(Struct, frozen=True):
    """The overtime of the clocks: periods that begin when the main time is used up."""

    period: int
    """The length of a period in milliseconds; days in a game over days."""
    periods: int
    moves: int
    """Moves to play in each period, and then it begins again."""
    left: tuple[int, int]
    """The periods that both sides have not lost yet, with the present one."""
    played: tuple[int, int]
    """The moves that both sides have played in their present periods."""


class ClockInfo(Struct, frozen=True):
    """The clocks when the message was built, in milliseconds."""

    left: tuple[int, int]
    """The time of both sides until their flags fall: all periods of overtime count."""
    running: int | None
    """The side whose clock runs; None if both are stopped."""
    initial: int
    """The main time at the start."""
    increment: int
    overtime: OvertimeInfo | None = None


class OfferInfo(Struct, frozen=True):
    """A pending offer of side `by` to its opponent."""

    what: What
    by: int


class StalledBot(Struct, frozen=True, rename="camel"):
    """A bot that does not answer; its opponent may wait longer, or end the game without a result."""

    side: int
    gone: bool
    """Whether the bot's client is not connected."""
    forfeits_in: int
    """Milliseconds until the bot loses the game."""


class RatingChange(Struct, frozen=True):
    """A player's rating before and after a rated game."""

    before: int
    after: int


class DevicePosition(Struct, frozen=True, rename="camel"):
    """A position as an exported engine takes it, which the visitor's own browser runs."""

    manifest: str
    """The path of the engine's manifest on this site."""
    spec: str
    """The name of the game in the manifest."""
    start: str
    """The first state's 64-bit words in base64; empty for the usual start."""
    skipped: int
    """The number of actions of the line before that state."""
    actions: list[int]
    """The actions from there in the numbers of the engine's game, as far as that game allows them."""


class BrowserBotInfo(Struct, frozen=True):
    """What a page needs to think for its opponent, a bot that thinks in this browser."""

    side: int
    manifest: str = ""
    """The address of the engine's manifest; empty if the site does not offer the bot any more."""
    visits: int = 0
    """The limits of its search."""
    seconds: float = 0.0
    temperature: float = 0.0
    """The temperature of the choice of its move: 0 plays the best one."""
    position: DevicePosition | None = None
    """The position to search; null while the bot is not to move."""
    ply: int = 0
    """The number of actions in that position, to be sent back with the move."""


class GameState(Struct, frozen=True, rename="camel", tag_field="type", tag="state"):
    """A game's complete state as one page shows it; sent after every change."""

    id: str
    spec: str
    game: str
    variant: str
    title: str
    kind: Literal["friend", "lobby", "bot"]
    """How the game was opened: with a link for a friend, in the lobby, or with a bot."""
    rated: bool
    time_class: str
    """The time class; each one has ratings of its own."""
    players: tuple[PlayerInfo, PlayerInfo]
    you: int | None
    to_play: int
    ply: int
    """The number of actions played."""
    staged: int
    """The number of actions of the unfinished move; 0 for the opponent and spectators, who do not see them."""
    board: Board
    """The present position; its choices are empty unless it is your turn."""
    moves: list[MoveInfo]
    evaluation: float | None
    """The latest known evaluation, from the view of player 0."""
    evaluations: list[float | None]
    """Evaluations by the number of actions played; None where there is none yet."""
    thinking: bool
    """Whether a bot is to play."""
    status: Literal["waiting", "playing", "over"]
    """`waiting` while a seat is open."""
    result: TableResult | None
    clock: ClockInfo | None
    offers: list[OfferInfo]
    can_undo: bool
    can_takeback: bool
    can_abort: bool
    claim_in: int | None
    """Milliseconds until you may claim the game because your opponent has left, 0 if you may now; else None."""
    stalled: StalledBot | None
    """A bot that does not answer; null if all answer."""
    score: tuple[float, float]
    """Points of both sides in this series of rematches, including this game."""
    rematch: str | None
    """The id of the rematch, if it was opened."""
    spectators: int
    sides: tuple[str, str] = ("First", "Second")
    """The names of the sides, such as Black and White."""
    terms: list[Named] = []
    """What is played: rules, board, and what else was agreed, such as the komi."""
    setup: dict[str, Any] | str | None = None
    """The first position, as the game's `start` accepts it; null for the usual one."""
    ending: str = ""
    """Why the game ended, in the words of its players; `result` has the reason as stored."""
    rating_changes: tuple[RatingChange, RatingChange] | None = None
    """How the game changed the ratings of both sides; null until it did, shortly after its end."""
    with_evaluation: bool = False
    """Whether two people agreed, before the game, that both see the evaluation bar."""
    evaluating: int = 0
    """The number of spectators who see evaluations of this unfinished game."""
    may_evaluate: bool = False
    """Whether you may see evaluations now."""
    may_hint: bool = False
    """Whether you may see best moves now."""
    browser_bot: BrowserBotInfo | None = None
    """Your opponent, if it is a bot that thinks in your browser; null in other games, and for spectators."""


class ErrorMessage(Struct, frozen=True, tag_field="type", tag="error"):
    """An error: the site refused a message of the page, and nothing has changed."""

    message: str
    refused: str = ""
    """The type of the refused message; empty if the site refuses the socket or cannot read the message."""


class NoticeMessage(Struct, frozen=True, tag_field="type", tag="notice"):
    """A notice about the game, such as a bot that lost its connection."""

    message: str


class DeclinedMessage(Struct, frozen=True, tag_field="type", tag="declined"):
    """Side `by` declined an offer."""

    what: What
    by: int


class RematchMessage(Struct, frozen=True, tag_field="type", tag="rematch"):
    """The rematch was opened, with sides swapped; the token of this game is valid there too."""

    id: str


class ChatMessage(Struct, frozen=True, tag_field="type", tag="chat"):
    """A chat message."""

    text: str
    name: str
    side: int | None
    """The sender's side; None for a spectator."""
    at: int
    """When it was sent, in milliseconds since 1970."""
    line: int = 0
    """Its number in this game's chat, for reports."""
    key: str = ""
    """The sender's public key, by which one can block the sender; "" if the person is unknown."""


class PongMessage(Struct, frozen=True, tag_field="type", tag="pong"):
    """The response to `ping`."""


PageNote = ErrorMessage | NoticeMessage | DeclinedMessage | RematchMessage | ChatMessage | PongMessage
PageMessage = GameState | PageNote
"""Any message from the site over a game's socket."""


class PlyView(Struct, frozen=True):
    """The response to `GET /api/games/{id}/plies/{n}`: a position of a game, and its evaluation."""

    board: Board
    evaluation: float | None


class CatalogueBot(Struct, frozen=True, rename="camel"):
    """A bot in the catalogue, under a game that it plays."""

    id: str
    name: str
    level: str
    rank: int
    official: bool
    """Whether the bot is the site's own."""
    private: bool
    """Whether only your account sees the bot."""
    strength: str = ""
    """The bot's measured rating with its error; empty if it tells none."""
    strength_source: str = ""
    """How that rating was measured."""
    appearance: dict[str, str] = {}
    """The bot's appearance, as in wallgame.io's protocol: `color`, a CSS colour, is that of its picture."""
    max_seconds: int = 0
    """How long it may be asked to think about a move; 0: not at all."""
    in_browser: bool = False
    """Whether it thinks in the browser of the person who plays against it; such a game is unrated."""


class CatalogueGame(Struct, frozen=True, rename="camel"):
    """A game in the catalogue."""

    spec: str
    game: str
    title: str
    variant: str
    board_width: int
    board_height: int
    summary: str
    board: Board
    """A typical position, drawn as the game's picture."""
    players: tuple[str, str]
    """The names of the sides, such as White and Black."""
    arranges: bool
    """Whether its positions can be arranged piece by piece."""
    bots: list[CatalogueBot]
    engine: str = ""
    """The path of the manifest of an engine for this board, which visitors' browsers can run; empty: there is none."""


class Choices(Struct, frozen=True):
    """The options for opening one game."""

    game: str
    variants: list[Named]
    sizes: list[tuple[int, int]]
    """Board sizes as columns and rows; if empty, the sizes of the catalogue apply."""
    setup: list[SetupField]
    """Optional parts of the first position."""
    players: tuple[str, str]
    """The names of the sides without `switch`."""
    switch: OpeningRule | None = None


class Catalogue(Struct, frozen=True):
    """The response to `GET /api/catalogue`."""

    games: list[CatalogueGame]
    choices: list[Choices] = []
    """Further options when a game is opened, one entry a game."""


class Fault(Struct, frozen=True):
    """The response to a refused or failed request."""

    error: str
