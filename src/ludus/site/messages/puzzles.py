"""Messages about puzzles: lists, puzzles without their solution, attempts, and solutions."""

from typing import Annotated, Any, Literal

from msgspec import Struct
from pydantic import BaseModel, Field

from ludus.site.messages.study import MAX_ACTIONS, Actions, LineInfo, StudyView


class PuzzleGame(Struct, frozen=True, rename="camel"):
    """A game that has puzzles, in the list of such games."""

    game: str
    title: str
    puzzles: list[str]
    """The names of its puzzles, the most intuitive first: sorted by the network's prior for the first right move."""
    view: StudyView
    """The position of the first puzzle, drawn as the game's picture."""


class PuzzleGames(Struct, frozen=True):
    """The response to `GET /api/puzzles`."""

    games: list[PuzzleGame]


class PuzzleView(Struct, frozen=True, rename="camel"):
    """The response to `GET /api/puzzles/{game}/{id}`: a puzzle without its solution."""

    id: str
    title: str
    """The name of the game and its variant."""
    rules: str
    """The rules in one line."""
    spec: str
    setup: dict[str, Any] | str | None
    before: list[str]
    """The moves from the first position, or from `setup`, to the position of the puzzle."""
    player: int
    """The side to move."""
    goal: Literal["win", "draw", "good"]
    """The proved result of the right moves, or `good` if an engine prefers them without a proof."""
    right: int
    """The number of right moves."""
    view: StudyView


class SolverRating(Struct, frozen=True):
    """A person's rating for the puzzles of one game."""

    rating: int
    deviation: int
    """The rating's standard error."""
    tries: int
    solved: int


class NextPuzzle(Struct, frozen=True):
    """The response to `GET /api/puzzles/{game}`: the puzzle to solve next, near the person's rating."""

    id: str
    you: SolverRating


class DailyPuzzle(Struct, frozen=True, rename="camel"):
    """The response to `GET /api/puzzle-of-the-day`: a puzzle that is the same for everybody until midnight UTC."""

    day: str
    """The date, `2026-11-29`."""
    game: str
    puzzle: PuzzleView | None
    """None: the site has no puzzles."""


class RatedTry(Struct, frozen=True):
    """What a person's first try at a puzzle changed."""

    you: SolverRating
    change: int
    """The change of the person's rating."""
    puzzle: int
    """The puzzle's rating after the try."""


class TryPuzzle(BaseModel, extra="forbid", strict=True, frozen=True):
    """The body of `POST /api/puzzles/{game}/{id}`: the actions of one whole move."""

    actions: Annotated[Actions, Field(min_length=1, max_length=MAX_ACTIONS)]


class Verdict(Struct, frozen=True):
    """The response to `POST /api/puzzles/{game}/{id}`: whether the move is right, and its notation."""

    right: bool
    move: str
    rated: RatedTry | None = None
    """None: the person has tried the puzzle before, or the database does not answer."""


class GaveUp(Struct, frozen=True):
    """The response to `POST /api/puzzles/{game}/{id}/given-up`: a person asked for the solution without a try."""

    rated: RatedTry | None


class Solution(Struct, frozen=True, rename="camel"):
    """The response to `GET /api/puzzles/{game}/{id}/solution`; values are from the view of player 0."""

    lines: list[LineInfo]
    """The right moves; the first one with its continuation."""
    played: str
    """The move that was played in the game from which the puzzle was taken."""
    value_played: float
    wrong: str
    """The best wrong move found by the search; empty if every legal move is right."""
    value_wrong: float
    value_short: float
    """The value of the position after a search of `short` visits."""
    short: int
    proved: bool
    themes: list[str]
    """What the puzzle is about, in words of its game."""
    model: str
    """The model that searched the position."""
    visits: int
    """The number of visits of its search."""
