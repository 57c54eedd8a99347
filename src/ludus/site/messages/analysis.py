"""What a bot thinks of a position of an analysis board or a replay, as the page is told it."""

from msgspec import Struct

from ludus.site.messages.page import MoveInfo


class LineInfo(Struct, frozen=True, rename="camel"):
    """What would be played."""

    moves: list[MoveInfo]
    actions: list[int]
    evaluation: float
    visits: int


class LineEvaluation(Struct, frozen=True, rename="camel"):
    """The answer to `POST /api/study/evaluation`."""

    evaluation: float
    """Seen by player 0."""
    best_move: str
    lines: list[LineInfo]
    """The best first; empty if the bot tells none."""
    ownership: list[list[float]]
    """The final owner of each cell, seen by player 0, row by row; empty where the bot does not say."""
    bot: str
    """Who says so."""
