"""What a network sees: stones by the colour that is put next, and what the opening asks for.

0     stones of the colour that is put next
1     stones of the other colour
2     ones if Black is put next
3     renju: points that are forbidden to Black, whoever is to play
then, with swap2:
      ones while more stones belong to the mover's turn (the first three, or two more)
      ones where the mover may take Black instead of playing White
      ones where the mover may also put two more
"""

from collections.abc import Callable
from functools import cache

import numpy as np

from ludus.games.game import ONGOING, State
from ludus.games.gomoku.forbidden import is_forbidden
from ludus.games.gomoku.layout import (
    CHOICE,
    COLOUR,
    INFO,
    LAST_CHOICE,
    PAD,
    RESULT,
    SIZE,
    STAGE,
    THREE,
    TWO_MORE,
    field,
    free_cells,
    stones,
)
from ludus.kernel import write_where

NUM_PLANES, NUM_RENJU, NUM_SWAP2 = 3, 1, 3


@cache
def encoder(renju: bool, swap2: bool) -> Callable[[State, np.ndarray], None]:
    """Return the rule `encode`."""

    def encode(state: State, planes: np.ndarray) -> None:
        info = int(state[INFO])
        size, stage, colour = field(info, SIZE), field(info, STAGE), field(info, COLOUR)
        cells, together = size * size, 64 // size
        flat = planes.reshape(planes.size)  # [C N]
        for plane in range(2):
            for first in range(0, size, together):
                word = 0
                for row in range(first, min(first + together, size)):
                    word |= (stones(state, row, colour ^ plane) >> PAD) << (size * (row - first))
                write_where(flat, plane * cells + first * size, np.uint64(word), 1)
        if colour == 0:
            flat[2 * cells : 3 * cells] = 1
        if renju and field(info, RESULT) == ONGOING:
            for row in range(size):
                free = free_cells(state, row, size) >> PAD
                for column in range(size):
                    if (free >> column) & 1 == 1 and is_forbidden(state, row * size + column):
                        flat[3 * cells + row * size + column] = 1
        if swap2:
            after = (NUM_PLANES + NUM_RENJU * renju) * cells
            if stage in (THREE, TWO_MORE):
                flat[after : after + cells] = 1
            if stage in (CHOICE, LAST_CHOICE):
                flat[after + cells : after + 2 * cells] = 1
            if stage == CHOICE:
                flat[after + 2 * cells : after + 3 * cells] = 1

    return encode
