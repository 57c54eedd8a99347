"""Win, draw or loss under perfect play, by alpha-beta on bit boards within a limit of steps; and what is foreseen so.

The search knows winning cells before they are played, looks first at actions that make the most of them, and keeps
what it has proved in a table, as in Pascal Pons' tutorial "Solving Connect 4: how to build a perfect AI" (2015-2019);
the code is our own.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludus.games.connect4.layout import BOARD, COLUMNS, FEET, HEIGHT, NUM_DISCS, ONE, ROWS, completing, landing
from ludus.games.rules import DRAW, ONGOING, State
from ludus.kernel import count_bits, kernel

UNKNOWN = 2  # neither 1, 0 nor -1: the limit was reached
NONE = np.uint64(0)
ORDER = (3, 2, 4, 1, 5, 0, 6)  # columns from the middle
PLIES = ROWS * COLUMNS + 1
COLUMN = np.uint64((1 << ROWS) - 1)  # the cells of the first
MOST_ENTRIES = 1 << 24
GOLDEN = np.uint64(0x9E3779B97F4A7C15)  # 2^64 over the golden ratio: its multiples are spread evenly (Knuth, 6.4)
FORESEEN_STEPS, FORESEEN_ENTRIES = 600, 256  # a search for a leaf, far cheaper than a network with its planes


class Nodes(NamedTuple):
    """The nodes on the way down, one a disc, and what is proved; values are seen by whoever is to move at each."""

    table: NDArray[np.uint64]  # [M] the position, and 1 + the least and 1 + the most that it can be worth
    discs: NDArray[np.uint64]  # [P, 2] of the mover, of both
    moves: NDArray[np.uint64]  # [P, 7] cells, the best last
    left: NDArray[np.int64]  # [P] how many of them are untried
    low: NDArray[np.int64]  # [P] the mover has at least this elsewhere
    high: NDArray[np.int64]  # [P] the opponent concedes at most this elsewhere
    best: NDArray[np.int64]  # [P] of the moves that were tried
    threats: NDArray[np.int64]  # [7] scratch: how many each of a node's moves makes


@kernel
def make_nodes(entries: int) -> Nodes:
    """Allocate room for a search, with a table of `entries` positions, a power of two up to MOST_ENTRIES."""
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
    """What a short search proves: of the tests' positions from 27 discs on, it knows nine of ten."""
    nodes = make_nodes(FORESEEN_ENTRIES)
    mover = int(state[NUM_DISCS]) & 1
    value = value_of(nodes, np.uint64(state[mover]), np.uint64(state[1 - mover]), FORESEEN_STEPS)
    if value == UNKNOWN:
        return ONGOING
    return DRAW if value == 0 else (1 + mover if value == 1 else 2 - mover)


@kernel
def value_of(s: Nodes, mine: np.uint64, theirs: np.uint64, most_steps: int) -> int:
    """Return 1, 0 or -1 for a win, a draw or a loss of the player to move, or UNKNOWN.

    Args:
        s: room for the search.
        mine: discs of the player to move, in a game that goes on.
        theirs: discs of the opponent.
        most_steps: of either half of the search: is it won? is it lost?  A step opens a node or leaves one.
    """
    s.discs[0, 0], s.discs[0, 1] = mine, mine | theirs
    value = solve(s, 0, 1, most_steps)
    return value if value == 1 or value == UNKNOWN else solve(s, -1, 0, most_steps)


@kernel
def solve(s: Nodes, low: int, high: int, most_steps: int) -> int:
    """Return the value of the position in `discs[0]`, exact where it lies between low and high, or UNKNOWN."""
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
    """Return whether a position's value is plain to see, and the value; if not, make its node ready."""
    mine, both = np.uint64(s.discs[ply, 0]), np.uint64(s.discs[ply, 1])
    free, possible = np.uint64(BOARD & ~both), landing(both)
    if possible & completing(mine) != NONE:
        return True, 1
    if free & (free - ONE) == NONE:  # one cell, or none
        return True, 0
    ends = np.uint64(completing(mine ^ both) & free)
    forced = possible & ends
    if forced != NONE:
        possible = forced
    possible &= ~(ends >> ONE)  # a disc there would let the opponent win on top of it
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
    """Write the possible moves, those that make the most threats last, the middle last among equals."""
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
    """Return the position as 49 bits: the mover's discs, plus a bit above the top disc of each column."""
    return np.uint64(s.discs[ply, 0]) + np.uint64(s.discs[ply, 1]) + FEET


@kernel
def _entry(s: Nodes, key: np.uint64) -> int:
    """Return where in the table a position would be."""
    return int(key * GOLDEN >> np.uint64(40)) & (s.table.shape[0] - 1)


@kernel
def _recall(s: Nodes, ply: int) -> tuple[int, int]:
    """Return the least and the most that the position can be worth."""
    key = _key(s, ply)
    found = np.uint64(s.table[_entry(s, key)])
    if found >> np.uint64(4) != key:
        return -1, 1
    return int(found >> np.uint64(2) & np.uint64(3)) - 1, int(found & np.uint64(3)) - 1


@kernel
def _remember(s: Nodes, ply: int) -> None:
    """Keep what the node has proved, beside what was known."""
    least, most = _recall(s, ply)
    best = int(s.best[ply])
    if best > int(s.low[ply]):
        least = max(least, best)
    if best < int(s.high[ply]):
        most = min(most, best)
    key = _key(s, ply)
    bounds = np.uint64(least + 1) << np.uint64(2) | np.uint64(most + 1)
    s.table[_entry(s, key)] = key << np.uint64(4) | bounds
