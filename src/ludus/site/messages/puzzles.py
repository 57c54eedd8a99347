"""Puzzles as people see them, and what they send to solve one."""

from typing import Annotated, Any, Literal

from msgspec import Struct
from pydantic import BaseModel, Field

from ludus.site.messages.study import MAX_ACTIONS, Actions, LineInfo, StudyView


class PuzzleGame(Struct, frozen=True, rename="camel"):
    """A game in the list of those that there are puzzles of."""

    game: str
    title: str
    puzzles: list[str]
    """Their names, those that come most naturally first."""
    view: StudyView
    """The position of the first one, to be drawn."""


class PuzzleGames(Struct, frozen=True):
    """The answer to `GET /api/puzzles`."""

    games: list[PuzzleGame]


class PuzzleView(Struct, frozen=True, rename="camel"):
    """A puzzle without its solution: the answer to `GET /api/puzzles/{game}/{id}`."""

    id: str
    title: str
    """Of the game, with its variant."""
    rules: str
    """In a line."""
    spec: str
    setup: dict[str, Any] | str | None
    before: list[str]
    """Moves that were played first."""
    player: int
    """Who is to move."""
    goal: Literal["win", "draw", "good"]
    """What the right moves are proved to lead to; `good`: they are good, as far as an engine sees."""
    right: int
    """How many moves are right."""
    view: StudyView


class TryPuzzle(BaseModel, extra="forbid", strict=True, frozen=True):
    """`POST /api/puzzles/{game}/{id}`: the actions of one whole move."""

    actions: Annotated[Actions, Field(min_length=1, max_length=MAX_ACTIONS)]


class Verdict(Struct, frozen=True):
    """The answer to it."""

    right: bool
    move: str


class Solution(Struct, frozen=True, rename="camel"):
    """The answer to `GET /api/puzzles/{game}/{id}/solution`; values are seen by player 0."""

    lines: list[LineInfo]
    """The right moves, the first with what would follow."""
    played: str
    """The move of the game in which the puzzle was found."""
    value_played: float
    wrong: str
    """The best of the other moves, as far as a search has found; empty where none is legal."""
    value_wrong: float
    value_short: float
    """What a search of `short` visits thought of the position."""
    short: int
    proved: bool
    model: str
    """Who says so."""
    visits: int
    """Of the search that says so."""
