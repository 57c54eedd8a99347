"""State that workers share: the source of evaluations, and the games still to be played."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterable, Sequence

import numpy as np

from ludus.network.evaluator import Arrays, Evaluator
from ludus.players.judging.heuristic import StateEvaluator
from ludus.search.cache import Cache
from ludus.selfplay.openings import Openings

_ROUND = 1000  # number of games after which unequal shares repeat


class Quota:
    """The games of a generation that are still to be started, shared by its workers."""

    def __init__(
        self,
        games: int,
        *,
        done: Iterable[int] = (),
        shares: Sequence[float] = (),
        openings: Openings | None = None,
    ) -> None:
        """Create a quota of `games` games, numbered from 0.

        Args:
            games: number of games.
            done: numbers of the games that are finished already.
            shares: share of each of the run's games; empty: equal shares.
            openings: start positions for the share of games that `opening_share` sets.
        """
        self.openings = openings
        self._next, self._games, self._done = 0, games, frozenset(done)
        self._order = _order(shares)
        self._lock = threading.Lock()
        self.cancelled = threading.Event()

    def take(self) -> int | None:
        """Return the number of the next game, or None if there is none."""
        with self._lock:
            while self._next in self._done:
                self._next += 1
            if self._next >= self._games or self.cancelled.is_set():
                return None
            self._next += 1
            return self._next - 1

    @property
    def is_open(self) -> bool:
        """Return whether more games may be added: idle workers then wait."""
        return False

    def game_of(self, number: int, num_games: int) -> int:
        """Return the index, among the run's `num_games` games, of the game to play as game `number`."""
        return self._order[number % len(self._order)] if self._order else number % num_games


class OpenQuota(Quota):
    """A quota to which games are added over time; idle workers wait for more until it is closed."""

    def __init__(self, *, shares: Sequence[float] = (), openings: Openings | None = None) -> None:
        """Create a quota without games.

        Args:
            shares: share of each of the run's games; empty: equal shares.
            openings: start positions for the share of games that `opening_share` sets.
        """
        super().__init__(0, shares=shares, openings=openings)
        self._dealt: deque[int] = deque()
        self._is_closed = False

    def deal(self, numbers: Iterable[int]) -> None:
        """Add games with these numbers."""
        with self._lock:
            self._dealt.extend(numbers)

    def close(self) -> None:
        """Stop the workers once all dealt games are finished."""
        self._is_closed = True

    @property
    def is_open(self) -> bool:
        """Return whether games are waiting to be started, or may still be added."""
        return bool(self._dealt) or not self._is_closed

    def take(self) -> int | None:
        """Return the number of the next game, or None if there is none now."""
        with self._lock:
            return self._dealt.popleft() if self._dealt and not self.cancelled.is_set() else None


def _order(shares: Sequence[float]) -> list[int]:
    """Return the games of a round, in an order in which every prefix nearly has the given shares."""
    if not shares:
        return []
    wanted = np.array(shares) / sum(shares)  # [games]
    counts = np.zeros(len(shares))
    order: list[int] = []
    for number in range(_ROUND):
        order.append(int(np.argmax(wanted * (number + 1) - counts)))
        counts[order[-1]] += 1
    return order


class Source:
    """A source of evaluations: an evaluator, its cache, and the number of its current network."""

    def __init__(self, evaluator: Evaluator | StateEvaluator, cache: Cache | None = None, network: int = 0) -> None:
        """Take an evaluator, its cache (None: each group creates one), and the number of its network."""
        self.evaluator, self.cache, self.network = evaluator, cache, network

    def swap(self, arrays: Arrays, network: int) -> None:
        """Load another network's weights into the evaluator while games continue; their next batches use it."""
        assert hasattr(self.evaluator, "load"), "an evaluator without weights cannot swap them"
        assert self.cache is not None, "caches of groups cannot be invalidated here"
        self.evaluator.load(arrays)  # pyright: ignore
        self.cache.forget()
        self.network = network
