"""Bodies of HTTP requests about games: those of wallgame.io with `game` added; unknown fields are ignored."""

from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from ludus.games import MAIN_GAME
from ludus.site.table.clock import DAY_MS, Periods, TimeControl

NO_NUL = r"^[^\x00]*$"  # PostgreSQL rejects text with NUL characters
Name = Annotated[str, Field(max_length=50, pattern=NO_NUL)]
Appearance = dict[
    Annotated[str, Field(max_length=32, pattern=NO_NUL)], Annotated[str, Field(max_length=64, pattern=NO_NUL)]
]
Side = Annotated[int, Field(ge=3, le=25)]


class _Body(BaseModel):
    model_config = ConfigDict(extra="ignore", strict=True, frozen=True, populate_by_name=True)


class OvertimeWish(_Body):
    """The overtime of a new game: byo-yomi (periods of one move) or Canadian overtime (one period of several moves)."""

    period_seconds: Annotated[int, Field(ge=5, le=3600, alias="periodSeconds")]
    periods: Annotated[int, Field(ge=1, le=10)] = 1
    moves: Annotated[int, Field(ge=1, le=50)] = 1

    @model_validator(mode="after")
    def _is_one_of_both(self) -> Self:
        if self.periods > 1 and self.moves > 1:
            raise ValueError("overtime has several periods, or several moves in one period, not both")
        return self


class Timing(_Body):
    """The time control of a new game: a main time with an increment or overtime, or a number of days for each move."""

    initial_seconds: Annotated[int, Field(ge=0, le=10_800, alias="initialSeconds")] = 0
    increment_seconds: Annotated[int, Field(ge=0, le=180, alias="incrementSeconds")] = 0
    preset: Annotated[str, Field(max_length=20, pattern=NO_NUL)] | None = None
    overtime: OvertimeWish | None = None
    days_per_move: Annotated[int | None, Field(ge=1, le=14, alias="daysPerMove")] = None

    @model_validator(mode="after")
    def _is_one_kind(self) -> Self:
        if self.days_per_move and (self.initial_seconds or self.increment_seconds or self.overtime):
            raise ValueError("with daysPerMove, leave the other times out")
        if self.overtime and self.increment_seconds:
            raise ValueError("a clock has an increment or overtime, not both")
        if not self.days_per_move and not self.overtime and self.initial_seconds < 10:
            raise ValueError("without overtime, initialSeconds is at least 10")
        return self

    @property
    def control(self) -> TimeControl:
        """Return the time control for the clocks, in milliseconds."""
        overtime = Periods(DAY_MS * self.days_per_move) if self.days_per_move else None
        if self.overtime:
            overtime = Periods(1000 * self.overtime.period_seconds, self.overtime.periods, self.overtime.moves)
        return TimeControl(1000 * self.initial_seconds, 1000 * self.increment_seconds, self.preset, overtime)


class BoardConfig(_Body):
    """The game, its variant, its board size, and its first position."""

    game: Annotated[str, Field(min_length=1, max_length=100)] = MAIN_GAME
    variant: Annotated[str, Field(min_length=1, max_length=40)] = "standard"
    board_width: Annotated[Side, Field(alias="boardWidth")]
    board_height: Annotated[Side, Field(alias="boardHeight")]
    setup: dict[str, Any] | Annotated[str, Field(max_length=200)] | None = None
    """The first position, as the game's `start` accepts it; None for the usual one. An extension of Ludus."""


class GameConfig(BoardConfig):
    """A board configuration with a time control, rated or not."""

    time_control: Annotated[Timing | None, Field(alias="timeControl")] = None
    """The time control; None for a game without clocks."""
    rated: bool = False
    with_evaluation: Annotated[bool, Field(alias="withEvaluation")] = False
    """Whether both players see the evaluation bar, without best moves; who joins agrees.  Not in rated games."""


class PlayBot(_Body):
    """The body of `POST /api/bots/play`: open a game against a bot."""

    bot_id: Annotated[str, Field(min_length=1, max_length=401, alias="botId")]
    config: BoardConfig
    time_control: Annotated[Timing | None, Field(alias="timeControl")] = None
    """The time control, an extension of Ludus; None for a game without clocks."""
    bot_seconds: Annotated[int | None, Field(ge=1, le=600, alias="botSeconds")] = None
    """How long the bot may think about each move, an extension of Ludus; None: as long as it always does."""
    host_name: Annotated[Name, Field(alias="hostDisplayName")] = ""
    host_appearance: Annotated[Appearance, Field(alias="hostAppearance")] = {}
    host_is_first: Annotated[bool | None, Field(alias="hostIsPlayer1")] = None
    """Whether the host moves first; None draws lots."""


class MatchBots(_Body):
    """The body of `POST /api/bots/match`: open a game between two bots; the first one in the list moves first."""

    bot_ids: Annotated[list[Annotated[str, Field(max_length=401)]], Field(alias="botIds", min_length=2, max_length=2)]
    config: BoardConfig


class OpenGame(_Body):
    """The body of `POST /api/games`: open a game against another person."""

    config: GameConfig
    match_type: Annotated[Literal["friend", "matchmaking"], Field(alias="matchType")] = "friend"
    host_name: Annotated[Name, Field(alias="hostDisplayName")] = ""
    host_appearance: Annotated[Appearance, Field(alias="hostAppearance")] = {}
    host_is_first: Annotated[bool | None, Field(alias="hostIsPlayer1")] = None


class JoinGame(_Body):
    """The body of `POST /api/games/{id}/join`: take the open seat of a game."""

    name: Annotated[Name, Field(alias="displayName")] = ""
    appearance: Appearance = {}


class MySeats(_Body):
    """The body of `POST /api/me/games`: the tokens of the seats that a browser has."""

    tokens: Annotated[
        dict[Annotated[str, Field(max_length=32, pattern=NO_NUL)], Annotated[str, Field(max_length=200)]],
        Field(max_length=50),
    ] = {}
    """Seat tokens by game id."""


class WithToken(_Body):
    """The body of `POST /api/games/{id}/abort` and `/ready`: the token of a player's seat."""

    token: Annotated[str, Field(max_length=200)]
