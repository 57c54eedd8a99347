"""The feed: makes batches ahead of time in a background thread, so that the learner does not wait for data."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Iterator
from types import TracebackType
from typing import Generic, TypeVar

from ludus.progress import patience_s

T = TypeVar("T")

AHEAD = 3  # number of batches made ahead


class Feed(Generic[T]):
    """An iterator over `count` results of `make`, computed ahead in a thread; its context manager ends the thread."""

    def __init__(self, make: Callable[[], T], count: int) -> None:
        """Prepare the thread; only it calls `make`, which may therefore use a random generator."""
        self.waited_s = 0.0
        self._make, self._count = make, count
        self._made: queue.Queue[T | BaseException] = queue.Queue(AHEAD)
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> Feed[T]:
        """Start the thread."""
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        """End the thread."""
        self._ended.set()
        until = time.monotonic() + patience_s(kind)
        while self._thread.is_alive() and time.monotonic() < until:
            while not self._made.empty():
                self._made.get_nowait()
            self._thread.join(0.01)

    def __iter__(self) -> Iterator[T]:
        """Yield the batches in order; raise the errors of `make`."""
        for _ in range(self._count):
            begun = time.perf_counter()
            made = self._made.get()
            self.waited_s += time.perf_counter() - begun
            if isinstance(made, BaseException):
                raise made
            yield made

    def _run(self) -> None:
        for _ in range(self._count):
            if self._ended.is_set():
                return
            try:
                self._made.put(self._make())
            except BaseException as error:  # noqa: BLE001 - raised again in the iterating thread
                self._made.put(error)
                return
