"""Messages of the analysis protocol: JSON lines that request and return evaluations of positions of any game.

Each line is one object with a `type`; unknown fields are refused, so that misspelt ones are noticed.  Values are from
player 0's view.  The protocol is documented in docs/reference/analysis.md.
"""

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct, field

from ludus.errors import BadMessage

MAX_LINE_BYTES = 1 << 20
MOST_POSITIONS = 2048
"""Most positions in one request."""
MOST_QUOTED = 300  # characters of a parse error in the error message

Id = Annotated[str, Meta(min_length=1, max_length=200)]


class Analyse(Struct, frozen=True, rename="camel", tag_field="type", tag="analyse", forbid_unknown_fields=True):
    """Request to search positions of one game."""

    id: Id
    game: Annotated[str, Meta(min_length=1, max_length=200)]
    """Name of the game, as for `ludus.game`."""
    setup: Any = None
    """Setup of the start position, as for `Game.start`."""
    moves: list[str] = []
    """Moves from the start position, in the game's notation."""
    plies: list[Annotated[int, Meta(ge=0)]] | Literal["all", "last"] = "last"
    """Positions to search, by their number of moves; `all`: every position of the game."""
    visits: Annotated[int, Meta(ge=2)] = 400
    """Visits per position."""
    seconds: Annotated[float, Meta(gt=0)] = 3600.0
    """Longest search of each position, in seconds."""
    priority: Annotated[int, Meta(ge=-1000, le=1000)] = 0
    """Positions with a higher priority are searched first; equal ones in the order of their requests."""
    every: Annotated[float, Meta(ge=0.02)] | None = None
    """Interval of partial results, in seconds; None: only the final result is sent."""
    candidates: Annotated[int, Meta(ge=0)] = 8
    """Most candidates in a result."""
    only: list[str] = []
    """Restrict the search at the root to these actions, where they are legal; empty: all actions."""
    policy: bool = False
    """Whether results include the network's policy over all legal actions."""
    ownership: bool = False
    """Whether results include the final owners of cells, in games that declare them."""


class Cancel(Struct, frozen=True, rename="camel", tag_field="type", tag="cancel", forbid_unknown_fields=True):
    """Request to cancel an `analyse` request, including running searches."""

    id: Id
    finish: bool = False
    """Whether running searches end at once with a final result; otherwise they return nothing more."""


class Status(Struct, frozen=True, rename="camel", tag_field="type", tag="status", forbid_unknown_fields=True):
    """Request for the version, the models and the numbers of running and waiting searches."""

    id: Id = "status"


Question = Analyse | Cancel | Status


class CandidateAnswer(Struct, frozen=True, rename="camel"):
    """An action at the root of a search, with its statistics."""

    move: str
    visits: int
    value: float
    """From -1 to 1, from player 0's view."""
    win_share: float = field(name="winrate")
    """Expected score of player 0, from 0 to 1; a draw is half a win."""
    draw: float
    prior: float
    proof: Literal["first wins", "second wins", "draw"] | None
    line: list[str]
    """The principal variation, beginning with this action."""


class Result(Struct, frozen=True, rename="camel", tag_field="type", tag="result"):
    """The result of one position; the last result of a position has `partial` false."""

    id: str
    ply: int
    partial: bool
    to_play: int
    visits: int = 0
    value: float = 0.0
    win_share: float = field(default=0.5, name="winrate")
    draw: float = 0.0
    score: float | None = None
    """Expected margin of player 0 in points, in games with scores; only with `ownership`."""
    proof: Literal["first wins", "second wins", "draw"] | None = None
    best: list[str] = []
    """The actions of the best move."""
    candidates: list[CandidateAnswer] = []
    policy: dict[str, float] | None = None
    ownership: list[list[list[float]]] | None = None
    """Two maps of the cells, of player 0 and of player 1: the probability that the player owns the cell at the end."""
    outcome: str | None = None
    """Why the game is over in this position; None: it is not over, and was searched."""
    winner: int | None = None
    seconds: float = 0.0


class Done(Struct, frozen=True, rename="camel", tag_field="type", tag="done"):
    """The end of a request: all its positions are answered, or it was cancelled."""

    id: str
    results: int
    cancelled: bool = False


class State(Struct, frozen=True, rename="camel", tag_field="type", tag="state"):
    """The answer to `status`."""

    id: str
    version: str
    minds: dict[str, list[str]]
    """Names of the models with the games that each was trained for; an untrained one plays all games."""
    searching: int
    waiting: int


class Error(Struct, frozen=True, rename="camel", tag_field="type", tag="error"):
    """The answer to a request that cannot be carried out; other requests are unaffected."""

    id: str | None
    error: str


Answer = Result | Done | State | Error

_questions = msgspec.json.Decoder(Question)
_encoder = msgspec.json.Encoder()


class _Named(Struct):
    id: Any = None


def decode(line: str | bytes) -> Question:
    """Parse a line as a request; raises BadMessage."""
    try:
        return _questions.decode(line)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise BadMessage(f"{str(error)[:MOST_QUOTED]}.") from error


def id_of(line: str | bytes) -> str | None:
    """Return the `id` of a request that could not be parsed; None if it has no readable one."""
    try:
        found = msgspec.json.decode(line, type=_Named).id
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return None
    return found[:200] if isinstance(found, str) else None


def encode(answer: Answer) -> str:
    """Encode an answer as a line of JSON, without line feed."""
    return _encoder.encode(answer).decode()
