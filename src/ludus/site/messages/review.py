"""Messages about reviews: a judge's evaluation of every position of a finished game."""

from typing import Annotated, Literal

from msgspec import Struct
from pydantic import BaseModel, Field

from ludus.site.messages.archive import MAX_LINK_CHARS


class ReviewedLine(Struct, frozen=True, rename="camel"):
    """A line of best play from a position of the game."""

    moves: list[str]
    """In the game's notation."""
    evaluation: float
    """The value of the line from player 0's view."""
    visits: int
    proved: bool = False
    """Whether the value is the proved outcome."""
    wins_in: int = 0
    """Within how many of its own moves the side with a proved win wins; 0: unknown."""
    words: str = ""
    """What people read instead of the win chance of a forced win, such as `mate in 3`."""


class ReviewedPosition(Struct, frozen=True, rename="camel"):
    """The judge's evaluation of a position between two moves."""

    evaluation: float
    """The value from player 0's view; the exact outcome if the game is over."""
    best_move: str
    """Empty if the game is over."""
    lines: list[ReviewedLine] = []
    """The best lines, the best one first."""
    ownership: list[list[int]] = []
    """The expected owner of each cell by rows in per cent, 100 for player 0 and -100 for player 1; empty if the judge
    does not report it."""
    lead: float | None = None
    """The expected lead of player 0 in points; None in games without points."""
    proved: bool = False
    """Whether the value is the proved outcome."""


class JudgedPosition(Struct, frozen=True):
    """A position of a review that is being made, with what was spent on it; not sent to pages."""

    position: ReviewedPosition
    judge: str = ""
    """The judge's name; empty at the end of the game."""
    visits: int = 0
    is_final: bool = False
    """Whether more visits would change nothing."""
    is_deep: bool = False
    """Whether it got its second look."""


class ReviewMade(Struct, frozen=True):
    """Who made a review, and when."""

    judge: str
    """The name of the bot that judged."""
    visits: int
    """The median of its visits for a position."""
    made: float
    """In seconds since 1970."""


class Review(ReviewMade, frozen=True):
    """The response to `GET /api/reviews/{key}/positions`: a finished review."""

    positions: list[ReviewedPosition]
    """The positions after 0, 1, 2, ... moves; a last incomplete move is left out."""


class ReviewState(Struct, frozen=True, rename="camel"):
    """What is known about the review of a game."""

    key: str
    """Names the review: a hash of the game's rules, first position and moves."""
    state: Literal["none", "waiting", "running", "done"]
    """`done`: there is a review and no better one is being made."""
    ahead: int = 0
    """While `waiting`: the number of reviews that come first."""
    done: int = 0
    """While `running`: the number of positions that are evaluated."""
    total: int = 0
    """The number of positions of the game, while `waiting` or `running`."""
    deeper: bool = False
    """Whether all were evaluated once, and `done` of `total` positions around swings were evaluated more deeply."""
    evaluations: list[float] = []
    """While `running`: the values of these positions from player 0's view, from the start of the game."""
    yours: bool = False
    """Whether this address has asked for the review that is being made, and may cancel it."""
    trouble: str = ""
    """Why the last attempt failed; empty if it did not."""
    kept: ReviewMade | None = None
    """The review that exists; it stays until a better one is complete."""
    better: str = ""
    """The name of the judge that is connected now, if it is another one than that of the kept review."""


class WishReview(BaseModel, extra="forbid", strict=True, frozen=True):
    """The body of `POST /api/reviews`: the game to review, by its id or by a link that contains it."""

    game: Annotated[str, Field(max_length=32)] = ""
    """The id of a finished game of this site; empty: the game of `link`."""
    link: Annotated[str, Field(max_length=4 * MAX_LINK_CHARS)] = ""
