"""A queue that serves addresses in turn, and worker threads that use it for slow requests."""

import asyncio
import time
from collections import OrderedDict, deque
from collections.abc import AsyncGenerator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack, asynccontextmanager
from typing import TypeVar

from ludus.errors import Unavailable
from ludus.games.calls import pause

MAX_WAITING = 128
"""Most requests that wait in one queue."""
MAX_OWN = 32
"""Most requests of one address that wait in a queue: enough to step through a game quickly on an analysis board."""
MAX_REMEMBERED = 20_000
"""Most addresses of which a queue remembers when it served them."""
_FULL = "Too many requests are waiting; try again in a few seconds."
_OWN = "Too many requests from your address are waiting; try again in a few seconds."


class FairQueue:
    """A limited number of slots; the address that was served least recently is next.

    So addresses take turns, and a flood from many addresses delays others only until each of them was served once.
    """

    def __init__(
        self,
        places: int,
        *,
        max_waiting: int | None = None,
        max_own: int | None = None,
        patience_s: float | None = None,
        newest_first: bool = False,
    ) -> None:
        """Create a queue with `places` free slots.

        Args:
            places: number of slots.
            max_waiting: most requests that wait; None: MAX_WAITING.
            max_own: most requests of one address that wait; None: MAX_OWN.
            patience_s: longest wait in seconds; None: no limit.
            newest_first: among addresses that were not served before, prefer the one that came last: in a flood from
                new addresses, people who have just come are served, and those who have waited long have given up.
        """
        self._free, self._max_waiting, self._max_own = places, max_waiting, max_own
        self._patience_s, self._newest_first = patience_s, newest_first
        self._waiting: dict[str, deque[asyncio.Future[None]]] = {}  # in the order in which addresses came
        self._served: OrderedDict[str, int] = OrderedDict()  # a growing number for each address when it was served
        self._num_served = 0

    @asynccontextmanager
    async def place(self, address: str) -> AsyncGenerator["QueueSlot"]:
        """Wait for a slot and hold it during the block; raises Unavailable if the queue is full."""
        self.make_room(address)
        turn = QueueSlot(self, address)
        try:
            async with asyncio.timeout(self._patience_s):
                await turn.begin()
        except TimeoutError:
            raise Unavailable(_FULL) from None
        try:
            yield turn
        finally:
            turn.end()

    @property
    def is_waited_for(self) -> bool:
        """Whether any request waits for a slot; may be read from any thread."""
        return bool(self._waiting)

    @property
    def num_waiting(self) -> int:
        """Return the number of requests that wait for a slot."""
        return sum(map(len, self._waiting.values()))

    def take_free(self, address: str) -> bool:
        """Take a free slot; return False if there is none."""
        if not self._free:
            return False
        self._free -= 1
        self._note(address)
        return True

    async def wait(self, address: str, *, first: bool = False, instead_of_slot: bool = False) -> None:
        """Wait until a slot is passed on to a request.

        Args:
            address: the request's address.
            first: wait before the other requests of the address.
            instead_of_slot: pass on a slot that the request holds.

        Raises:
            Unavailable: the request had to make room for another one.
        """
        called = asyncio.get_running_loop().create_future()
        own = self._waiting.setdefault(address, deque())
        own.appendleft(called) if first else own.append(called)
        if instead_of_slot:
            self.pass_on()
        try:
            await called
        except asyncio.CancelledError:
            if called.done() and not called.cancelled() and not called.exception():  # it got its slot when cancelled
                self.pass_on()
            elif called in self._waiting.get(address, ()):  # it waits no more
                self._waiting[address].remove(called)
                self._forget_if_empty(address)
            raise

    def order(self) -> list[str]:
        """Return the addresses of the waiting requests in the order in which they would be served."""
        left = {address: len(own) for address, own in self._waiting.items()}
        when = {address: self._when(address) for address in left}
        order: list[str] = []
        while left:
            address = min(reversed(left) if self._newest_first else left, key=when.__getitem__)
            order.append(address)
            when[address] = self._num_served + len(order)
            left[address] -= 1
            if not left[address]:
                del left[address]
        return order

    def make_room(self, address: str) -> None:
        """Make room in the queue for one more request of an address; raises Unavailable.

        In a full queue, the last request of the address with the most waiting requests, and among these the one served
        most recently, is refused in favour of an address with fewer, so that busy addresses cannot block all others.
        """
        if self._free:
            return
        own = len(self._waiting.get(address, ()))
        if own >= (self._max_own or MAX_OWN):
            raise Unavailable(_OWN)
        if self.num_waiting < (self._max_waiting or MAX_WAITING):
            return
        most = max(self._waiting, key=self._burden)
        would_have = own + 1, self._when(address)
        if self._burden(most) < would_have or (self._burden(most) == would_have and not self._newest_first):
            raise Unavailable(_FULL)
        last = self._waiting[most].pop()
        self._forget_if_empty(most)
        if not last.done():  # a cancelled request needs no error
            last.set_exception(Unavailable(_OWN))

    def _forget_if_empty(self, address: str) -> None:
        if not self._waiting[address]:
            del self._waiting[address]

    def _burden(self, address: str) -> tuple[int, int]:
        return len(self._waiting[address]), self._when(address)

    def _when(self, address: str) -> int:
        return self._served.get(address, 0)

    def _note(self, address: str) -> None:
        """Remember that an address was served now."""
        self._num_served += 1
        self._served[address] = self._num_served
        self._served.move_to_end(address)
        if len(self._served) > MAX_REMEMBERED:
            self._served.popitem(last=False)

    def pass_on(self) -> None:
        """Give a slot to the next waiting request, or mark it as free."""
        while self._waiting:
            waiting = reversed(self._waiting) if self._newest_first else self._waiting
            address = min(waiting, key=self._when)  # among equals the first
            called = self._waiting[address].popleft()
            self._forget_if_empty(address)
            if not called.done():
                self._note(address)
                called.set_result(None)
                return
        self._free += 1


class QueueSlot:
    """A request's slot of a queue, which may be passed on and waited for again."""

    def __init__(self, queue: FairQueue, address: str) -> None:
        """Prepare the turn of a request."""
        self._queue, self._address = queue, address
        self._is_held = self._is_over = False

    async def begin(self) -> None:
        """Wait for the slot; raises Unavailable."""
        if not self._queue.take_free(self._address):
            await self._queue.wait(self._address)
        self._is_held = True

    def release(self) -> None:
        """Pass the slot on, if it is held."""
        if self._is_held:
            self._is_held = False
            self._queue.pass_on()

    def end(self) -> None:
        """Pass the slot on for good."""
        self._is_over = True
        self.release()

    async def again(self) -> None:
        """Wait for the slot again; if it is held, let the waiting requests of other addresses go first.

        Raises:
            Unavailable: the request had to make room for another one, or its turn is over.
        """
        if self._is_held and not self._queue.is_waited_for:
            return
        was_held, self._is_held = self._is_held, False
        if was_held or not self._queue.take_free(self._address):
            await self._queue.wait(self._address, first=True, instead_of_slot=was_held)
        self._is_held = True
        if self._is_over:
            self.release()
            raise Unavailable(_FULL)


AT_ONCE = 2
"""Requests at a time: a short one can overtake a long one; more than two threads would only share one interpreter."""
LONG_AT_ONCE = 8
"""Most long requests that have begun, since each may need megabytes."""
SLICE_S = 0.05
"""Seconds after which a request lets those of other addresses go first."""
LONG_SLICES = 4
"""Number of slices after which a request is long."""
_Made = TypeVar("_Made")


class WorkerThreads:
    """Threads that apply the rules of games for requests, in slices, serving addresses in turn.

    Work in plain Python calls `ludus.games.calls.pause` often.  There a thread whose slice is over waits for its next
    turn, so that no request delays others by more than a slice, however long it is.
    """

    def __init__(self, most: int | None = None) -> None:
        """Create the pool; its threads start on demand.

        Args:
            most: most requests that wait, of one address or of all; None: the defaults of `FairQueue`.
        """
        self._queue = FairQueue(AT_ONCE, max_waiting=most, max_own=most)
        self._long = FairQueue(LONG_AT_ONCE, max_waiting=most, max_own=most)
        # more threads than the requests that may have begun: running, waiting for a slice, and waiting as long ones
        self._threads = ThreadPoolExecutor(3 * (most or MAX_WAITING), thread_name_prefix="site-worker")
        self._is_closed = False

    @property
    def num_waiting(self) -> int:
        """Return the number of requests that wait for a thread."""
        return self._queue.num_waiting + self._long.num_waiting

    async def do(self, address: str, work: Callable[[], _Made]) -> _Made:
        """Run a function in a worker thread and return its result; raises Unavailable if the queue is full."""
        loop = asyncio.get_running_loop()
        async with AsyncExitStack() as stack, self._queue.place(address) as turn:

            async def next_slice(*, is_long: bool) -> None:
                if is_long:
                    turn.release()
                    await stack.enter_async_context(self._long.place(address))
                await turn.again()

            def wait(number: int) -> None:
                """Wait for the next slice, in the thread."""
                if self._is_closed:
                    raise Unavailable("The site is being restarted.")
                is_long = number == LONG_SLICES
                if is_long or self._queue.is_waited_for:
                    asyncio.run_coroutine_threadsafe(next_slice(is_long=is_long), loop).result()

            return await loop.run_in_executor(self._threads, in_slices, work, wait)

    def close(self) -> None:
        """Cancel the queued functions; those that run end at their next pause."""
        self._is_closed = True
        self._threads.shutdown(wait=False, cancel_futures=True)


def in_slices(work: Callable[[], _Made], wait: Callable[[int], None]) -> _Made:
    """Return the result of a function; call `wait` with a growing number whenever a slice of its time is over."""
    end, number = time.monotonic() + SLICE_S, 0

    def check() -> None:
        nonlocal end, number
        if time.monotonic() >= end:
            number += 1
            wait(number)
            end = time.monotonic() + SLICE_S

    before = pause.set(check)
    try:
        return work()
    finally:
        pause.reset(before)
