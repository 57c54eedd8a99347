"""Ownership: what became of the points in a finished game, as two maps that train a network.

Map 0 holds the points that are mine in the end, stones and what they alone surround, map 1 the opponent's; neutral
points are in neither.  Their difference, with komi, is the score; so cbaduk has it.
"""

from collections.abc import Callable
from functools import cache

import numpy as np

from ludus.games.go.count import count_points
from ludus.games.rules import State
from ludus.kernel import lowest_bit


@cache
def final_maps(width: int) -> Callable[[State, int, np.ndarray], None]:
    """Return the rule `final_maps` for sets of `width` words."""
    area = count_points(width).area

    def write_maps(state: State, player: int, maps: np.ndarray) -> None:
        flat = maps.reshape(maps.size)  # [2 N]
        cells = maps.shape[1] * maps.shape[2]
        black, white = area(state)
        for word in range(width):
            for owner in range(2):
                left = black[word] if owner == 0 else white[word]
                first = (0 if owner == player else cells) + 64 * word
                while left != np.uint64(0):
                    flat[first + lowest_bit(left)] = 1
                    left &= left - np.uint64(1)

    return write_maps
