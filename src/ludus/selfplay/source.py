"""What workers share: where evaluations come from, and which games are still to be played."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterable, Sequence

import numpy as np

from ludus.network.evaluator import Arrays, Evaluator
from ludus.players.judging.heuristic import StateEvaluator
from ludus.search.cache import Cache
from ludus.selfplay.openings import Openings

_ROUND = 1000  # games after which unequal shares repeat


class Quota:
    """Which games are still to be begun, shared by the workers of a generation."""

    def __init__(
        self,
        games: int,
        *,
        done: Iterable[int] = (),
        shares: Sequence[float] = (),
        openings: Openings | None = None,
    ) -> None:
        """Allow `games` games, numbered from 0.

        Args:
            games: how many.
            done: the numbers of those that are finished already.
            shares: of each of the run's games; empty: all alike.
            openings: at whose positions some of them begin, as `opening_share` says.
        """
        self.openings = openings
        self._next, self._games, self._done = 0, games, frozenset(done)
        self._order = _order(shares)
        self._lock = threading.Lock()
        self.cancelled = threading.Event()

    def take(self) -> int | None:
        """Return the number of the next game, or None if no more are wanted."""
        with self._lock:
            while self._next in self._done:
                self._next += 1
            if self._next >= self._games or self.cancelled.is_set():
                return None
            self._next += 1
            return self._next - 1

    @property
    def is_open(self) -> bool:
        """Return whether more games may come: workers without one wait for them."""
        return False

    def game_of(self, number: int, num_games: int) -> int:
        """Return which of the run's `num_games` games a game of this number plays."""
        return self._order[number % len(self._order)] if self._order else number % num_games


class OpenQuota(Quota):
    """A quota whose games are dealt bit by bit; who has none waits for more, until it is closed."""

    def __init__(self, *, shares: Sequence[float] = (), openings: Openings | None = None) -> None:
        """Begin without games.

        Args:
            shares: of each of the run's games; empty: all alike.
            openings: at whose positions some of them begin, as `opening_share` says.
        """
        super().__init__(0, shares=shares, openings=openings)
        self._dealt: deque[int] = deque()
        self._is_closed = False

    def deal(self, numbers: Iterable[int]) -> None:
        """Add games."""
        with self._lock:
            self._dealt.extend(numbers)

    def close(self) -> None:
        """Have the workers end when the games that were dealt are over."""
        self._is_closed = True

    @property
    def is_open(self) -> bool:
        """Return whether there are games to begin, or more may come."""
        return bool(self._dealt) or not self._is_closed

    def take(self) -> int | None:
        """Return the number of the next game, or None if there is none now."""
        with self._lock:
            return self._dealt.popleft() if self._dealt and not self.cancelled.is_set() else None


def _order(shares: Sequence[float]) -> list[int]:
    """Return which game each number of a round plays, so that every stretch of the round has nearly the shares."""
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
    """Where evaluations come from: an evaluator, what it has said before, and which network it runs now."""

    def __init__(self, evaluator: Evaluator | StateEvaluator, cache: Cache | None = None, network: int = 0) -> None:
        """Take an evaluator, its cache (None: each group makes its own), and the number of its network."""
        self.evaluator, self.cache, self.network = evaluator, cache, network

    def swap(self, arrays: Arrays, network: int) -> None:
        """Give the evaluator the weights of another network, while games go on: their next batches ask it."""
        assert hasattr(self.evaluator, "load"), "an evaluator without weights has none to swap"
        assert self.cache is not None, "caches of groups cannot be told to forget"
        self.evaluator.load(arrays)  # pyright: ignore
        self.cache.forget()
        self.network = network
