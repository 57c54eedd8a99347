"""Messages about reports and blocks, and those of the operator's page."""

from datetime import datetime
from typing import Annotated, Literal

from msgspec import Struct
from pydantic import BaseModel, ConfigDict, Field

from ludus.site.messages.requests import NO_NUL

MAX_WHY = 300
_Why = Annotated[str, Field(max_length=MAX_WHY, pattern=NO_NUL)]
PublicKey = Annotated[str, Field(pattern=r"^[0-9a-f]{16}$")]
"""The key by which other people refer to a person."""


class _ModerationBody(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, populate_by_name=True)


class SendReport(_ModerationBody):
    """The body of `POST /api/reports`: a chat message, a player of a game, or an account."""

    game_id: Annotated[str | None, Field(max_length=32, alias="gameId")] = None
    line: int | None = None
    """The number of a chat message in this game; see `ChatMessage`."""
    side: Annotated[int, Field(ge=0, le=1)] | None = None
    """The side of a player in this game."""
    name: Annotated[str, Field(max_length=200, pattern=NO_NUL)] | None = None
    """The name of an account, without a game."""
    why: _Why = ""


class BlockPerson(_ModerationBody):
    """The body of `POST /api/me/blocks`."""

    key: PublicKey
    name: Annotated[str, Field(min_length=1, max_length=80, pattern=NO_NUL)]
    """The person's name, for the list of blocked people."""


class OperatorAct(_ModerationBody):
    """The body of `POST /api/operator/acts`: what an operator does, to whom, and why."""

    act: Literal["end-game", "ban", "silence", "remove-bots", "lift", "close-report"]
    subject: Annotated[str, Field(min_length=1, max_length=200, pattern=NO_NUL)]
    """The id of a game, ban, silence or report; the id of a bot client; or a person or address, see
    `ludus.site.moderation.desk.Desk.subject_of`."""
    who: Annotated[str, Field(min_length=1, max_length=40, pattern=NO_NUL)]
    """The operator's name, for the log."""
    why: Annotated[str, Field(min_length=1, max_length=MAX_WHY, pattern=NO_NUL)]
    hours: Annotated[float, Field(gt=0, le=24 * 3650)] | None = None
    """How long a ban or a silence lasts; null: for good."""


class BlockedPerson(Struct, frozen=True):
    """A person whom the visitor has blocked."""

    key: str
    name: str


class BlockedPeople(Struct, frozen=True):
    """The response to requests about blocks."""

    people: list[BlockedPerson]


class DeskGame(Struct, frozen=True, rename="camel"):
    """A running game on the operator's page."""

    id: str
    title: str
    kind: str
    rated: bool
    players: tuple[str, str]
    moves: int
    spectators: int
    touched_at: int
    """When the game last changed, in milliseconds since 1970."""


class DeskPerson(Struct, frozen=True):
    """A person at a game."""

    person: str
    """`account ID` or `guest ID`; "" if unknown."""
    name: str
    address: str
    """"" if the person is not connected, or the address is exempt from limits."""
    games: list[str]
    watches: bool
    """Whether this is a spectator."""


class DeskBots(Struct, frozen=True, rename="camel"):
    """A bot client."""

    client: str
    official: bool
    address: str
    bots: list[str]
    sessions: int
    waiting: int
    """Questions without an answer."""
    busy: float
    """The share of the last minute in which a question was open."""
    answer_ms: int | None
    """The mean time of the answers of the last minute; null without answers."""


class DeskReport(Struct, frozen=True, rename="camel"):
    """An open report."""

    id: int
    at: datetime
    reporter: str
    subject: str
    """The person's key, as in `DeskPerson`; "" if unknown."""
    name: str
    address: str
    game_id: str
    text: str
    why: str


class DeskRestriction(Struct, frozen=True):
    """A ban or a silence in force."""

    id: int
    kind: str
    subject: str
    name: str
    why: str
    at: datetime
    until: datetime | None


class DeskAct(Struct, frozen=True):
    """An act of an operator, in the log."""

    at: datetime
    who: str
    address: str
    act: str
    subject: str
    why: str


class SiteHealth(Struct, frozen=True, rename="camel"):
    """The health of the site."""

    version: str
    running_s: int
    trouble: str | None
    """Why the site is not ready; null if it is."""
    games: int
    max_games: int
    sockets: dict[str, int]
    """Open sockets by kind."""
    queues: dict[str, int]
    """Waiting requests by queue."""
    loop_lag_ms: int
    move_ms: float | None
    """The mean time from a move's arrival to its broadcast since the start; null without moves."""
    errors: int
    """Errors in the log since the start."""


class OperatorView(Struct, frozen=True):
    """The response to requests of the operator's page."""

    health: SiteHealth
    games: list[DeskGame]
    people: list[DeskPerson]
    bots: list[DeskBots]
    reports: list[DeskReport]
    restrictions: list[DeskRestriction]
    acts: list[DeskAct]
