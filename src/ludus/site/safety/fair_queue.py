"""Work of which the site does so much at a time: who waits for it is served from each address in turn."""

import asyncio
from collections import OrderedDict, deque
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from ludus.errors import Unavailable

MAX_WAITING = 128
"""Of one queue."""
MAX_OWN = 32
"""Of one address in it: a hand that hurries through a game on an analysis board, and no more."""


class FairQueue:
    """So many places; whoever asks for much waits behind himself alone."""

    def __init__(self, places: int) -> None:
        """Begin with all places free."""
        self._free = places
        self._waiting: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()  # the next to be served first

    @asynccontextmanager
    async def place(self, address: str) -> AsyncGenerator[None]:
        """Hold a place for somebody at an address, after a wait if none is free; raises Unavailable."""
        await self._wait(address)
        try:
            yield
        finally:
            self._pass_on()

    async def _wait(self, address: str) -> None:
        if self._free:
            self._free -= 1
            return
        own = len(self._waiting.get(address, ()))
        if own >= MAX_OWN or sum(map(len, self._waiting.values())) >= MAX_WAITING:
            raise Unavailable("Too many questions wait for an answer; try again in a moment.")
        called = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(address, deque()).append(called)
        try:
            await called
        except asyncio.CancelledError:
            if not called.cancelled():  # called and cut off at the same moment
                self._pass_on()
            raise

    def _pass_on(self) -> None:
        """Give a place to the next who still waits, or leave it free."""
        while self._waiting:
            address, own = self._waiting.popitem(last=False)
            called = own.popleft()
            if own:
                self._waiting[address] = own  # behind the other addresses
            if not called.done():
                called.set_result(None)
                return
        self._free += 1
