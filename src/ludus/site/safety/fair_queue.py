"""A queue that serves addresses in turn, and worker threads that use it for slow requests."""

import asyncio
from collections import OrderedDict, deque
from collections.abc import AsyncGenerator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from typing import TypeVar

from ludus.errors import Unavailable

MAX_WAITING = 128
"""Most requests that wait in one queue."""
MAX_OWN = 32
"""Most requests of one address that wait in a queue: enough to step through a game quickly on an analysis board."""
_FULL = "Too many requests are waiting; try again in a few seconds."
_OWN = "Too many requests from your address are waiting; try again in a few seconds."


class FairQueue:
    """A limited number of slots; each address queues only behind its own requests."""

    def __init__(self, places: int) -> None:
        """Create a queue with `places` free slots."""
        self._free = places
        self._waiting: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()  # the next address to serve first

    @asynccontextmanager
    async def place(self, address: str) -> AsyncGenerator[None]:
        """Wait for a slot and hold it during the block; raises Unavailable if the queue is full."""
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
            if called.done() and not called.cancelled() and not called.exception():  # it got its slot when cancelled
                self._pass_on()
            raise

    def _make_room(self, address: str) -> None:
        """Make room in the queue for one more request of an address; raises Unavailable.

        In a full queue, the last request of the address with the most waiting requests is refused in favour of an
        address with fewer, so that a few busy addresses cannot block all others.
        """
        own = len(self._waiting.get(address, ()))
        if own >= MAX_OWN:
            raise Unavailable(_OWN)
        if sum(map(len, self._waiting.values())) < MAX_WAITING:
            return
        most = max(self._waiting, key=lambda each: len(self._waiting[each]))
        if len(self._waiting[most]) <= own + 1:  # no more than this address would have
            raise Unavailable(_FULL)
        last = self._waiting[most].pop()
        if not last.done():  # a cancelled request needs no error
            last.set_exception(Unavailable(_OWN))

    def _pass_on(self) -> None:
        """Give the slot to the next waiting request, or mark it as free."""
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
"""Requests at a time: a short one can overtake a long one; more than two threads would only share one interpreter."""
_Made = TypeVar("_Made")


class WorkerThreads:
    """Threads that apply the rules of games for requests, serving addresses in turn."""

    def __init__(self) -> None:
        """Create the pool; its threads start on demand."""
        self._queue = FairQueue(AT_ONCE)
        self._threads = ThreadPoolExecutor(AT_ONCE, thread_name_prefix="site-worker")

    async def do(self, address: str, work: Callable[[], _Made]) -> _Made:
        """Run a function in a worker thread and return its result; raises Unavailable if the queue is full."""
        async with self._queue.place(address):
            return await asyncio.get_running_loop().run_in_executor(self._threads, work)

    def close(self) -> None:
        """Cancel the queued functions and stop the threads once they are idle."""
        self._threads.shutdown(wait=False, cancel_futures=True)
