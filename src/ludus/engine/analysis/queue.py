"""Begins the searches of an analysis engine in order of priority, while fewer than a limit run."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Collection
from itertools import count

MOST_WAITING = 100_000
"""Limit of waiting searches over all requests."""


class SearchQueue:
    """The waiting searches; equal priorities are in order of arrival.

    Attributes:
        num_running: number of running searches.
    """

    def __init__(self, most: int) -> None:
        """Create an empty queue; at most `most` searches run at a time."""
        self.num_running = 0
        self._most = most
        self._waiting: list[tuple[int, int, Callable[[], bool]]] = []  # negated priority, number, function
        self._numbers = count()

    def __len__(self) -> int:
        """Return the number of waiting searches."""
        return len(self._waiting)

    def has_room(self, more: int) -> bool:
        """Return whether `more` searches can be added."""
        return len(self._waiting) + more <= MOST_WAITING

    def add(self, priority: int, begin: Callable[[], bool]) -> int:
        """Add a search and return its number; `begin` starts it, and returns whether there was one to start."""
        number = next(self._numbers)
        heapq.heappush(self._waiting, (-priority, number, begin))
        return number

    def remove(self, numbers: Collection[int]) -> None:
        """Remove waiting searches by their numbers."""
        self._waiting = [entry for entry in self._waiting if entry[1] not in numbers]
        heapq.heapify(self._waiting)

    def clear(self) -> None:
        """Remove all waiting searches."""
        self._waiting.clear()

    def go_on(self) -> None:
        """Begin waiting searches while fewer than the limit run."""
        while self._waiting and self.num_running < self._most:
            _, _, begin = heapq.heappop(self._waiting)
            self.num_running += 1
            if not begin():
                self.num_running -= 1

    def release(self) -> None:
        """Note that a running search has ended or was dropped; call `go_on` to begin others."""
        self.num_running -= 1
