"""Time management: computes the time for a move from the player's clock."""

from __future__ import annotations

import math
from typing import NamedTuple

import msgspec

EXPECTED_MOVES = 30  # default estimate of a player's remaining moves
INCREMENT_SHARE = 0.8  # share of the increment, minus the overhead, that each move uses
MOST = 0.5  # largest share of the remaining time for a move, unless the clock gains time after this move
PERIOD_SHARE = 0.8  # share of a period of byo-yomi that a move uses; the unused rest is lost
LONGEST = 3.0  # largest multiple of the usual time for a move, if the search is unsure


class Budget(msgspec.Struct, frozen=True):
    """Time for one move."""

    seconds: float
    """Seconds if the search is sure of its best move."""
    extension: float = 0.0
    """Additional seconds if it is unsure."""


class PeriodRules(NamedTuple):
    """Periods that begin when the main time is used up."""

    period_s: float
    moves: int = 1
    """Moves to play in a period."""
    is_byo_yomi: bool = True
    """Whether the unused rest of a period is lost with each move."""

    def budget(self, left_s: float, moves: int, overhead_s: float) -> Budget:
        """Return the time for the next move in a period.

        Args:
            left_s: the rest of the period in seconds.
            moves: moves to play in this rest.
            overhead_s: seconds lost by communication in each move.
        """
        if self.is_byo_yomi:
            return Budget(max(0.0, PERIOD_SHARE * left_s - overhead_s))
        return ClockState(remaining_s=left_s, moves_to_go=moves, overhead_s=overhead_s).budget()

    def budget_before(self, main: ClockState, expected_moves: int) -> Budget:
        """Return the time for the next move in the main time; a move that exhausts it continues in a period."""
        now, more = main.budget(expected_moves), self.budget(self.period_s, self.moves, main.overhead_s)
        return Budget(now.seconds + more.seconds, now.extension + more.extension)


class ClockState(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A player's clock: sudden death with or without an increment, or a number of moves per period."""

    remaining_s: float
    """Seconds on the clock."""
    increment_s: float = 0.0
    """Seconds added to the clock with each move."""
    moves_to_go: int = 0
    """Moves until the next period; 0: the time is for the rest of the game."""
    overhead_s: float = 0.05
    """Seconds lost by communication in each move."""

    def __post_init__(self) -> None:
        """Check the values; raises ValueError."""
        if not (math.isfinite(self.remaining_s) and self.increment_s >= 0.0 and self.overhead_s >= 0.0):
            raise ValueError("remaining_s must be a number, increment_s and overhead_s 0 or more")
        if self.moves_to_go < 0:
            raise ValueError("moves_to_go must be 0 or more")

    def budget(self, expected_moves: int = EXPECTED_MOVES) -> Budget:
        """Return the time for the next move.

        It is at most half of the remaining time minus the overhead, as a reserve for delays; the last move of a period
        may use all of it.  A player that keeps within this time does not lose on time.

        Args:
            expected_moves: estimate of the player's remaining moves, if `moves_to_go` is 0.
        """
        left = max(0.0, self.remaining_s - self.overhead_s)
        moves = self.moves_to_go or max(1, expected_moves)
        gain = INCREMENT_SHARE * max(0.0, self.increment_s - self.overhead_s)
        longest = min(left if moves == 1 else MOST * left, LONGEST * left / (moves + LONGEST - 1.0) + gain)
        seconds = min(left / moves + gain, longest)
        return Budget(seconds, longest - seconds)
