"""Perfect play in Connect Four, by the search of `games/connect4/endgame.py` with a large table and node limit.

Solving takes many minutes from the empty board, about a second after eight discs, and milliseconds after twelve.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ludus.games.connect4.endgame import MOST_ENTRIES, ORDER, UNKNOWN, Nodes, make_nodes, value_of
from ludus.games.connect4.layout import HEIGHT, NUM_DISCS, ROWS
from ludus.games.game import Game
from ludus.kernel import entry
from ludus.search.backup import exact_value
from ludus.seeding import stream
from ludus.viewpoint import turn

ENTRIES = 1 << 22
MOST_NODES = 20_000_000  # of one position, about ten seconds


class Solver:
    """Computes the outcome of Connect Four positions under best play, and stores proved positions in a table."""

    def __init__(self, *, entries: int = ENTRIES, most_nodes: int = MOST_NODES) -> None:
        """Allocate a table of `entries` positions, a power of two; each search stops after `most_nodes` nodes."""
        assert entries & (entries - 1) == 0, "the lowest bits of a hash select the entry"
        assert entries <= MOST_ENTRIES, "a hash has too few bits for so many entries"
        self._most_nodes = most_nodes
        self._nodes = make_nodes(entries)

    def value(self, words: NDArray[np.uint64]) -> int | None:
        """Return 1, 0 or -1 for a win, draw or loss of player 0, or None if the node limit is reached.

        Args:
            words: an unfinished state of the game `connect4`.  # [3]
        """
        mover = int(words[NUM_DISCS]) & 1
        found = int(_value_of(self._nodes, words[mover], words[1 - mover], self._most_nodes))
        return None if found == UNKNOWN else int(turn(found, mover))

    def values(self, game: Game, words: NDArray[np.uint64]) -> dict[int, int | None]:
        """Return the `value` after each legal column, the columns nearest to the middle first.

        Args:
            game: Connect Four.
            words: an unfinished state.  # [3]
        """
        values: dict[int, int | None] = {}
        for column in ORDER:
            state = np.array(words, np.uint64)
            if int(words[0] | words[1]) >> (column * HEIGHT + ROWS - 1) & 1:
                continue
            with np.errstate(over="ignore"):
                game.rules.play(state, column)
                outcome = int(game.rules.outcome(state))
            values[column] = int(exact_value(outcome)) if outcome else self.value(state)
        return values


class SolverPlayer:
    """Plays a random action proved to keep the outcome, else the most central action that is not proved lost."""

    name, identity = "solver", ""

    def __init__(self, seed: int = 0, *, solver: Solver | None = None) -> None:
        """Create the player; `seed` selects the random stream."""
        self.moves, self.unproved = 0, 0  # numbers of all chosen moves and of those without a proof
        self._solver = solver or Solver()
        self._seed, self._rng = seed, stream(seed, "solver")

    def go_on(self, games: int) -> None:
        """Switch to the random stream for continuing a match after `games` games."""
        self._rng = stream(self._seed, "solver", games)

    def choose(self, game: Game, states: NDArray[np.uint64]) -> NDArray[np.int16]:
        """Return one action [K] for each state [K, words] of Connect Four."""
        return np.array([self._choose(game, words) for words in states], np.int16)

    def _choose(self, game: Game, words: NDArray[np.uint64]) -> int:
        mover = int(words[2]) & 1
        values = self._solver.values(game, words)
        known = [value for value in values.values() if value is not None]
        best, win = (max if mover == 0 else min)(known, default=None), (1, -1)[mover]
        worth = best if len(known) == len(values) or best == win else self._solver.value(words)
        keeping = [column for column, value in values.items() if value is not None and value == worth]
        self.moves += 1
        if not keeping:
            self.unproved += 1
            return next(column for column, value in values.items() if value != -win)
        return int(self._rng.choice(keeping))


@entry
def _value_of(nodes: Nodes, mine: np.uint64, theirs: np.uint64, most_nodes: int) -> int:
    return value_of(nodes, mine, theirs, most_nodes)
