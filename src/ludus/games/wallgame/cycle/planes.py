"""The network's input for animal-cycle: nine planes [columns, rows] of the frame, seen by the mover.

    0 1    distance of every cell from my first pawn, and from its prey
    2 3    distance from my second pawn's prey, and from my second pawn
    4 5    the passage to the right, and down, is closed
    6      all ones for the second action of a move
    7      all ones if the mover is player 0
    8      1 on the cell that my first pawn left in this move, 2 on that of my second pawn: it may not return
    last   with the option `masked`: ones on the board

The pawns of planes 0, 1, 3 and 2 hunt each other in this order.  Distances are as in the other variants.
"""

from collections.abc import Callable
from functools import cache

import numpy as np

from ludus.games.packed import read_field
from ludus.games.rules import State
from ludus.games.wallgame import layout
from ludus.games.wallgame.layout import pawn
from ludus.games.wallgame.planes import distance_writer, write_mask, write_missing
from ludus.games.wallgame.rules import neighbour
from ludus.games.wallgame.words import words

CYCLE_PLANES = (
    *("from my first pawn", "from its prey", "from my second pawn's prey", "from my second pawn"),
    *("closed right", "closed below", "second action", "player 0 moves", "left in this move"),
)
NUM_CYCLE_PLANES = len(CYCLE_PLANES)


@cache
def cycle_encoder(width: int) -> Callable[[State, np.ndarray], None]:
    """Build the rule `encode` for boards of at most `width` words of cells."""
    _, load, single, _, _, _, _, _, _ = words(width)
    write_distances = distance_writer(width)

    def encode(state: State, planes: np.ndarray) -> None:
        rows = read_field(state, layout.FRAME_ROWS)
        cells = rows * read_field(state, layout.FRAME_COLUMNS)
        flat = planes.reshape(planes.size)  # [planes N]
        right, down = load(state, layout.PASSAGES), load(state, layout.PASSAGES + width)
        mover = read_field(state, layout.PLAYER)
        for plane in range(4):
            ahead = plane if plane < 2 else 5 - plane  # steps along the cycle, from my first pawn
            source = single(pawn(state, (mover + ahead) & 3))
            write_distances(flat, plane * cells, cells, right, down, rows, source)
        write_missing(flat, 4 * cells, cells, right, 1)
        write_missing(flat, 5 * cells, cells, down, 1)
        if read_field(state, layout.SECOND) == 1:
            flat[6 * cells : 7 * cells] = 1
        if mover == 0:
            flat[7 * cells : 8 * cells] = 1
        back = read_field(state, layout.BACK)
        if back > 0:
            kind = (back - 1) >> 2
            left = neighbour(pawn(state, mover + 2 * kind), (back - 1) & 3, rows)
            flat[8 * cells + left] = 1 + kind
        write_mask(flat[NUM_CYCLE_PLANES * cells :], state)

    return encode
