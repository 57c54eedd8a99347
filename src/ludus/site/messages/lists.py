"""What goes over the sockets of the lists, of open seats and of games being played: wallgame.io's words for games."""

from typing import Any, Literal

from msgspec import UNSET, Struct, UnsetType, field

Role = Literal["host", "joiner"]


class ToldTime(Struct, frozen=True, rename="camel"):
    """The time that the players have; a day for each where there are no clocks."""

    initial_seconds: int
    increment_seconds: int
    preset: str | UnsetType = UNSET


class Configuration(Struct, frozen=True, rename="camel"):
    """Which game is played, and how."""

    game: str
    variant: str
    board_width: int
    board_height: int
    rated: bool
    time_control: ToldTime
    variant_config: dict[str, Any] | str | UnsetType = UNSET
    """Where the game begins, if not as usual."""


class SeatedPlayer(Struct, frozen=True, rename="camel"):
    """Somebody who has a seat."""

    player_id: int
    """1 or 2."""
    display_name: str
    role: Role


class PresentPlayer(SeatedPlayer, frozen=True, rename="camel", kw_only=True):
    """Somebody who has a seat, and whether they are there."""

    connected: bool
    ready: Literal[True] = True
    config_type: Literal["bot", "human"]
    appearance: dict[str, str]


class Snapshot(Struct, frozen=True, rename="camel"):
    """Who sits at a game, and how far it is."""

    id: str
    status: Literal["waiting", "ready", "in-progress", "completed", "aborted"]
    config: Configuration
    match_type: Literal["friend", "matchmaking"]
    created_at: int
    """In milliseconds since 1970, as all moments here."""
    updated_at: int
    players: list[PresentPlayer]
    match_score: dict[Literal["1", "2"], float]


class LiveSummary(Struct, frozen=True, rename="camel"):
    """A line of the list of games that are being played."""

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


class OpenSeats(Struct, frozen=True, tag_field="type", tag="games"):
    """The games that wait for anybody, newest first."""

    games: list[Snapshot]


class LiveList(Struct, frozen=True, tag_field="type", tag="snapshot"):
    """The games that are being played, the latest move first."""

    games: list[LiveSummary]


class LiveNews(Struct, frozen=True, tag_field="type", tag="upsert"):
    """A game that has begun or gone on."""

    game: LiveSummary


class LiveEnd(Struct, frozen=True, rename="camel", tag_field="type", tag="remove"):
    """A game that is not played any more."""

    game_id: str


class ListPong(Struct, frozen=True, tag_field="type", tag="pong"):
    """The answer to `ping`."""

    timestamp: int


LobbyMessage = OpenSeats | ListPong
"""Whatever the site says over the lobby's socket."""
LiveMessage = LiveList | LiveNews | LiveEnd | ListPong
"""Whatever the site says over the socket of the games being played."""
