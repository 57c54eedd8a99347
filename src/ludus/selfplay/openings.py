"""Openings from elsewhere: positions of recorded games at which some games of self-play begin.

A network that plays itself meets only what it would play; games of others show it what it would not.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ludus.store.samples import Samples


class Openings:
    """Positions to begin at, shared by the workers of a generation."""

    def __init__(self, samples: Samples, caps: Sequence[int]) -> None:
        """Take the positions of recorded games that lie before the length cap, behind which some records go on.

        Args:
            samples: the positions.
            caps: the length caps of the run's games, which `samples` number.
        """
        self._samples = samples
        self._of_game = [  # each [positions of it]
            np.flatnonzero((samples.game == game) & (samples.ply < cap)) for game, cap in enumerate(caps)
        ]

    def draw(self, game: int, rng: np.random.Generator) -> tuple[NDArray[np.uint64], int] | None:
        """Return a position [words] of one of the run's games, and its ply; None if there is none of that game."""
        among = self._of_game[game]
        if not len(among):
            return None
        drawn = int(among[rng.integers(len(among))])
        return self._samples.states[drawn], int(self._samples.ply[drawn])
