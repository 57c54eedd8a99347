"""What a bot has said of a position."""

from typing import NamedTuple


class Evaluation(NamedTuple):
    """What a position is worth."""

    value: float
    """Seen by player 0."""
    best_move: str
    """In the game's notation; empty if the game is over there."""
