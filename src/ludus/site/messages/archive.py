"""What the site says of finished games, and what people send to look at one."""

from typing import Annotated, Any

from msgspec import Struct
from pydantic import BaseModel, Field

MAX_LINK_CHARS = 6000


class ReplayPlayer(Struct, frozen=True):
    """A player of a finished game."""

    name: str
    kind: str
    """`guest`, `account` or `bot`."""
    rating: int | None = None
    """Before the game, where it was rated."""


class GameSummary(Struct, frozen=True, rename="camel"):
    """What a list says of a game."""

    id: str | None
    """None: it came in a link."""
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
    """Seconds since 1970."""
    finished: float | None
    num_moves: int


class ReplayMove(Struct, frozen=True, rename="camel"):
    """A move of a finished game."""

    text: str
    player: int
    ply: int
    """Actions played after it."""
    time_left: tuple[float | None, float | None] | None
    """Seconds on both clocks after it."""


class Replay(Struct, frozen=True):
    """A finished game to click through."""

    game: GameSummary
    moves: list[ReplayMove]
    plies: int
    evaluations: list[float | None]
    """By actions played, 0 to `plies`, seen by player 0."""
    setup: dict[str, Any] | str | None
    """The position that it began with, as the game's `start` takes it; None: the usual one."""


class ReplayLink(BaseModel, extra="forbid", strict=True, frozen=True):
    """`POST /api/shared...`: the game that a link carries."""

    link: Annotated[str, Field(max_length=4 * MAX_LINK_CHARS)]


class GameText(BaseModel, extra="forbid", strict=True, frozen=True):
    """`POST /api/read`: a game that somebody has as text."""

    text: str


class LinkTold(Struct, frozen=True):
    """The answer to `POST /api/read` and `GET /api/archive/{id}/link`: what follows `#` in the address of a replay."""

    link: str


class FinishedGames(Struct, frozen=True):
    """The answer to `GET /api/archive`: a page of finished games."""

    games: list[GameSummary]
    page: int
    pages: int
    total: int
