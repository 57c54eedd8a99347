"""What a page shows that lets people put a position together, and what it sends."""

from typing import Annotated, Any, Literal

from msgspec import Struct
from pydantic import BaseModel, ConfigDict, Field

from ludus.games.board import Board
from ludus.site.messages.choices import Named

MAX_CELLS = 625
Place = Annotated[int, Field(ge=0, le=24)]


class PieceKind(Struct, frozen=True):
    """A piece that may be put on the board."""

    shape: str
    owner: int | None
    name: str
    single: bool = False
    """Exactly one of them stands on the board: it goes from cell to cell and never leaves."""


class Kit(Struct, frozen=True, rename="camel"):
    """The answer to `POST /api/study/kit`: the position to begin with, and all that can be changed of it."""

    board: Board
    """Without choices."""
    kinds: list[PieceKind]
    """Empty: nobody puts positions of this game together."""
    edges: list[str]
    """Sides of cells on which walls may be put."""
    to_play: int
    movers: list[Named]
    """Who may be to move, by number; empty: there is no choice."""
    switches: list[Named]
    """What else is true of a position or not, such as a right to castle."""
    on: list[str]
    """Those that are on."""


class PutPiece(BaseModel):
    """A piece that was put on a cell."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    at: tuple[Place, Place]
    shape: Annotated[str, Field(max_length=20)]
    owner: Literal[0, 1] | None


class PutEdge(BaseModel):
    """A wall that was put on a side of a cell."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    at: tuple[Place, Place]
    side: Literal["right", "top"]
    owner: Literal[0, 1] | None = None


class Arrangement(BaseModel):
    """`POST /api/study/arrange`: what somebody has put together."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    spec: Annotated[str, Field(min_length=1, max_length=100)]
    setup: dict[str, Any] | str | None = None
    """What it was made from: what cannot be put by hand, such as a komi, stays as it is there."""
    pieces: Annotated[list[PutPiece], Field(max_length=MAX_CELLS)]
    edges: Annotated[list[PutEdge], Field(max_length=2 * MAX_CELLS)] = []
    to_play: Annotated[Literal[0, 1], Field(alias="toPlay")] = 0
    switches: Annotated[list[Annotated[str, Field(max_length=20)]], Field(max_length=16)] = []
