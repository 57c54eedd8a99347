"""Openings from elsewhere: positions of recorded games at which some games of self-play begin.

A network that plays itself meets only what it would play; games of others show it what it would not.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ludus.store.samples import Samples


class Openings:
    """Positions to begin at, shared by the workers of a generation."""

    def __init__(self, samples: Samples, num_games: int) -> None:
        """Take the positions of recorded games; `num_games` is how many games the run has, which `samples` number."""
        self._samples = samples
        self._of_game = [np.flatnonzero(samples.game == game) for game in range(num_games)]  # each [positions of it]

    def draw(self, game: int, rng: np.random.Generator) -> tuple[NDArray[np.uint64], int] | None:
        """Return a position [words] of one of the run's games, and its ply; None if there is none of that game."""
        among = self._of_game[game]
        if not len(among):
            return None
        drawn = int(among[rng.integers(len(among))])
        return self._samples.states[drawn], int(self._samples.ply[drawn])
