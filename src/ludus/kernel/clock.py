"""A clock that stands still while code is compiled or loaded, so that rates and forecasts leave that time out."""

import threading
import time
from collections.abc import Generator
from contextlib import contextmanager


class _Pauses:
    """The time in which at least one thread compiled or loaded code."""

    def __init__(self) -> None:
        self._lock, self._threads = threading.Lock(), 0
        self._state: tuple[float, float | None] = (0.0, None)  # length of all pauses that have ended; start of this one

    @contextmanager
    def one(self) -> Generator[None]:
        with self._lock:
            self._threads += 1
            if self._threads == 1:
                self._state = (self._state[0], time.perf_counter())
        try:
            yield
        finally:
            with self._lock:
                self._threads -= 1
                total_s, since = self._state
                if self._threads == 0 and since is not None:
                    self._state = (total_s + time.perf_counter() - since, None)

    def clock(self) -> float:
        while True:  # no lock: self-play reads the clock four times a batch, in several threads
            state, now = self._state, time.perf_counter()
            if state is self._state:  # else a pause began or ended meanwhile
                total_s, since = state
                return (now if since is None else since) - total_s

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
