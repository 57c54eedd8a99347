"""A clock that stands still while code is compiled or loaded, so that rates and forecasts leave that time out."""

import threading
import time
from collections.abc import Generator
from contextlib import contextmanager


class _Pauses:
    """The time in which at least one thread compiled or loaded code."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._total_s, self._threads, self._since = 0.0, 0, 0.0

    @contextmanager
    def one(self) -> Generator[None]:
        with self._lock:
            self._threads += 1
            if self._threads == 1:
                self._since = time.perf_counter()
        try:
            yield
        finally:
            with self._lock:
                self._threads -= 1
                if self._threads == 0:
                    self._total_s += time.perf_counter() - self._since

    def clock(self) -> float:
        with self._lock:
            now = self._since if self._threads else time.perf_counter()
            return now - self._total_s

    @property
    def is_now(self) -> bool:
        return self._threads > 0


pauses = _Pauses()


def working_s() -> float:
    """Return the seconds of a clock that stands still while a thread of this process compiles or loads code.

    Only differences of two readings have a meaning.  The work of other threads during that time is left out, too.
    """
    return pauses.clock()


def is_compiling() -> bool:
    """Return whether a thread of this process compiles or loads code."""
    return pauses.is_now
