"""The analysis protocol as data: positions and whole games of any game, asked about in JSON lines; no input or output.

One object a line, with a `type`; fields that nobody knows are refused, so that a misspelt one is not overlooked.
Values are seen by player 0.  The page about it is docs/reference/analysis.md.
"""

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct, field

from ludus.errors import BadMessage

MAX_LINE_BYTES = 1 << 20
MOST_POSITIONS = 2048
"""Of one question."""
MOST_QUOTED = 300  # characters of an error

Id = Annotated[str, Meta(min_length=1, max_length=200)]


class Analyse(Struct, frozen=True, rename="camel", tag_field="type", tag="analyse", forbid_unknown_fields=True):
    """Think about positions of a game, side by side."""

    id: Id
    game: Annotated[str, Meta(min_length=1, max_length=200)]
    """As `ludus.game` takes it."""
    setup: Any = None
    """What the game's start takes."""
    moves: list[str] = []
    """From the start on, in the game's notation."""
    plies: list[Annotated[int, Meta(ge=0)]] | Literal["all", "last"] = "last"
    """Which positions: after how many of the moves; `all` is the whole game."""
    visits: Annotated[int, Meta(ge=2)] = 400
    """Of each position."""
    seconds: Annotated[float, Meta(gt=0)] = 3600.0
    """For each position, at most, once its search has begun."""
    priority: Annotated[int, Meta(ge=-1000, le=1000)] = 0
    """Positions of a higher priority are begun first; among equal ones, those that were asked about first."""
    every: Annotated[float, Meta(ge=0.02)] | None = None
    """Seconds after which a search tells what it has found so far, again and again; None: only in the end."""
    candidates: Annotated[int, Meta(ge=0)] = 8
    """How many are told."""
    only: list[str] = []
    """The actions that are considered at the root, those of them that are legal there; empty: all."""
    policy: bool = False
    """Whether the network's own policy is told, of all legal actions."""
    ownership: bool = False
    """Whether it is told what becomes of the cells, in games that declare it."""


class Cancel(Struct, frozen=True, rename="camel", tag_field="type", tag="cancel", forbid_unknown_fields=True):
    """Break off what a question still asks; positions that are being searched are not answered any more."""

    id: Id
    finish: bool = False
    """Positions that are being searched are answered at once with what was found."""


class Status(Struct, frozen=True, rename="camel", tag_field="type", tag="status", forbid_unknown_fields=True):
    """Who is there, and how much is being done?"""

    id: Id = "status"


Question = Analyse | Cancel | Status


class CandidateAnswer(Struct, frozen=True, rename="camel"):
    """An action of a position that was searched."""

    move: str
    visits: int
    value: float
    """From -1 to 1, seen by player 0."""
    win_share: float = field(name="winrate")
    """Of player 0, from 0 to 1; a draw is half a win."""
    draw: float
    prior: float
    proof: Literal["first wins", "second wins", "draw"] | None
    line: list[str]
    """The principal variation, this action included."""


class Result(Struct, frozen=True, rename="camel", tag_field="type", tag="result"):
    """What is known of one position; the last one of a position is not partial."""

    id: str
    ply: int
    partial: bool
    to_play: int
    visits: int = 0
    value: float = 0.0
    win_share: float = field(default=0.5, name="winrate")
    draw: float = 0.0
    score: float | None = None
    """Points by which player 0 is expected to win, in games that are counted; only with `ownership`."""
    proof: Literal["first wins", "second wins", "draw"] | None = None
    best: list[str] = []
    """The actions of the best move."""
    candidates: list[CandidateAnswer] = []
    policy: dict[str, float] | None = None
    ownership: list[list[list[float]]] | None = None
    """Final maps, each cell from 0 to 1: what belongs to player 0, what to player 1."""
    outcome: str | None = None
    """Why the game is over there, in which case there was nothing to search."""
    winner: int | None = None
    seconds: float = 0.0


class Done(Struct, frozen=True, rename="camel", tag_field="type", tag="done"):
    """All positions of a question were answered, or it was cancelled."""

    id: str
    results: int
    cancelled: bool = False


class State(Struct, frozen=True, rename="camel", tag_field="type", tag="state"):
    """The answer to `status`."""

    id: str
    version: str
    minds: dict[str, list[str]]
    """Who thinks, and about which games they were trained; untrained ones play all."""
    searching: int
    waiting: int


class Error(Struct, frozen=True, rename="camel", tag_field="type", tag="error"):
    """A question that cannot be answered; nothing else was changed."""

    id: str | None
    error: str


Answer = Result | Done | State | Error

_questions = msgspec.json.Decoder(Question)
_encoder = msgspec.json.Encoder()


class _Named(Struct):
    id: Any = None


def decode(line: str | bytes) -> Question:
    """Return the question of a line; raises BadMessage."""
    try:
        return _questions.decode(line)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise BadMessage(f"{str(error)[:MOST_QUOTED]}.") from error


def id_of(line: str | bytes) -> str | None:
    """Return whose question a line is that cannot be understood, if that can be read."""
    try:
        found = msgspec.json.decode(line, type=_Named).id
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return None
    return found[:200] if isinstance(found, str) else None


def encode(answer: Answer) -> str:
    """Return an answer as a line."""
    return _encoder.encode(answer).decode()
