"""Perfect play in Connect Four: win, draw or loss of a position by alpha-beta on bit boards, within a limit of nodes.

The search knows winning cells before they are played, looks first at actions that make the most of them, and keeps
what it has proved in a table, as in Pascal Pons' tutorial "Solving Connect 4: how to build a perfect AI" (2015-2019);
the code is our own.  From the empty board it would run for many minutes; after eight discs it takes about a second,
after twelve some milliseconds.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludus.games.connect4.layout import BOARD, COLUMNS, FEET, HEIGHT, ONE, ROWS, landing
from ludus.games.connect4.lines import completing
from ludus.games.game import Game
from ludus.kernel import count_bits, entry, kernel
from ludus.search.backup import exact_value
from ludus.search.random import mix
from ludus.seeding import stream

UNKNOWN = 2  # neither 1, 0 nor -1: the limit was reached
ENTRIES = 1 << 22
MOST_NODES = 20_000_000  # of one question, about ten seconds
NONE = np.uint64(0)
ORDER = (3, 2, 4, 1, 5, 0, 6)  # columns from the middle


class _Stack(NamedTuple):
    """One node a disc; values are seen by player 0, who wants them high."""

    table: NDArray[np.uint64]  # [M] the position, and 1 + the least and 1 + the most that it can be worth
    discs: NDArray[np.uint64]  # [P, 2] of the mover, of both
    moves: NDArray[np.uint64]  # [P, 7] cells, the best first
    low: NDArray[np.int64]  # [P] player 0 has at least this elsewhere
    high: NDArray[np.int64]  # [P] player 1 concedes at most this elsewhere
    first_low: NDArray[np.int64]  # [P] the window when the node was opened
    first_high: NDArray[np.int64]  # [P]
    best: NDArray[np.int64]  # [P]
    choices: NDArray[np.int64]  # [P] how many moves
    next: NDArray[np.int64]  # [P]


class Solver:
    """Knows how a position of Connect Four ends under best play; what it has proved, it remembers."""

    def __init__(self, *, entries: int = ENTRIES, most_nodes: int = MOST_NODES) -> None:
        """Allocate a table of `entries` positions, a power of two; give a question up after `most_nodes` nodes."""
        assert entries & (entries - 1) == 0, "a hash's lowest bits are its entry's number"
        plies = ROWS * COLUMNS + 1
        numbers = np.zeros((7, plies), np.int64)
        self._most_nodes = most_nodes
        self._stack = _Stack(
            np.zeros(entries, np.uint64),
            np.zeros((plies, 2), np.uint64),
            np.zeros((plies, COLUMNS), np.uint64),
            *numbers,
        )

    def value(self, words: NDArray[np.uint64]) -> int | None:
        """Return 1, 0 or -1 for a win, a draw or a loss of player 0, or None if the limit of nodes came first.

        Args:
            words: a state of the game `connect4` in which the game goes on.  # [3]
        """
        self._stack.discs[0] = words[int(words[2]) & 1], words[0] | words[1]
        is_won = _solve(self._stack, 0, 1, self._most_nodes)
        found = _solve(self._stack, -1, 0, self._most_nodes) if is_won < 1 else is_won
        return None if UNKNOWN in (is_won, found) else int(found)

    def values(self, game: Game, words: NDArray[np.uint64]) -> dict[int, int | None]:
        """Return what `value` says of each legal column, those nearest to the middle first.

        Args:
            game: Connect Four.
            words: a state in which the game goes on.  # [3]
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
    """Plays any action that is proved to keep the outcome; where none is, what is not lost, nearest the middle."""

    name, identity = "solver", ""

    def __init__(self, seed: int = 0, *, solver: Solver | None = None) -> None:
        """Name the random stream."""
        self.moves, self.unproved = 0, 0  # how many it has chosen, and how many of them the solver could not prove
        self._solver = solver or Solver()
        self._seed, self._rng = seed, stream(seed, "solver")

    def go_on(self, games: int) -> None:
        """Take other random numbers than whoever has played so many games of a match before."""
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
def _solve(s: _Stack, low: int, high: int, most_nodes: int) -> int:
    """Return the value of the position in `discs[0]`, exact where it lies between low and high, or UNKNOWN."""
    known, value = _open(s, 0, low, high)
    if known:
        return value
    ply = 0
    for _ in range(most_nodes):
        if s.next[ply] < s.choices[ply] and s.low[ply] < s.high[ply]:
            move = s.moves[ply, s.next[ply]]
            s.next[ply] += 1
            s.discs[ply + 1, 0] = s.discs[ply, 0] ^ s.discs[ply, 1]
            s.discs[ply + 1, 1] = s.discs[ply, 1] | move
            known, value = _open(s, ply + 1, int(s.low[ply]), int(s.high[ply]))
            if not known:
                ply += 1
                continue
        else:
            _remember(s, ply)
            value = int(s.best[ply])
            if ply == 0:
                return value
            ply -= 1
        if _mover(s, ply) == 0:
            s.best[ply] = max(int(s.best[ply]), value)
            s.low[ply] = max(int(s.low[ply]), value)
        else:
            s.best[ply] = min(int(s.best[ply]), value)
            s.high[ply] = min(int(s.high[ply]), value)
    return UNKNOWN


@kernel
def _open(s: _Stack, ply: int, low: int, high: int) -> tuple[bool, int]:
    """Return whether a position's value is plain to see, and the value; if not, make its node ready."""
    mine, both = np.uint64(s.discs[ply, 0]), np.uint64(s.discs[ply, 1])
    mover = _mover(s, ply)
    best, worst = 1 - 2 * mover, 2 * mover - 1
    possible = landing(both)
    if possible & _threats(mine, both) != NONE:
        return True, best
    if count_bits(both) >= ROWS * COLUMNS - 1:
        return True, 0
    threats = _threats(mine ^ both, both)
    forced = possible & threats
    if forced != NONE:
        possible = forced
    possible &= ~(threats >> ONE)  # a disc there would let the opponent win on top of it
    if possible == NONE or forced & (forced - ONE) != NONE:
        return True, worst
    least, most = _recall(s, ply)
    if least >= high or least == most:
        return True, least
    if most <= low:
        return True, most
    low, high = max(low, least), min(high, most)
    _sort(s, ply, mine, both, possible)
    s.low[ply] = s.first_low[ply] = low
    s.high[ply] = s.first_high[ply] = high
    s.best[ply], s.next[ply] = worst, 0
    return False, 0


@kernel
def _sort(s: _Stack, ply: int, mine: np.uint64, both: np.uint64, possible: np.uint64) -> None:
    """Write the possible moves, those that make the most threats first, the middle first among equals."""
    count = 0
    made = np.zeros(COLUMNS, np.int64)
    for column in ORDER:
        move = possible & (((ONE << np.uint64(ROWS)) - ONE) << np.uint64(column * HEIGHT))
        if move != NONE:
            number = count_bits(_threats(mine | move, both | move))
            at = count
            while at > 0 and made[at - 1] < number:
                made[at], s.moves[ply, at] = made[at - 1], s.moves[ply, at - 1]
                at -= 1
            made[at], s.moves[ply, at] = number, move
            count += 1
    s.choices[ply] = count


@kernel
def _threats(mine: np.uint64, both: np.uint64) -> np.uint64:
    """Return the empty cells that would make four for the owner of `mine`."""
    return np.uint64(completing(mine) & (BOARD & ~both))


@kernel
def _mover(s: _Stack, ply: int) -> int:
    return count_bits(np.uint64(s.discs[ply, 1])) & 1


@kernel
def _key(s: _Stack, ply: int) -> np.uint64:
    """Return the position as 49 bits: the mover's discs, plus a bit above the top disc of each column."""
    return np.uint64(s.discs[ply, 0]) + np.uint64(s.discs[ply, 1]) + FEET


@kernel
def _recall(s: _Stack, ply: int) -> tuple[int, int]:
    """Return the least and the most that the position can be worth."""
    key = _key(s, ply)
    found = np.uint64(s.table[int(mix(key) & np.uint64(s.table.shape[0] - 1))])
    if found >> np.uint64(4) != key:
        return -1, 1
    return int(found >> np.uint64(2) & np.uint64(3)) - 1, int(found & np.uint64(3)) - 1


@kernel
def _remember(s: _Stack, ply: int) -> None:
    least, most = _recall(s, ply)
    best = int(s.best[ply])
    if best > int(s.first_low[ply]):
        least = max(least, best)
    if best < int(s.first_high[ply]):
        most = min(most, best)
    key = _key(s, ply)
    bounds = np.uint64(least + 1) << np.uint64(2) | np.uint64(most + 1)
    s.table[int(mix(key) & np.uint64(s.table.shape[0] - 1))] = key << np.uint64(4) | bounds
