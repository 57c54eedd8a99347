"""Perfect play in Connect Four, by the search of `endgame.py` with a large table and node limit.

Solving takes many minutes from the empty board, about a second after eight discs, and milliseconds after twelve.
"""

import numpy as np

from ludus.games.connect4.endgame import MOST_ENTRIES, ORDER, UNKNOWN, Nodes, make_nodes, value_of
from ludus.games.connect4.layout import NUM_DISCS
from ludus.games.rules import State
from ludus.kernel import entry
from ludus.viewpoint import turn

ENTRIES = 1 << 22
MOST_NODES = 20_000_000  # of one position, about ten seconds


class ConnectFourSolver:
    """Computes the outcome of Connect Four positions under best play, and stores proved positions in a table."""

    order = ORDER

    def __init__(self, *, entries: int = ENTRIES, most_nodes: int = MOST_NODES) -> None:
        """Allocate a table of `entries` positions, a power of two; each search stops after `most_nodes` nodes."""
        assert entries & (entries - 1) == 0, "the lowest bits of a hash select the entry"
        assert entries <= MOST_ENTRIES, "a hash has too few bits for so many entries"
        self._most_nodes = most_nodes
        self._nodes = make_nodes(entries)

    def value(self, state: State) -> int | None:
        """Return 1, 0 or -1 for a win, draw or loss of player 0, or None if the node limit is reached.

        Args:
            state: an unfinished state.  # [3]
        """
        mover = int(state[NUM_DISCS]) & 1
        found = int(_value_of(self._nodes, state[mover], state[1 - mover], self._most_nodes))
        return None if found == UNKNOWN else int(turn(found, mover))


@entry
def _value_of(nodes: Nodes, mine: np.uint64, theirs: np.uint64, most_nodes: int) -> int:
    return value_of(nodes, mine, theirs, most_nodes)
