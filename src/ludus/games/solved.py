"""What a game may bring for grading players: a solver, and positions and tactics of known outcome.

The game's package reads its files and knows its theory; the general form below is all that grading needs.
"""

from collections.abc import Sequence
from typing import Any, Protocol

from msgspec import Struct

from ludus.games.rules import State


class Solver(Protocol):
    """Computes outcomes under best play; it may remember what it proved."""

    @property
    def order(self) -> Sequence[int]:
        """All actions, those to prefer first: of actions without a proof, a player takes the first."""
        ...

    def value(self, state: State) -> int | None:
        """Return 1, 0 or -1 for a win, draw or loss of player 0; None if the solver reaches a limit of its own.

        Args:
            state: an unfinished state.
        """
        ...


class SolvedPosition(Struct, frozen=True):
    """An unfinished position whose outcome under best play is known."""

    name: str
    """The name of the position in errors."""
    moves: tuple[str, ...]
    """The moves from the start to the position."""
    value: int
    """1, 0 or -1 for a win, draw or loss of the player to move."""
    right: tuple[str, ...]
    """The notation of each action that keeps this outcome."""
    wrong: tuple[str, ...]
    """The notation of each other legal action."""
    setup: Any = None
    """The setup of the start; None for the usual start."""

    @property
    def is_decisive(self) -> bool:
        """Return whether some legal action changes the outcome."""
        return bool(self.wrong)

    @property
    def is_drawn(self) -> bool:
        """Return whether perfect play draws."""
        return self.value == 0


class TacticPuzzle(Struct, frozen=True):
    """A position and the moves that win it."""

    name: str
    setup: Any
    """The setup of the position before the opponent's first move."""
    moves: tuple[str, ...]
    """The opponent's move that leads to the puzzle, then alternately the player's and the opponent's moves."""
    rating: int
    themes: tuple[str, ...]
    line: int
    """Last line of the puzzle in the file, counted from 1."""

    def __str__(self) -> str:
        """Return the puzzle's name and line."""
        return f"Puzzle {self.name} (line {self.line})"
