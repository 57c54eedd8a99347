"""Messages from clients in wallgame.io's dialect, their parser, and the conversion of their moves into notation."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from ludus.site.messages.reading import read_as


class _IncomingMessage(BaseModel):
    model_config = ConfigDict(extra="ignore", strict=True, frozen=True)


Coordinate = Annotated[int, Field(ge=0, le=19)]


class Step(_IncomingMessage):
    """An action of a move: a pawn that moves to a cell, or a wall that is placed at one."""

    type: Literal["cat", "mouse", "elephant", "dog", "wall"]
    target: Annotated[list[Coordinate], Field(min_length=2, max_length=2)]
    orientation: Annotated[Literal["vertical", "horizontal"], Field(alias="wallOrientation")] = "vertical"


class Steps(_IncomingMessage):
    """A move, as a list of actions."""

    actions: Annotated[list[Step], Field(max_length=8)]


class ClientMessage(_IncomingMessage):
    """Any message from a client; the fields that its type requires are checked when it is handled."""

    type: Annotated[str, Field(max_length=40)]
    move: Steps | Annotated[str, Field(max_length=400)] | None = None
    seconds: int | None = None
    channel: Annotated[str, Field(max_length=40)] = "game"
    text: Annotated[str, Field(max_length=10_000)] = ""
    request_id: Annotated[str, Field(max_length=200, alias="requestId")] = ""
    action: Annotated[str, Field(max_length=40)] = ""
    payload: Any = None


def read_client_message(text: str) -> ClientMessage:
    """Parse a message from a client; raises BadMessage."""
    return read_as(ClientMessage, text)


def notation(move: Steps, height: int, *, as_played: bool = False) -> str:
    """Convert a move into the notation of wallgame.io; a target cell is its row, counted from the top, and its column.

    Args:
        move: the actions.
        height: the number of rows.
        as_played: whether to keep the order of the actions, which matters in Animal Cycle. Otherwise pawns come before
            walls, as wallgame.io writes moves, which never makes a move illegal.
    """
    letters = {"cat": "C", "mouse": "M", "elephant": "E", "dog": "D"}
    actions = move.actions
    if not as_played:
        actions = sorted(actions, key=lambda step: (step.type == "wall", step.type))
    words: list[str] = []
    for step in actions:
        row, column = step.target
        mark = letters.get(step.type) or (">" if step.orientation == "vertical" else "^")
        words.append(f"{mark}{'abcdefghijklmnopqrst'[column]}{height - row}")
    return ".".join(words) or "---"
