"""The fair queue: each address queues behind its own requests, and no address can block others."""

import asyncio
import threading
import time
from contextlib import AsyncExitStack
from functools import partial

import pytest

from ludus.errors import Unavailable
from ludus.games.calls import pause
from ludus.site.safety import fair_queue
from ludus.site.safety.fair_queue import FairQueue, WorkerThreads


async def settle():
    """Run all tasks until they wait."""
    for _ in range(10):
        await asyncio.sleep(0)


def served(asked, places=1, cut_off=()):
    """Return the order in which waiting addresses are served; some of the requests are cancelled."""
    order = []

    async def scenario():
        queue = FairQueue(places)

        async def wait(address):
            async with queue.place(address):
                order.append(address)
                await asyncio.sleep(0)

        async with AsyncExitStack() as stack:
            for _ in range(places):
                await stack.enter_async_context(queue.place("first"))
            waiting = [asyncio.create_task(wait(address)) for address in asked]
            await settle()
            assert not order
            for number in cut_off:
                waiting[number].cancel()
            await settle()
        await asyncio.gather(*waiting, return_exceptions=True)
        async with AsyncExitStack() as stack:  # all slots are free again
            for _ in range(places):
                async with asyncio.timeout(120):
                    await stack.enter_async_context(queue.place("last"))

    asyncio.run(scenario())
    return "".join(order)


def test_each_address_is_served_in_turn():
    assert served("aaaabbc") == "abcabaa"


def test_a_cancelled_request_takes_no_slot():
    assert served("aab", cut_off=[0]) == "ab"
    assert served("abab", places=2, cut_off=[0, 1, 2, 3]) == ""


def test_a_request_cancelled_when_served_passes_its_slot_on():
    async def scenario():
        queue = FairQueue(1)

        async def wait():
            async with queue.place("a"):
                pass

        async with queue.place("a"):
            task = asyncio.create_task(wait())
            await settle()
        task.cancel()  # it has its slot, but does not run yet
        await asyncio.gather(task, return_exceptions=True)
        assert task.cancelled()
        async with asyncio.timeout(240), queue.place("b"):
            pass

    asyncio.run(scenario())


async def stay(queue, address):
    """Wait for a slot, and release it at once."""
    async with queue.place(address):
        pass


def told(asked, most_of_all=100, most_of_one=100):
    """Send requests one by one to a queue with one slot; return the served addresses and the refused numbers."""
    order, refused = [], []

    async def scenario():
        queue = FairQueue(1)

        async def wait(number, address):
            try:
                async with queue.place(address):
                    order.append(address)
            except Unavailable:
                refused.append(number)

        async with queue.place("first"):
            tasks = list[asyncio.Task]()
            for number, address in enumerate(asked):
                tasks.append(asyncio.create_task(wait(number, address)))
                await settle()
        await asyncio.gather(*tasks)
        async with asyncio.timeout(240), queue.place("last"):
            pass

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(fair_queue, "MAX_WAITING", most_of_all)
        patch.setattr(fair_queue, "MAX_OWN", most_of_one)
        asyncio.run(scenario())
    return "".join(order), refused


def test_an_address_served_before_waits_behind_new_ones():
    assert told("abcd") == ("abcd", [])
    order = []

    async def scenario():
        queue = FairQueue(1)

        async def wait(address):
            async with queue.place(address):
                order.append(address)

        async with queue.place("first"):
            tasks = [asyncio.create_task(wait(address)) for address in "ab"]
            await settle()
        await asyncio.gather(*tasks)
        async with queue.place("first"):
            tasks = [asyncio.create_task(wait(address)) for address in "baabc"]
            await settle()
        await asyncio.gather(*tasks)

    asyncio.run(scenario())
    assert "".join(order) == "ab" + "cabab"


def test_a_full_queue_prefers_an_address_that_was_not_served_recently():
    refused = []

    async def scenario():
        queue = FairQueue(1, max_waiting=2)

        async def wait(address):
            try:
                async with queue.place(address):
                    pass
            except Unavailable:
                refused.append(address)

        await wait("a")
        await wait("b")
        async with queue.place("first"):
            tasks = []
            for address in "abcda":
                tasks.append(asyncio.create_task(wait(address)))
                await settle()
        await asyncio.gather(*tasks)

    asyncio.run(scenario())
    assert refused == ["b", "a", "a"]


def test_the_memory_of_served_addresses_is_bounded(monkeypatch):
    monkeypatch.setattr(fair_queue, "MAX_REMEMBERED", 10)

    async def scenario():
        queue = FairQueue(1)
        for number in range(100):
            await stay(queue, str(number))
        assert len(queue._served) == 10

    asyncio.run(scenario())


def test_the_limit_of_waiting_requests_is_per_address():
    assert told("aaab", most_of_one=2) == ("aba", [2])


def test_the_busiest_address_loses_a_request_in_a_full_queue():
    assert told("aaab", most_of_all=3) == ("aba", [2])
    assert told("aaaabbcd", most_of_all=6) == ("abcdab", [3, 2])


def test_a_full_queue_refuses_an_address_with_as_many_requests_as_others():
    assert told("abc", most_of_all=2) == ("ab", [2])
    assert told("aabbb", most_of_all=4) == ("abab", [4])
    assert told("aaa", most_of_all=2) == ("aa", [2])


def test_four_addresses_at_their_limit_do_not_block_others():
    order, refused = told("a" * 32 + "b" * 32 + "c" * 32 + "d" * 32 + "e", 128, 32)
    assert "e" in order[:5]
    assert len(refused) == 1


def test_a_cancelled_request_is_dropped_without_an_error(monkeypatch):
    monkeypatch.setattr(fair_queue, "MAX_WAITING", 2)

    async def scenario():
        queue = FairQueue(1)

        async with queue.place("a"):
            tasks = [asyncio.create_task(stay(queue, "a")) for _ in range(2)]
            await settle()
            tasks[1].cancel()
            tasks.append(asyncio.create_task(stay(queue, "b")))
            await settle()
        results = await asyncio.gather(*tasks, return_exceptions=True)
        assert [type(result) for result in results] == [type(None), asyncio.CancelledError, type(None)]
        assert queue._free == 1

    asyncio.run(scenario())


def test_a_request_refused_and_cancelled_passes_no_slot_on(monkeypatch):
    monkeypatch.setattr(fair_queue, "MAX_WAITING", 2)

    async def scenario():
        queue = FairQueue(1)

        async with queue.place("a"):
            tasks = [asyncio.create_task(stay(queue, "a")) for _ in range(2)]
            await settle()
            queue.make_room("b")
            tasks[1].cancel()  # it is refused, but does not run yet
            await settle()
            assert tasks[1].cancelled()
            assert not tasks[0].done(), "the place is still held"
        await tasks[0]
        assert queue._free == 1

    asyncio.run(scenario())


def working(scenario):
    async def run():
        threads = WorkerThreads()
        try:
            async with asyncio.timeout(240):
                await scenario(threads)
        finally:
            threads.close()

    asyncio.run(run())


def test_long_work_lets_short_work_of_others_go_first(monkeypatch):
    monkeypatch.setattr(fair_queue, "SLICE_S", 0.0)
    order, begun = [], threading.Event()

    def long(name):
        begun.set()
        for number in range(200):
            time.sleep(0.001)
            pause.get()()
            order.append((name, number))

    async def scenario(threads):
        tasks = [asyncio.create_task(threads.do(f"busy {each}", partial(long, each))) for each in range(4)]
        await asyncio.to_thread(begun.wait)
        for number in range(5):
            await threads.do(f"short {number}", lambda: order.append("short"))
        assert order.index("short") < 200, "the first long work is not over"
        await asyncio.gather(*tasks)
        ends = [order.index((each, 199)) for each in range(4)]
        assert min(ends) > 400, "the long ones take turns"

    working(scenario)


def test_few_long_works_have_begun_at_a_time(monkeypatch):
    monkeypatch.setattr(fair_queue, "SLICE_S", 0.0)
    monkeypatch.setattr(fair_queue, "LONG_AT_ONCE", 3)
    now, most, lock = set(), [0], threading.Lock()

    def long(name):
        for number in range(20):
            pause.get()()
            if number >= fair_queue.LONG_SLICES:
                with lock:
                    now.add(name)
                    most[0] = max(most[0], len(now))
        with lock:
            now.discard(name)
        return name

    async def scenario(threads):
        names = [f"{each}" for each in range(12)]
        assert await asyncio.gather(*(threads.do(each, partial(long, each)) for each in names)) == names
        assert most[0] == 3

    working(scenario)


def test_one_work_of_an_address_begins_after_the_other(monkeypatch):
    monkeypatch.setattr(fair_queue, "SLICE_S", 0.0)
    monkeypatch.setattr(fair_queue, "AT_ONCE", 1)
    order = []

    def work(name):
        for _ in range(3):
            order.append(name)
            pause.get()()

    async def scenario(threads):
        mine = [threads.do("a", partial(work, name)) for name in "xyz"]
        await asyncio.gather(*mine, threads.do("b", partial(work, "o")))
        assert "".join(each for each in order if each != "o") == "xxxyyyzzz"

    working(scenario)


def test_a_cancelled_work_ends_at_its_next_pause_and_passes_its_slot_on():
    begun, ended = threading.Event(), threading.Event()

    def work():
        begun.set()
        try:
            while True:
                time.sleep(0.001)
                pause.get()()
        finally:
            ended.set()

    async def scenario(threads):
        task = asyncio.create_task(threads.do("a", work))
        await asyncio.to_thread(begun.wait)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        assert await asyncio.gather(*(threads.do(f"{each}", lambda: 1) for each in range(8))) == [1] * 8
        await asyncio.to_thread(ended.wait)

    working(scenario)


def test_work_ends_at_its_next_pause_when_the_threads_are_closed():
    ended = threading.Event()

    def work():
        try:
            while True:
                time.sleep(0.001)
                pause.get()()
        finally:
            ended.set()

    async def scenario(threads):
        task = asyncio.create_task(threads.do("a", work))
        await asyncio.sleep(0.01)
        threads.close()
        with pytest.raises(Unavailable):
            await task
        assert ended.is_set()

    working(scenario)


def test_the_order_of_a_queue_is_known_before_its_requests_are_served():
    async def scenario():
        queue, done = FairQueue(1), []

        async def wait(address):
            async with queue.place(address):
                done.append(address)
                await asyncio.sleep(0)

        async with queue.place("b"):
            waiting = [asyncio.create_task(wait(address)) for address in "bbacab"]
            await settle()
            order = queue.order()
        await asyncio.gather(*waiting)
        assert order == done == ["a", "c", "b", "a", "b", "b"]
        assert queue.order() == []

    asyncio.run(scenario())
