"""Messages of the evaluation bar's socket: those of wallgame.io with `game` added; unknown fields are ignored."""

from typing import Annotated, Literal

from msgspec import Struct
from pydantic import BaseModel, ConfigDict, Field, RootModel

from ludus.games import MAIN_GAME
from ludus.site.messages.page import PongMessage

MAX_BYTES = 4096
Rejection = Literal["NO_BOT", "RATED_PLAYER", "NOT_AGREED", "UNSUPPORTED_VARIANT", "GAME_NOT_FOUND", "INTERNAL_ERROR"]
Trouble = Literal["TIMEOUT", "BOT_DISCONNECTED", "INVALID_POSITION", "NOT_CONNECTED", "INTERNAL_ERROR"]


class _EvalIncoming(BaseModel):
    model_config = ConfigDict(extra="ignore", strict=True, frozen=True)


class Handshake(_EvalIncoming):
    """The first message: the game to evaluate, and its board."""

    type: Literal["eval-handshake"]
    game_id: Annotated[str, Field(max_length=100, alias="gameId")]
    variant: Annotated[str, Field(max_length=40)]
    board_width: Annotated[int, Field(ge=1, le=100, alias="boardWidth")]
    board_height: Annotated[int, Field(ge=1, le=100, alias="boardHeight")]
    game: Annotated[str, Field(max_length=100)] = MAIN_GAME
    token: Annotated[str, Field(max_length=200)] | None = None
    """The token of the client's seat; null for a spectator."""


class EvalPing(_EvalIncoming):
    """Request a `pong`, which shows that the connection works."""

    type: Literal["ping"]


EvalMessage = Handshake | EvalPing


class ToBar(RootModel[Annotated[EvalMessage, Field(discriminator="type")]]):
    """Any message from a page over an evaluation bar's socket."""


class BarAccepted(Struct, frozen=True, tag_field="type", tag="eval-handshake-accepted"):
    """The site accepts the handshake; evaluations follow."""


class BarRejected(Struct, frozen=True, tag_field="type", tag="eval-handshake-rejected"):
    """The site rejects the handshake, and closes the socket."""

    code: Rejection
    message: str


class BarPending(Struct, frozen=True, rename="camel", tag_field="type", tag="eval-pending"):
    """The evaluations of a game with `total_moves` moves are being computed."""

    total_moves: int


class BarEntry(Struct, frozen=True, rename="camel"):
    """The evaluation of one position."""

    ply: int
    """The number of moves before the position."""
    evaluation: float
    """From player 0's view; exactly -1 or 1 only if the game is over, or a win is proved."""
    best_move: str
    """Empty also for players who may not see it."""
    lead: float | None = None
    """Expected lead of player 0 in points; null in games without points."""
    wins_in: int = 0
    """Moves within which the side with a proved win wins; 0: unknown, or for players who may not see it."""


class BarHistory(Struct, frozen=True, tag_field="type", tag="eval-history"):
    """All known evaluations, by the number of moves before the position."""

    entries: list[BarEntry]


class BarUpdate(BarEntry, frozen=True, rename="camel", tag_field="type", tag="eval-update"):
    """The evaluation of one more position."""


class BarTrouble(Struct, frozen=True, tag_field="type", tag="eval-error"):
    """An evaluation failed, with the reason."""

    code: Trouble
    message: str


BarMessage = BarAccepted | BarRejected | BarPending | BarHistory | BarUpdate | BarTrouble | PongMessage
"""Any message from the site over an evaluation bar's socket."""
