"""What HTTP requests about games and bots are answered; states and snapshots are wallgame.io's words for a game."""

from typing import Any, Literal

from msgspec import UNSET, Struct, UnsetType

from ludus.protocol.registration import VariantSupport
from ludus.site.messages.lists import LiveSummary, Role, Snapshot


class SeatTold(Struct, frozen=True, rename="camel", kw_only=True):
    """The own seat; the token is told once."""

    player_id: int
    """1 or 2."""
    token: str
    socket_token: str
    """The same token."""


class SeatAgain(SeatTold, frozen=True, rename="camel", kw_only=True):
    """The answer to `POST /api/me/seats/{id}`."""

    game_id: str


class BotGameOpened(SeatTold, frozen=True, rename="camel", kw_only=True):
    """The answer to `POST /api/bots/play`."""

    game_id: str
    role: Literal["host"] = "host"
    share_url: str


class MatchOpened(Struct, frozen=True, rename="camel"):
    """The answer to `POST /api/bots/match`."""

    game_id: str
    share_url: str


class GameOpened(Struct, frozen=True, rename="camel"):
    """The answer to `POST /api/games`."""

    game_id: str
    host_token: str
    socket_token: str
    share_url: str
    snapshot: Snapshot


class Joined(SeatTold, frozen=True, rename="camel", kw_only=True, tag_field="role", tag="player"):
    """The answer to `POST /api/games/{id}/join` where a seat was free."""

    seat: Literal["joiner"] = "joiner"
    snapshot: Snapshot
    share_url: str


class Watching(Struct, frozen=True, rename="camel", kw_only=True, tag_field="role", tag="spectator"):
    """The answer to it where none was."""

    snapshot: Snapshot
    share_url: str


class GameTouched(Struct, frozen=True):
    """The answer to `POST /api/games/{id}/abort` and `/ready`."""

    snapshot: Snapshot
    success: Literal[True] = True


class GamesWaiting(Struct, frozen=True):
    """The answer to `GET /api/games/matchmaking`."""

    games: list[Snapshot]


class GamesPlayed(Struct, frozen=True):
    """The answer to `GET /api/games/live`."""

    games: list[LiveSummary]


class SeatShown(Struct, frozen=True, rename="camel"):
    """The seat of the player who shows its token."""

    role: Role
    player_id: int
    token: str | None
    socket_token: str | None


class GameAccess(Struct, frozen=True, rename="camel", kw_only=True):
    """The answer to `GET /api/games/{id}`: how somebody stands to a game who opens its address."""

    kind: Literal["not-found", "waiting", "replay", "player", "spectator"]
    game_id: str | UnsetType = UNSET
    match_type: Literal["friend", "matchmaking"] | UnsetType = UNSET
    match_status: Snapshot | UnsetType = UNSET
    reason: Literal["host-aborted", "seat-not-filled"] | UnsetType = UNSET
    seat: SeatShown | UnsetType = UNSET
    state: dict[str, Any] | UnsetType = UNSET
    share_url: str | UnsetType = UNSET


class ListedBot(Struct, frozen=True, rename="camel"):
    """A bot that is here."""

    id: str
    client_id: str
    bot_id: str
    name: str
    is_official: bool
    is_private: bool
    game: str
    level: str
    appearance: dict[str, str]
    variants: dict[str, VariantSupport]


class ListedBots(Struct, frozen=True):
    """The answer to `GET /api/bots`."""

    bots: list[ListedBot]


class RecommendedBot(Struct, frozen=True, rename="camel"):
    """A bot on a board that it recommends."""

    bot: ListedBot
    board_width: int
    board_height: int


class RecommendedBots(Struct, frozen=True):
    """The answer to `GET /api/bots/recommended`."""

    bots: list[RecommendedBot]


class OwnGame(Struct, frozen=True, rename="camel"):
    """A game that is not over, as a list shows it to somebody who sits there."""

    id: str
    game: str
    variant: str
    board_width: int
    board_height: int
    rated: bool
    status: Literal["waiting", "playing"]
    opponent: str | None
    """Null while the other seat is open."""
    you: int
    to_play: int | None
    """Null while a seat is open, or where an older version of the site wrote the game."""
    num_moves: int


class OwnGames(Struct, frozen=True, rename="camel"):
    """The games that somebody has not finished, the newest first."""

    games: list[OwnGame]
