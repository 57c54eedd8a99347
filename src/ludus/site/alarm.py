"""A timer that is set anew whenever what it waits for has changed."""

import asyncio
from collections.abc import Callable
from contextvars import Context


class Alarm:
    """Rings once at a moment, unless it is set to another one before."""

    def __init__(self, now: Callable[[], int], ring: Callable[[], None], context: Context) -> None:
        """Prepare; it does not ring before it is set.

        Args:
            now: milliseconds; the moments are its.
            ring: is called at the moment, or a little before: clocks differ.
            context: in which it is called.
        """
        self._now = now
        self._ring = ring
        self._context = context
        self._timer: asyncio.TimerHandle | None = None

    def set(self, moment: int | None) -> None:
        """Ring at a moment, at once if it is past, and not at the one that was set before; None: not at all."""
        if self._timer:
            self._timer.cancel()
            self._timer = None
        if moment is not None:
            delay = max(0, moment - self._now()) / 1000
            self._timer = asyncio.get_running_loop().call_later(delay, self._ring, context=self._context)
