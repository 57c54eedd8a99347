"""What workers share: where evaluations come from, and how many games are still to be played."""

from __future__ import annotations

import threading

from ludus.network.evaluator import Arrays, Evaluator
from ludus.players.group import StateEvaluator
from ludus.search.cache import Cache


class Quota:
    """How many games are still to be begun, shared by the workers of a generation."""

    def __init__(self, games: int) -> None:
        """Allow `games` games."""
        self._next, self._games = 0, games
        self._lock = threading.Lock()
        self.cancelled = threading.Event()

    def take(self) -> int | None:
        """Return the number of the next game, or None if no more are wanted."""
        with self._lock:
            if self._next >= self._games or self.cancelled.is_set():
                return None
            self._next += 1
            return self._next - 1


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
