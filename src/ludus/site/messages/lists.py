"""Messages of the sockets of the lobby and of the running games, in the format of wallgame.io."""

from typing import Any, Literal

from msgspec import UNSET, Struct, UnsetType, field

from ludus.games.board import Board
from ludus.games.records import Overtime

Role = Literal["host", "joiner"]


class ToldTime(Struct, frozen=True, rename="camel"):
    """The time control of a game; a game without clocks has an initial time of a day."""

    initial_seconds: int
    increment_seconds: int
    preset: str | UnsetType = UNSET
    overtime: Overtime | UnsetType = UNSET
    """An extension of Ludus: the length of a period in seconds, the number of periods, and the moves of each."""
    days_per_move: int | UnsetType = UNSET
    """An extension of Ludus."""


class Configuration(Struct, frozen=True, rename="camel"):
    """A game's variant, board size, time control, and first position."""

    game: str
    variant: str
    board_width: int
    board_height: int
    rated: bool
    time_control: ToldTime
    variant_config: dict[str, Any] | str | UnsetType = UNSET
    """The first position; left out for the usual one."""
    with_evaluation: Literal[True] | UnsetType = UNSET
    """Whether both players see the evaluation bar; left out if not.  An extension of Ludus."""


class SeatedPlayer(Struct, frozen=True, rename="camel"):
    """A player of a game."""

    player_id: int
    """1 for the player who moves first, else 2."""
    display_name: str
    role: Role
    rating: int | UnsetType = UNSET
    """The account's rating in this game and time class; left out if there is none.  An extension of Ludus."""


class PresentPlayer(SeatedPlayer, frozen=True, rename="camel", kw_only=True):
    """A player of a game, and whether the player is connected."""

    connected: bool
    ready: Literal[True] = True
    config_type: Literal["bot", "human"]
    appearance: dict[str, str]


class Snapshot(Struct, frozen=True, rename="camel"):
    """A game's players, status and configuration, without its position."""

    id: str
    status: Literal["waiting", "ready", "in-progress", "completed", "aborted"]
    config: Configuration
    match_type: Literal["friend", "matchmaking"]
    created_at: int
    """In milliseconds since 1970, as all times in these messages."""
    updated_at: int
    players: list[PresentPlayer]
    match_score: dict[Literal["1", "2"], float]


class LiveSummary(Struct, frozen=True, rename="camel"):
    """A game in the list of running games."""

    id: str
    game: str
    variant: str
    rated: bool
    time_control: ToldTime
    board_width: int
    board_height: int
    players: list[SeatedPlayer]
    status: Literal["ready", "in-progress"]
    num_moves: int = field(name="moveCount")
    average_elo: int
    last_move_at: int
    spectator_count: int


class PoolEntry(Struct, frozen=True, rename="camel"):
    """People who wait for quick pairing with the same board and the same time controls."""

    game: str
    variant: str
    board_width: int
    board_height: int
    rated: bool
    time_controls: list[ToldTime]
    """Those that they accept."""
    people: int


class OpenSeats(Struct, frozen=True, tag_field="type", tag="games"):
    """The lobby games with an open seat, newest first; and who waits for quick pairing, an extension of Ludus."""

    games: list[Snapshot]
    waiting: list[PoolEntry] = []


class LiveList(Struct, frozen=True, tag_field="type", tag="snapshot"):
    """The running games, the one with the latest move first."""

    games: list[LiveSummary]


class LiveNews(Struct, frozen=True, tag_field="type", tag="upsert"):
    """A running game that is new in the list or has changed."""

    game: LiveSummary


class LiveEnd(Struct, frozen=True, rename="camel", tag_field="type", tag="remove"):
    """A game that is no longer running."""

    game_id: str


class LiveBoard(Struct, frozen=True, rename="camel", tag_field="type", tag="board"):
    """The present board of a running game that the socket asked for with `watch`.  An extension of Ludus."""

    game_id: str
    board: Board


class ListPong(Struct, frozen=True, tag_field="type", tag="pong"):
    """The response to `ping`."""

    timestamp: int


LobbyMessage = OpenSeats | ListPong
"""Any message from the site over the lobby's socket."""
LiveMessage = LiveList | LiveNews | LiveEnd | LiveBoard | ListPong
"""Any message from the site over the socket of the running games."""
