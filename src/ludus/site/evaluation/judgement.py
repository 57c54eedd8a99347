"""What the judge is asked and what it answers."""

from typing import NamedTuple

from msgspec import Struct

from ludus.errors import BadInput, Unavailable
from ludus.games.game import Position, unusual_setup
from ludus.games.puzzle import turn_is_over
from ludus.protocol.bgs import CandidateLine, SessionConfig
from ludus.protocol.spec import setting_of
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


def config_at(position: Position) -> SessionConfig:
    """Return the board and the first position of a position's game, as the judge needs them."""
    setting, board = setting_of(position.game.name), position.describe()
    return SessionConfig(setting.variant, board.columns, board.rows, unusual_setup(position.history[0]), setting.game)


def is_within_move(position: Position) -> bool:
    """Return whether a position is in the middle of a move; only positions between moves are evaluated."""
    return position.parent is not None and not turn_is_over(position.parent, position)


def must_be_between_moves(position: Position) -> None:
    """Raise BadInput if a position to evaluate is in the middle of a move."""
    if is_within_move(position):
        raise BadInput("This move is not complete; only positions between moves can be evaluated.")


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

    def owners_on(self, config: SessionConfig) -> list[list[float]]:
        """Return the ownership of the cells of a board, without those of a larger frame."""
        return [row[: config.board_width] for row in self.ownership[: config.board_height]]
