"""Openings: positions of recorded games at which some self-play games begin.

A network that plays itself meets only positions that it would reach; recorded games add others.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ludus.store.samples import Samples


class Openings:
    """A collection of start positions, shared by the workers of a generation."""

    def __init__(self, samples: Samples, caps: Sequence[int]) -> None:
        """Keep the positions below the length cap, which some recorded games exceed.

        Args:
            samples: the positions.
            caps: the length caps of the run's games, in the order of the game numbers in `samples`.
        """
        self._samples = samples
        self._of_game = [  # for each game, the indices of its positions
            np.flatnonzero((samples.game == game) & (samples.ply < cap)) for game, cap in enumerate(caps)
        ]

    def draw(self, game: int, rng: np.random.Generator) -> tuple[NDArray[np.uint64], int] | None:
        """Return a random position [words] of a game of the run and its ply; None if there is none of that game."""
        among = self._of_game[game]
        if not len(among):
            return None
        drawn = int(among[rng.integers(len(among))])
        return self._samples.states[drawn], int(self._samples.ply[drawn])
