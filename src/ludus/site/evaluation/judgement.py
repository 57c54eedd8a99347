"""What the judge is asked and what it answers."""

from typing import NamedTuple

from msgspec import Struct

from ludus.errors import Unavailable
from ludus.protocol.bgs import CandidateLine, SessionConfig
from ludus.site.messages.evaluation import Trouble


class JudgeError(Unavailable):
    """Raised when the judge cannot answer; `code` is the reason as the protocol of evaluation bars names it."""

    def __init__(self, code: Trouble, text: str) -> None:
        """Create the error with the protocol's code and a message for the user."""
        super().__init__(text)
        self.code: Trouble = code


class Asked(NamedTuple):
    """A position: the board, its first position, and the moves from there."""

    config: SessionConfig
    moves: tuple[str, ...] = ()
    """In the game's notation."""


class Judgement(Struct, frozen=True):
    """The judge's view of a position; values are from player 0's view."""

    evaluation: float
    """Expected outcome, from -1 to 1; exactly -1 or 1 only for a proved win."""
    best_move: str
    """In the game's notation."""
    lines: list[CandidateLine] = []
    """The best lines, up to `MAX_LINES`, the best one first; empty if the engine reports none."""
    ownership: list[list[float]] = []
    """Expected owner of each cell by rows; empty if the engine does not report it."""
    lead: float | None = None
    """Expected lead in points; None in games without points."""
    visits: int = 0
    """Visits of the search; 0 if the engine does not report them."""
    proved: bool = False
    """Whether the evaluation is the proved outcome."""
    judge: str = ""
    """The engine's name."""
    is_final: bool = False
    """Whether more visits would change nothing."""
