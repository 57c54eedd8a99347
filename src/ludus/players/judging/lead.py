"""Predicts the lead of a game with points from its expected final maps."""

import numpy as np
from numpy.typing import NDArray

from ludus.games.game import Position
from ludus.games.registry import about


def expected_lead(position: Position, maps: NDArray[np.float32]) -> float | None:
    """Return the expected lead of player 0 in points; None for a game without points.

    Args:
        position: an unfinished position.
        maps: its expected final maps, seen by player 0 [2, H, W].
    """
    beside = about(position.game.name).lead
    return None if beside is None else float(maps[0].sum() - maps[1].sum()) + beside(position.state)
