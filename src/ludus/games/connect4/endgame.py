"""Solves Connect Four endgames by alpha-beta on bitboards with a step limit; gives the rule `foresee`.

The search computes winning cells before they are played, tries actions with the most threats first, and stores proofs
in a transposition table, as in Pascal Pons' tutorial "Solving Connect 4: how to build a perfect AI" (2015-2019).  The
code is our own.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludus.games.connect4.layout import BOARD, CELLS, COLUMNS, FEET, HEIGHT, NUM_DISCS, ROWS, completing, landing
from ludus.games.packed import NONE, ONE
from ludus.games.rules import DRAW, ONGOING, State
from ludus.kernel import count_bits, kernel

UNKNOWN = 2  # the step limit was reached before the value, 1, 0 or -1, was known
ORDER = (3, 2, 4, 1, 5, 0, 6)  # columns from the centre outwards
PLIES = ROWS * COLUMNS + 1
COLUMN = np.uint64((1 << ROWS) - 1)  # the cells of the leftmost column
MOST_ENTRIES = 1 << 24
GOLDEN = np.uint64(0x9E3779B97F4A7C15)  # 2^64 / golden ratio, for multiplicative hashing (Knuth, 6.4)
FORESEEN_ENTRIES = 256
FORESEEN_STEPS = ((20, 20), (25, 600), (CELLS, 2400))  # limits for a leaf with fewer discs than the first number


class Nodes(NamedTuple):
    """The table of proofs and the stack of nodes on the current line, one per disc; values are for the mover."""

    table: NDArray[np.uint64]  # [M] position, 1 + lower bound and 1 + upper bound of its value
    discs: NDArray[np.uint64]  # [P, 2] the mover's, both players'
    moves: NDArray[np.uint64]  # [P, 7] cells, best last
    left: NDArray[np.int64]  # [P] number of untried moves
    low: NDArray[np.int64]  # [P] alpha: the mover has at least this elsewhere
    high: NDArray[np.int64]  # [P] beta: the opponent has at most this elsewhere
    best: NDArray[np.int64]  # [P] best value of the tried moves
    threats: NDArray[np.int64]  # [7] scratch: number of threats made by each move of a node


@kernel
def make_nodes(entries: int) -> Nodes:
    """Allocate the stack and a table of `entries` positions, a power of two up to MOST_ENTRIES."""
    return Nodes(
        np.zeros(entries, np.uint64),
        np.empty((PLIES, 2), np.uint64),
        np.empty((PLIES, COLUMNS), np.uint64),
        np.empty(PLIES, np.int64),
        np.empty(PLIES, np.int64),
        np.empty(PLIES, np.int64),
        np.empty(PLIES, np.int64),
        np.empty(COLUMNS, np.int64),
    )


def foresee(state: State) -> int:
    """Return the outcome if a short search proves it; from 27 discs on, it proves nine of ten test positions.

    The number of steps follows the number of discs, so that a proof costs less than a network's evaluation.
    """
    nodes = make_nodes(FORESEEN_ENTRIES)
    discs, steps = int(state[NUM_DISCS]), 0
    for most_discs, most_steps in FORESEEN_STEPS:
        if steps == 0 and discs < most_discs:
            steps = most_steps
    mover = discs & 1
    value = value_of(nodes, np.uint64(state[mover]), np.uint64(state[1 - mover]), steps)
    if value == UNKNOWN:
        return ONGOING
    return DRAW if value == 0 else (1 + mover if value == 1 else 2 - mover)


@kernel
def value_of(s: Nodes, mine: np.uint64, theirs: np.uint64, most_steps: int) -> int:
    """Return 1, 0 or -1 for a win, draw or loss of the player to move, or UNKNOWN.

    Args:
        s: the stack and table.
        mine: discs of the player to move, in an unfinished game.
        theirs: discs of the opponent.
        most_steps: limit for each of two searches, for a win and for a loss; a step enters or leaves a node.
    """
    s.discs[0, 0], s.discs[0, 1] = mine, mine | theirs
    value = solve(s, 0, 1, most_steps)
    return value if value == 1 or value == UNKNOWN else solve(s, -1, 0, most_steps)


@kernel
def solve(s: Nodes, low: int, high: int, most_steps: int) -> int:
    """Return the value of the position in `discs[0]`, exact between low and high, or UNKNOWN."""
    known, value = _open(s, 0, low, high)
    if known:
        return value
    ply = 0
    for _ in range(most_steps):
        if s.left[ply] > 0 and s.best[ply] < s.high[ply]:
            s.left[ply] -= 1
            move = s.moves[ply, s.left[ply]]
            s.discs[ply + 1, 0] = s.discs[ply, 0] ^ s.discs[ply, 1]
            s.discs[ply + 1, 1] = s.discs[ply, 1] | move
            known, value = _open(s, ply + 1, -int(s.high[ply]), -max(int(s.low[ply]), int(s.best[ply])))
            if not known:
                ply += 1
                continue
        else:
            _remember(s, ply)
            value = int(s.best[ply])
            if ply == 0:
                return value
            ply -= 1
        s.best[ply] = max(int(s.best[ply]), -value)
    return UNKNOWN


@kernel
def _open(s: Nodes, ply: int, low: int, high: int) -> tuple[bool, int]:
    """Return whether a position's value is known at once, and the value; if not, set up its node."""
    mine, both = np.uint64(s.discs[ply, 0]), np.uint64(s.discs[ply, 1])
    free, possible = np.uint64(BOARD & ~both), landing(both)
    if possible & completing(mine) != NONE:
        return True, 1
    if free & (free - ONE) == NONE:  # one free cell, or none
        return True, 0
    ends = np.uint64(completing(mine ^ both) & free)
    forced = possible & ends
    if forced != NONE:
        possible = forced
    possible &= ~(ends >> ONE)  # a disc below an opponent's winning cell loses
    if possible == NONE or forced & (forced - ONE) != NONE:
        return True, -1
    least, most = _recall(s, ply)
    if least >= high or least == most:
        return True, least
    if most <= low:
        return True, most
    _sort(s, ply, mine, free, possible)
    s.low[ply], s.high[ply] = max(low, least), min(high, most)
    s.best[ply] = -1
    return False, 0


@kernel
def _sort(s: Nodes, ply: int, mine: np.uint64, free: np.uint64, possible: np.uint64) -> None:
    """Write the possible moves in ascending order: most threats last, and the centre last among equals."""
    count = 0
    for column in ORDER:
        move = possible & (COLUMN << np.uint64(column * HEIGHT))
        if move != NONE:
            threats = count_bits(np.uint64(completing(mine | move) & free))
            at = count
            while at > 0 and s.threats[at - 1] >= threats:
                s.threats[at], s.moves[ply, at] = s.threats[at - 1], s.moves[ply, at - 1]
                at -= 1
            s.threats[at], s.moves[ply, at] = threats, move
            count += 1
    s.left[ply] = count


@kernel
def _key(s: Nodes, ply: int) -> np.uint64:
    """Return the position as 49 bits: the mover's discs, plus one bit above the top disc of each column."""
    return np.uint64(s.discs[ply, 0]) + np.uint64(s.discs[ply, 1]) + FEET


@kernel
def _entry(s: Nodes, key: np.uint64) -> int:
    """Return a position's index in the table."""
    return int(key * GOLDEN >> np.uint64(40)) & (s.table.shape[0] - 1)


@kernel
def _recall(s: Nodes, ply: int) -> tuple[int, int]:
    """Return the lower and upper bound of the position's value."""
    key = _key(s, ply)
    found = np.uint64(s.table[_entry(s, key)])
    if found >> np.uint64(4) != key:
        return -1, 1
    return int(found >> np.uint64(2) & np.uint64(3)) - 1, int(found & np.uint64(3)) - 1


@kernel
def _remember(s: Nodes, ply: int) -> None:
    """Store the bounds that the node has proved, combined with those already in the table."""
    least, most = _recall(s, ply)
    best = int(s.best[ply])
    if best > int(s.low[ply]):
        least = max(least, best)
    if best < int(s.high[ply]):
        most = min(most, best)
    key = _key(s, ply)
    bounds = np.uint64(least + 1) << np.uint64(2) | np.uint64(most + 1)
    s.table[_entry(s, key)] = key << np.uint64(4) | bounds
