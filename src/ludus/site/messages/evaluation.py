"""What the evaluation bar's socket says and hears: wallgame.io's messages with `game` added, other fields ignored."""

from typing import Annotated, Any, Literal

import msgspec
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from ludus.site.database.records import Evaluation

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
INCOMING: TypeAdapter[EvalMessage] = TypeAdapter(Annotated[EvalMessage, Field(discriminator="type")])

ACCEPTED = '{"type":"eval-handshake-accepted"}'
PONG = '{"type":"pong"}'


def rejected(code: Rejection, message: str) -> str:
    """Return the answer to a handshake that leads to nothing."""
    return _text({"type": "eval-handshake-rejected", "code": code, "message": message})


def pending(total_moves: int) -> str:
    """Return the message that a history of so many moves is being built."""
    return _text({"type": "eval-pending", "totalMoves": total_moves})


def history(known: dict[int, Evaluation]) -> str:
    """Return all that is known, by moves made."""
    return _text({"type": "eval-history", "entries": [_entry(ply, known[ply]) for ply in sorted(known)]})


def update(ply: int, found: Evaluation) -> str:
    """Return one entry more."""
    return _text({"type": "eval-update", **_entry(ply, found)})


def trouble(code: Trouble, message: str) -> str:
    """Return what keeps the bar from being filled."""
    return _text({"type": "eval-error", "code": code, "message": message})


def _entry(ply: int, found: Evaluation) -> dict[str, Any]:
    return {"ply": ply, "evaluation": found.value, "bestMove": found.best_move}


def _text(message: dict[str, Any]) -> str:
    return msgspec.json.encode(message).decode()
