"""The rows of a game in the database; they know no rules."""

from datetime import datetime
from typing import Any, NamedTuple

from msgspec import Struct


class Evaluation(NamedTuple):
    """What a bot says of a position."""

    value: float
    """Seen by player 0."""
    best_move: str
    """In the game's notation; empty if the game is over there."""


class SeatRow(Struct, frozen=True):
    """Who sits on one side."""

    kind: str
    """`open`, `person` or `bot`."""
    name: str
    host: bool = False
    """Whether this is who opened the game."""
    token_hash: str | None = None
    """Of a person."""
    bot: str | None = None
    """`CLIENT:BOT`."""
    appearance: dict[str, str] = {}
    """Of the pieces, as wallgame.io's clients send it."""
    account_id: str | None = None
    """Of a person with an account."""


class MoveRow(Struct, frozen=True):
    """A move as it was played."""

    text: str
    """In the game's notation."""
    left_0: int | None
    """Milliseconds on player 0's clock after the move; None without clocks."""
    left_1: int | None
    played_at: datetime


class GameProgress(Struct, frozen=True):
    """What changes while a game lasts, its moves apart."""

    status: str
    """`waiting`, `playing` or `over`."""
    left_0: int | None = None
    left_1: int | None = None
    since: datetime | None = None
    """When the clock of the side to move was set going; None: it stands."""
    staged: list[int] = []
    """Actions of an unfinished move."""
    offers: list[list[Any]] = []
    """`[what, side]` of every offer that waits for an answer."""
    winner: int | None = None
    reason: str | None = None
    ended_at: datetime | None = None
    rematch: str | None = None
    """The game that followed."""
    to_play: int | None = None
    """The side that the game waits for; None if it is nobody's turn, or an older Ludus wrote it."""


class GameRow(Struct, frozen=True):
    """A whole game."""

    id: str
    spec: str
    game: str
    variant: str
    width: int
    height: int
    setup: Any
    """What `Game.start` takes."""
    kind: str
    """How the players came together: `friend`, `lobby` or `bot`."""
    rated: bool
    initial_ms: int | None
    """None: no clocks."""
    increment_ms: int | None
    preset: str | None
    """The time control's name, if it was chosen by one."""
    series: str
    """The first game of a row of rematches."""
    score_0: float
    """Points of player 0 in the series before this game."""
    score_1: float
    created_at: datetime
    seats: tuple[SeatRow, SeatRow]
    progress: GameProgress
    moves: list[MoveRow] = []
    left_at: datetime | None = None
    """When the last of its players left; None: one of them was there when the site last ran."""
