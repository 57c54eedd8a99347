"""Limits how much work is done at a time, and serves the waiting addresses in turn."""

import asyncio
from collections import OrderedDict, deque
from collections.abc import AsyncGenerator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from typing import TypeVar

from ludus.errors import Unavailable

MAX_WAITING = 128
"""Of one queue."""
MAX_OWN = 32
"""Of one address in it: a hand that hurries through a game on an analysis board, and no more."""
_FULL = "Too many questions wait for an answer; try again in a moment."
_OWN = "Too many questions from your address wait for an answer; try again in a moment."


class FairQueue:
    """A limited number of places; each address queues only behind its own requests."""

    def __init__(self, places: int) -> None:
        """Begin with all places free."""
        self._free = places
        self._waiting: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()  # the next to be served first

    @asynccontextmanager
    async def place(self, address: str) -> AsyncGenerator[None]:
        """Wait for a place, and hold it during the block; raises Unavailable."""
        await self._wait(address)
        try:
            yield
        finally:
            self._pass_on()

    async def _wait(self, address: str) -> None:
        if self._free:
            self._free -= 1
            return
        self._make_room(address)
        called = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(address, deque()).append(called)
        try:
            await called
        except asyncio.CancelledError:
            if called.done() and not called.cancelled() and not called.exception():  # called and cut off at once
                self._pass_on()
            raise

    def _make_room(self, address: str) -> None:
        """Make sure that one more request can wait; raises Unavailable.

        In a full queue, the last request of the address with most waiting requests gives way to an address with fewer,
        so that a few busy addresses shut nobody else out.
        """
        own = len(self._waiting.get(address, ()))
        if own >= MAX_OWN:
            raise Unavailable(_OWN)
        if sum(map(len, self._waiting.values())) < MAX_WAITING:
            return
        most = max(self._waiting, key=lambda each: len(self._waiting[each]))
        if len(self._waiting[most]) <= own + 1:  # as many as the newcomer would have
            raise Unavailable(_FULL)
        last = self._waiting[most].pop()
        if not last.done():  # who was cut off hears nothing more
            last.set_exception(Unavailable(_OWN))

    def _pass_on(self) -> None:
        """Give a place to the next waiting request, or leave it free."""
        while self._waiting:
            address, own = self._waiting.popitem(last=False)
            called = own.popleft()
            if own:
                self._waiting[address] = own  # behind the other addresses
            if not called.done():
                called.set_result(None)
                return
        self._free += 1


AT_ONCE = 2
"""Lines at a time: a short one goes past a long one, and more would only share one interpreter."""
_Made = TypeVar("_Made")


class WorkerThreads:
    """Threads for slow work of the rules, served by address in turn; the event loop's own hash passwords."""

    def __init__(self) -> None:
        """Prepare; threads start when they are needed."""
        self._queue = FairQueue(AT_ONCE)
        self._threads = ThreadPoolExecutor(AT_ONCE, thread_name_prefix="site-worker")

    async def do(self, address: str, work: Callable[[], _Made]) -> _Made:
        """Run some work in a thread, and return its result; raises Unavailable if too much is queued."""
        async with self._queue.place(address):
            return await asyncio.get_running_loop().run_in_executor(self._threads, work)

    def close(self) -> None:
        """Drop the queued work, and start no more."""
        self._threads.shutdown(wait=False, cancel_futures=True)
