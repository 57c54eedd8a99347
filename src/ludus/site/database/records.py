"""Structs for the database rows of a game."""

from datetime import datetime
from typing import Any, NamedTuple

from msgspec import Struct

DAY_MS = 24 * 3600 * 1000
"""Games with a period at least as long for each move are played over days."""


class Evaluation(NamedTuple):
    """A bot's evaluation of a position."""

    value: float
    """Expected outcome from player 0's view, between -1 and 1."""
    best_move: str
    """In the game's notation; empty if the game is over in this position."""
    lead: float | None = None
    """Expected lead of player 0 in points; None in games without points, or if it is unknown."""
    wins_in: int = 0
    """Within how many of its own moves the side with a proved win wins; 0 if it is unknown. It is not stored."""


class SeatRow(Struct, frozen=True):
    """The player of one side of a game."""

    kind: str
    """`open`, `person` or `bot`."""
    name: str
    host: bool = False
    """Whether this player opened the game."""
    token_hash: str | None = None
    """Hash of a person's secret token; None for bots."""
    bot: str | None = None
    """Name of a bot, as `CLIENT:BOT`; None for people."""
    appearance: dict[str, str] = {}
    """Appearance of the pieces, as wallgame.io's clients send it."""
    account_id: str | None = None
    """Account of a person; None for guests and bots."""
    device_hash: str | None = None
    """Hash of a person's signed guest id, by which the device is known while the game lasts; None after it."""


class MoveRow(Struct, frozen=True):
    """A move of a game, with the clocks after it."""

    text: str
    """In the game's notation."""
    left_0: int | None
    """Milliseconds on player 0's clock after the move; None in a game without clocks."""
    left_1: int | None
    """The same for player 1's clock."""
    played_at: datetime


class GameProgress(Struct, frozen=True):
    """The part of a game that changes during play, except its moves."""

    status: str
    """`waiting`, `playing` or `over`."""
    left_0: int | None = None
    """Milliseconds until player 0's flag falls, all periods included, when a clock was last started or stopped; None
    without clocks."""
    left_1: int | None = None
    """The same for player 1's clock."""
    since: datetime | None = None
    """When the clock of the side to move was started; None: it is stopped."""
    staged: list[int] = []
    """Actions of an unfinished move."""
    offers: list[list[Any]] = []
    """`[what, side]` of every open offer."""
    winner: int | None = None
    reason: str | None = None
    ended_at: datetime | None = None
    rematch: str | None = None
    """Id of the rematch that followed."""
    to_play: int | None = None
    """The side to move; None if no side is, or if an older Ludus wrote the row."""
    periods_0: int | None = None
    """Periods that player 0 had not lost when a clock was last started or stopped; None without overtime."""
    periods_1: int | None = None
    played_0: int | None = None
    """Moves that player 0 has played in the present period; None without overtime."""
    played_1: int | None = None
    deadline: datetime | None = None
    """When the side to move loses a game over days; None in other games, and while no clock runs."""


class GameRow(Struct, frozen=True):
    """A game with its seats, progress and moves."""

    id: str
    spec: str
    game: str
    variant: str
    width: int
    height: int
    setup: Any
    """The setup, as the argument of `Game.start`."""
    kind: str
    """How the game was opened: `friend`, `lobby`, `bot` or `private`."""
    rated: bool
    initial_ms: int | None
    """Milliseconds on each clock at the start; None: no clocks."""
    increment_ms: int | None
    """Milliseconds added after each move."""
    preset: str | None
    """Name of the time control; None if it has none."""
    series: str
    """Id of the first game in a series of rematches."""
    score_0: float
    """Points of player 0 in the series before this game."""
    score_1: float
    """Points of player 1 in the series before this game."""
    created_at: datetime
    seats: tuple[SeatRow, SeatRow]
    progress: GameProgress
    moves: list[MoveRow] = []
    left_at: datetime | None = None
    """When the last player left; None: a player was connected when the site last ran."""
    with_evaluation: bool = False
    """Whether two people agreed, before the game, that both see the evaluation bar."""
    period_ms: int | None = None
    """Milliseconds of a period of overtime; None: no overtime."""
    periods: int | None = None
    """The number of periods."""
    period_moves: int | None = None
    """Moves to play in a period."""
    bot_ms: int | None = None
    """Milliseconds that a bot may think about a move; None: as long as it always does."""
