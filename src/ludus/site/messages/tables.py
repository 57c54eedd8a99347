"""Responses to HTTP requests about games and bots; `state` and `snapshot` have the format of wallgame.io."""

from typing import Any, Literal

from msgspec import UNSET, Struct, UnsetType

from ludus.protocol.registration import VariantSupport
from ludus.site.messages.lists import LiveSummary, Role, Snapshot


class SeatTold(Struct, frozen=True, rename="camel", kw_only=True):
    """The requester's new seat, with its token; the site never sends the token again."""

    player_id: int
    """1 for the player who moves first, else 2."""
    token: str
    socket_token: str
    """The same as `token`."""


class SeatAgain(SeatTold, frozen=True, rename="camel", kw_only=True):
    """The response to `POST /api/me/seats/{id}`."""

    game_id: str


class BotGameOpened(SeatTold, frozen=True, rename="camel", kw_only=True):
    """The response to `POST /api/bots/play`."""

    game_id: str
    role: Literal["host"] = "host"
    share_url: str


class MatchOpened(Struct, frozen=True, rename="camel"):
    """The response to `POST /api/bots/match`."""

    game_id: str
    share_url: str


class GameOpened(Struct, frozen=True, rename="camel"):
    """The response to `POST /api/games`."""

    game_id: str
    host_token: str
    socket_token: str
    share_url: str
    snapshot: Snapshot


class Joined(SeatTold, frozen=True, rename="camel", kw_only=True, tag_field="role", tag="player"):
    """The response to `POST /api/games/{id}/join` if a seat was open."""

    seat: Literal["joiner"] = "joiner"
    snapshot: Snapshot
    share_url: str


class Watching(Struct, frozen=True, rename="camel", kw_only=True, tag_field="role", tag="spectator"):
    """The response to `POST /api/games/{id}/join` if no seat was open."""

    snapshot: Snapshot
    share_url: str


class GameTouched(Struct, frozen=True):
    """The response to `POST /api/games/{id}/abort` and `/ready`."""

    snapshot: Snapshot
    success: Literal[True] = True


class GamesWaiting(Struct, frozen=True):
    """The response to `GET /api/games/matchmaking`: the lobby games with an open seat."""

    games: list[Snapshot]


class GamesPlayed(Struct, frozen=True):
    """The response to `GET /api/games/live`: the running games."""

    games: list[LiveSummary]


class SeatShown(Struct, frozen=True, rename="camel"):
    """The seat that the request's token opens."""

    role: Role
    player_id: int
    token: str | None
    socket_token: str | None


class GameAccess(Struct, frozen=True, rename="camel", kw_only=True):
    """The response to `GET /api/games/{id}`: how the page shows the game to this visitor, such as `player`."""

    kind: Literal["not-found", "waiting", "replay", "player", "spectator"]
    game_id: str | UnsetType = UNSET
    match_type: Literal["friend", "matchmaking"] | UnsetType = UNSET
    match_status: Snapshot | UnsetType = UNSET
    reason: Literal["host-aborted", "seat-not-filled"] | UnsetType = UNSET
    seat: SeatShown | UnsetType = UNSET
    state: dict[str, Any] | UnsetType = UNSET
    share_url: str | UnsetType = UNSET


class ListedBot(Struct, frozen=True, rename="camel"):
    """An attached bot in a list of bots."""

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
    """The response to `GET /api/bots`."""

    bots: list[ListedBot]
    page: int
    pages: int


class RecommendedBot(Struct, frozen=True, rename="camel"):
    """A bot, and a board size that it recommends."""

    bot: ListedBot
    board_width: int
    board_height: int


class RecommendedBots(Struct, frozen=True):
    """The response to `GET /api/bots/recommended`."""

    bots: list[RecommendedBot]
    page: int
    pages: int


class OwnGame(Struct, frozen=True, rename="camel"):
    """An unfinished game in the list of a player's own games."""

    id: str
    game: str
    variant: str
    board_width: int
    board_height: int
    rated: bool
    status: Literal["waiting", "playing"]
    opponent: str | None
    """The opponent's name; null while the other seat is open."""
    you: int
    to_play: int | None
    """The side to move; null while a seat is open, and in games stored by older versions of the site."""
    num_moves: int
    deadline: float | None = None
    """When the side to move loses a game over days, in seconds since 1970; null in other games."""


class OwnGames(Struct, frozen=True, rename="camel"):
    """The response to `/api/me/games`: a player's unfinished games, newest first."""

    games: list[OwnGame]
