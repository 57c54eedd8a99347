"""What the evaluation bar's socket says and hears: wallgame.io's messages with `game` added, other fields ignored."""

from typing import Annotated, Literal

import msgspec
from msgspec import Struct
from pydantic import BaseModel, ConfigDict, Field, RootModel

from ludus.site.database.records import Evaluation
from ludus.site.messages.page import PongMessage

MAX_BYTES = 4096
Rejection = Literal["NO_BOT", "RATED_PLAYER", "UNSUPPORTED_VARIANT", "GAME_NOT_FOUND", "INTERNAL_ERROR"]
Trouble = Literal["TIMEOUT", "BOT_DISCONNECTED", "INVALID_POSITION", "NOT_CONNECTED", "INTERNAL_ERROR"]


class _EvalIncoming(BaseModel):
    model_config = ConfigDict(extra="ignore", strict=True, frozen=True)


class Handshake(_EvalIncoming):
    """The first message: which game's bar this is to be."""

    type: Literal["eval-handshake"]
    game_id: Annotated[str, Field(max_length=100, alias="gameId")]
    variant: Annotated[str, Field(max_length=40)]
    board_width: Annotated[int, Field(ge=1, le=100, alias="boardWidth")]
    board_height: Annotated[int, Field(ge=1, le=100, alias="boardHeight")]
    game: Annotated[str, Field(max_length=100)] = "wallgame"


class EvalPing(_EvalIncoming):
    """Are you there?"""

    type: Literal["ping"]


EvalMessage = Handshake | EvalPing


class ToBar(RootModel[Annotated[EvalMessage, Field(discriminator="type")]]):
    """Whatever a page says over its evaluation bar's socket."""


class BarAccepted(Struct, frozen=True, tag_field="type", tag="eval-handshake-accepted"):
    """The bar is open."""


class BarRejected(Struct, frozen=True, tag_field="type", tag="eval-handshake-rejected"):
    """The answer to a handshake that leads to nothing."""

    code: Rejection
    message: str


class BarPending(Struct, frozen=True, rename="camel", tag_field="type", tag="eval-pending"):
    """A history of so many moves is being built."""

    total_moves: int


class BarEntry(Struct, frozen=True, rename="camel"):
    """What is known of a position."""

    ply: int
    """Moves made."""
    evaluation: float
    best_move: str


class BarHistory(Struct, frozen=True, tag_field="type", tag="eval-history"):
    """All that is known, by moves made."""

    entries: list[BarEntry]


class BarUpdate(BarEntry, frozen=True, rename="camel", tag_field="type", tag="eval-update"):
    """One entry more."""


class BarTrouble(Struct, frozen=True, tag_field="type", tag="eval-error"):
    """What keeps the bar from being filled."""

    code: Trouble
    message: str


BarMessage = BarAccepted | BarRejected | BarPending | BarHistory | BarUpdate | BarTrouble | PongMessage
"""Whatever the site says over an evaluation bar's socket."""


def history(known: dict[int, Evaluation]) -> BarHistory:
    """Return all that is known, by moves made."""
    return BarHistory([BarEntry(ply, found.value, found.best_move) for ply, found in sorted(known.items())])


def update(ply: int, found: Evaluation) -> BarUpdate:
    """Return one entry more."""
    return BarUpdate(ply, found.value, found.best_move)


def encode(message: BarMessage) -> str:
    """Return a message's JSON text."""
    return msgspec.json.encode(message).decode()
