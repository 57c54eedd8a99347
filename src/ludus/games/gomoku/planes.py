"""The network's input for Gomoku: stones by the colour to put next, and the state of the opening.

0     stones of the colour to put next
1     stones of the other colour
2     all ones if Black puts next
3     renju: points forbidden to Black, also if White is to move
then, with swap2:
      all ones while the mover puts opening stones (the first three, or two more)
      all ones if the mover may take Black
      all ones if the mover may put two more stones
then, with threats, free cells by what a stone there would make, for the colour to put next and for the other:
      a five; a four; two fours or a straight four; a three; two threes
then, with fours, free cells that start a win by fours, for the colour to put next and for the other
"""

from collections.abc import Callable
from functools import cache

import numpy as np

from ludus.games.gomoku import layout
from ludus.games.gomoku.forbidden import is_forbidden
from ludus.games.gomoku.fours import ROOM, find_wins_by_fours
from ludus.games.gomoku.layout import free_cells, stones
from ludus.games.gomoku.threats import BOTH, NUM_THREATS, find_fours, find_threes, half_of, make_threats, of_colour
from ludus.games.packed import read_field
from ludus.games.rules import ONGOING, State
from ludus.kernel import write_where

STONES = ("stones to put", "other stones", "Black puts")
RENJU_PLANES = ("forbidden to Black",)
SWAP2_PLANES = ("opening stones", "may take Black", "may put two more")
THREAT_PLANES = tuple(
    f"{side}: {threat}"
    for side in ("to put", "other")
    for threat in ("five", "four", "two fours", "three", "two threes")
)
WIN_PLANES = ("to put: win by fours", "other: win by fours")
NUM_PLANES, NUM_RENJU, NUM_SWAP2 = len(STONES), len(RENJU_PLANES), len(SWAP2_PLANES)


def plane_names(*, renju: bool, swap2: bool, threats: bool, fours: bool) -> tuple[str, ...]:
    """Return a short name for each plane."""
    return STONES + RENJU_PLANES * renju + SWAP2_PLANES * swap2 + THREAT_PLANES * threats + WIN_PLANES * fours


def write_stones(state: State, flat: np.ndarray, plane: int, colour: int, size: int) -> None:
    """Write one colour's stones into a plane, several rows per word."""
    together = 64 // size
    for first in range(0, size, together):
        word = 0
        for row in range(first, min(first + together, size)):
            word |= (stones(state, row, colour) >> layout.PAD) << (size * (row - first))
        write_where(flat, (plane * size + first) * size, np.uint64(word), 1)


def write_forbidden(state: State, flat: np.ndarray, plane: int, size: int) -> None:
    """Write the points forbidden to Black into a plane."""
    for row in range(size):
        free = free_cells(state, row, size) >> layout.PAD
        for column in range(size):
            if (free >> column) & 1 == 1 and is_forbidden(state, row * size + column):
                flat[(plane * size + row) * size + column] = 1


def write_stage(flat: np.ndarray, first: int, cells: int, stage: int) -> None:
    """Write the opening's state into three planes."""
    if stage in (layout.THREE, layout.TWO_MORE):
        flat[first : first + cells] = 1
    if stage in (layout.CHOICE, layout.LAST_CHOICE):
        flat[first + cells : first + 2 * cells] = 1
    if stage == layout.CHOICE:
        flat[first + 2 * cells : first + 3 * cells] = 1


def write_rows(flat: np.ndarray, plane: int, rows: np.ndarray, colour: int) -> None:
    """Write a colour's set of cells [N] into a plane."""
    size = len(rows)
    for row in range(size):
        cells = of_colour(int(rows[row]), colour)
        if cells != 0:
            write_where(flat, (plane * size + row) * size, np.uint64(cells >> layout.PAD), 1)


def write_threats(
    state: State, flat: np.ndarray, first: int, colour: int, size: int, threats: bool, fours: bool
) -> None:
    """Write both colours' threats, and the cells that start wins by fours, into planes from `first` on."""
    t, plane = make_threats(size), first
    if threats:
        find_fours(state, BOTH, t)
        find_threes(state, t)
        for other in range(2):
            for threat in range(NUM_THREATS):
                write_rows(flat, plane, t.found[threat], colour ^ other)
                plane += 1
    if fours and read_field(state, layout.RESULT) == ONGOING:
        won = np.empty(size, np.int64)  # [N]
        for other in range(2):
            find_fours(state, half_of(colour ^ other), t)
            find_wins_by_fours(state, colour ^ other, t, ROOM, False, won)
            write_rows(flat, plane + other, won, layout.BLACK_STONE)


@cache
def encoder(renju: bool, swap2: bool, threats: bool, fours: bool) -> Callable[[State, np.ndarray], None]:
    """Build the rule `encode`."""

    def encode(state: State, planes: np.ndarray) -> None:
        size, colour = read_field(state, layout.SIZE), read_field(state, layout.COLOUR)
        cells = size * size
        flat = planes.reshape(planes.size)  # [C N]
        write_stones(state, flat, 0, colour, size)
        write_stones(state, flat, 1, 1 - colour, size)
        if colour == layout.BLACK_STONE:
            flat[2 * cells : 3 * cells] = 1
        if renju and read_field(state, layout.RESULT) == ONGOING:
            write_forbidden(state, flat, 3, size)
        if swap2:
            write_stage(flat, (NUM_PLANES + NUM_RENJU * renju) * cells, cells, read_field(state, layout.STAGE))
        if threats or fours:
            first = NUM_PLANES + NUM_RENJU * renju + NUM_SWAP2 * swap2
            write_threats(state, flat, first, colour, size, threats, fours)

    return encode
