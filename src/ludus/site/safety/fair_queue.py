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
_FULL = "Too many questions wait for an answer; try again in a moment."
_OWN = "Too many questions from your address wait for an answer; try again in a moment."


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
        """See to it that one more can wait; raises Unavailable.

        In a full queue, whoever came last from the address of which most wait gives way to somebody of whom fewer do:
        a few addresses that ask for much shut nobody else out.
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
