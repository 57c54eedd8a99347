"""What the page and the site say to one another: strict models for what comes in, plain structs for what goes out."""

from typing import Annotated, Literal

from msgspec import Struct
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from ludus.errors import BadMessage
from ludus.games.board import Board

MAX_BYTES = 65_536


class _Incoming(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class NewGame(_Incoming):
    """`POST /api/games`: a guest wants to play a bot."""

    spec: Annotated[str, Field(min_length=1, max_length=100)]
    bot: Annotated[str, Field(min_length=1, max_length=401)]
    side: Annotated[int, Field(ge=0, le=1)] | None = None
    """None: by lot."""


class Act(_Incoming):
    """One action on the board."""

    type: Literal["act"]
    action: Annotated[int, Field(ge=0, le=32_767)]
    ply: Annotated[int, Field(ge=0)]
    """How many actions the page has seen; an older board is refused."""


class Undo(_Incoming):
    """Take back the action made in this move, or the last move and the bot's answer."""

    type: Literal["undo"]


class Resign(_Incoming):
    """Give up."""

    type: Literal["resign"]


class Rematch(_Incoming):
    """Another game with sides swapped."""

    type: Literal["rematch"]


PlayMessage = Act | Undo | Resign | Rematch
_play_message: TypeAdapter[PlayMessage] = TypeAdapter(Annotated[PlayMessage, Field(discriminator="type")])


def read_new_game(text: bytes) -> NewGame:
    """Read the body of `POST /api/games`; raises BadMessage."""
    try:
        return NewGame.model_validate_json(text)
    except ValidationError as error:
        raise BadMessage(_sentence(error)) from error


def read_play_message(text: str) -> PlayMessage:
    """Read what a page says about its game; raises BadMessage."""
    try:
        return _play_message.validate_json(text)
    except ValidationError as error:
        raise BadMessage(_sentence(error)) from error


def _sentence(error: ValidationError) -> str:
    first = error.errors(include_url=False, include_context=False, include_input=False)[0]
    where = ".".join(str(part) for part in first["loc"])
    return f"The message cannot be read: {where + ': ' if where else ''}{first['msg']}."


class PlayerInfo(Struct, frozen=True):
    """Who sits on one side."""

    name: str
    bot: bool


class MoveInfo(Struct, frozen=True):
    """A move in the list; the last one may be unfinished."""

    text: str
    player: int
    ply: int
    """Actions played after it."""


class Result(Struct, frozen=True):
    """How a game ended."""

    winner: int | None
    reason: str


class GameState(Struct, frozen=True, rename="camel", tag_field="type", tag="state"):
    """Everything that a page shows of a game, sent after every change."""

    spec: str
    title: str
    players: tuple[PlayerInfo, PlayerInfo]
    you: int | None
    to_play: int
    ply: int
    """Actions played."""
    staged: int
    """Actions already made in the present move."""
    board: Board
    """Its choices are empty unless it is your turn."""
    moves: list[MoveInfo]
    evaluation: float | None
    """The latest known, seen by player 0."""
    evaluations: list[float | None]
    """By actions played; None where nothing was evaluated (yet)."""
    thinking: bool
    can_undo: bool
    status: Literal["playing", "over"]
    result: Result | None


class ErrorMessage(Struct, frozen=True, tag_field="type", tag="error"):
    """One sentence for the person at the page."""

    message: str


class RematchMessage(Struct, frozen=True, tag_field="type", tag="rematch"):
    """The next game and the secret of your seat in it."""

    id: str
    token: str


class Seat(Struct, frozen=True):
    """The answer to `POST /api/games`."""

    id: str
    token: str


class PlyView(Struct, frozen=True):
    """The answer to `GET /api/games/{id}/plies/{n}`."""

    board: Board
    evaluation: float | None


class CatalogueBot(Struct, frozen=True):
    """A bot that plays a game."""

    id: str
    name: str
    level: str
    rank: int


class CatalogueGame(Struct, frozen=True):
    """A game that somebody here plays."""

    spec: str
    game: str
    title: str
    variant: str
    size: str
    summary: str
    board: Board
    """A typical position, for a drawing."""
    bots: list[CatalogueBot]


class Catalogue(Struct, frozen=True):
    """The answer to `GET /api/catalogue`."""

    games: list[CatalogueGame]


class Fault(Struct, frozen=True):
    """The answer to a request that cannot be served."""

    error: str
