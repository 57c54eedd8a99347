"""Time control: how long to think about a move, given what is left on the clock."""

import math

import msgspec

EXPECTED_MOVES = 30  # that a player is still to make, by default
INCREMENT_SHARE = 0.8  # of the increment, less the overhead, that is spent at once
MOST = 0.5  # of what is left that a move may take, unless it is the last one before the clock gains time
LONGEST = 3.0  # times its share of the clock that a move may take, if the search is unsure


class Budget(msgspec.Struct, frozen=True):
    """Seconds for one move."""

    seconds: float
    """If the search is sure of what it found."""
    extension: float = 0.0
    """So many more if it is not."""


class ClockState(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is left on a player's clock: sudden death, with or without an increment, or so many moves in a time."""

    remaining_s: float
    """Seconds on the clock."""
    increment_s: float = 0.0
    """Seconds that the clock gains with each move."""
    moves_to_go: int = 0
    """Moves until the clock gains more time; 0: none, the game is to be finished."""
    overhead_s: float = 0.05
    """Seconds that are lost between the engine and the clock with each move."""

    def __post_init__(self) -> None:
        """Refuse what no clock shows."""
        if not (math.isfinite(self.remaining_s) and self.increment_s >= 0.0 and self.overhead_s >= 0.0):
            raise ValueError("remaining_s must be a number, increment_s and overhead_s 0 or more")
        if self.moves_to_go < 0:
            raise ValueError("moves_to_go must be 0 or more")

    def budget(self, expected_moves: int = EXPECTED_MOVES) -> Budget:
        """Return how long to think about the next move.

        It is never more than half of what is on the clock, less the overhead, so that something is left if the machine
        was busy for a moment; the last move before the clock gains time may take all of it, less the overhead.  Who
        keeps to it does not lose on time.

        Args:
            expected_moves: that this player is still to make, where `moves_to_go` does not say it.
        """
        left = max(0.0, self.remaining_s - self.overhead_s)
        moves = self.moves_to_go or max(1, expected_moves)
        gain = INCREMENT_SHARE * max(0.0, self.increment_s - self.overhead_s)
        longest = min(left if moves == 1 else MOST * left, LONGEST * left / (moves + LONGEST - 1.0) + gain)
        seconds = min(left / moves + gain, longest)
        return Budget(seconds, longest - seconds)
