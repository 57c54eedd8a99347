"""What HTTP requests about games ask for: wallgame.io's bodies, with `game` added; unknown fields are ignored."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from ludus.site.table.clock import TimeControl

NO_NUL = r"^[^\x00]*$"  # which no text of PostgreSQL may hold
Name = Annotated[str, Field(max_length=50, pattern=NO_NUL)]
Appearance = dict[
    Annotated[str, Field(max_length=32, pattern=NO_NUL)], Annotated[str, Field(max_length=64, pattern=NO_NUL)]
]
Side = Annotated[int, Field(ge=3, le=25)]


class _Body(BaseModel):
    model_config = ConfigDict(extra="ignore", strict=True, frozen=True, populate_by_name=True)


class Timing(_Body):
    """How much time the players have."""

    initial_seconds: Annotated[int, Field(ge=10, le=10_800, alias="initialSeconds")]
    increment_seconds: Annotated[int, Field(ge=0, le=180, alias="incrementSeconds")]
    preset: Annotated[str, Field(max_length=20, pattern=NO_NUL)] | None = None

    @property
    def control(self) -> TimeControl:
        """Return it as the clocks take it."""
        return TimeControl(1000 * self.initial_seconds, 1000 * self.increment_seconds, self.preset)


class BoardConfig(_Body):
    """Which game on which board."""

    game: Annotated[str, Field(min_length=1, max_length=100)] = "wallgame"
    variant: Annotated[str, Field(min_length=1, max_length=40)] = "standard"
    board_width: Annotated[Side, Field(alias="boardWidth")]
    board_height: Annotated[Side, Field(alias="boardHeight")]
    setup: dict[str, Any] | Annotated[str, Field(max_length=200)] | None = None
    """The position that it begins with, as the game's `start` takes it; an extension of Ludus."""


class GameConfig(BoardConfig):
    """The game, and how it is played."""

    time_control: Annotated[Timing | None, Field(alias="timeControl")] = None
    """None: no clocks."""
    rated: bool = False


class PlayBot(_Body):
    """`POST /api/bots/play`: a person wants to play a bot, without clocks."""

    bot_id: Annotated[str, Field(min_length=1, max_length=401, alias="botId")]
    config: BoardConfig
    host_name: Annotated[Name, Field(alias="hostDisplayName")] = ""
    host_appearance: Annotated[Appearance, Field(alias="hostAppearance")] = {}
    host_is_first: Annotated[bool | None, Field(alias="hostIsPlayer1")] = None
    """None: by lot."""


class MatchBots(_Body):
    """`POST /api/bots/match`: bot against bot, the first to move first."""

    bot_ids: Annotated[list[Annotated[str, Field(max_length=401)]], Field(alias="botIds", min_length=2, max_length=2)]
    config: BoardConfig


class OpenGame(_Body):
    """`POST /api/games`: a person wants to play another."""

    config: GameConfig
    match_type: Annotated[Literal["friend", "matchmaking"], Field(alias="matchType")] = "friend"
    host_name: Annotated[Name, Field(alias="hostDisplayName")] = ""
    host_appearance: Annotated[Appearance, Field(alias="hostAppearance")] = {}
    host_is_first: Annotated[bool | None, Field(alias="hostIsPlayer1")] = None


class JoinGame(_Body):
    """`POST /api/games/ID/join`: a person wants to sit down."""

    name: Annotated[Name, Field(alias="displayName")] = ""
    appearance: Appearance = {}


class MySeats(_Body):
    """`POST /api/me/games`: a browser shows the seats that it has."""

    tokens: Annotated[
        dict[Annotated[str, Field(max_length=32, pattern=NO_NUL)], Annotated[str, Field(max_length=200)]],
        Field(max_length=50),
    ] = {}
    """By the ids of their games."""


class WithToken(_Body):
    """`POST /api/games/ID/abort` and `/ready`: a person at the table."""

    token: Annotated[str, Field(max_length=200)]
