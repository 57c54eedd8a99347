"""The fair queue: each address queues behind its own requests, and no address can block others."""

import asyncio
from contextlib import AsyncExitStack

import pytest

from ludus.errors import Unavailable
from ludus.site.safety import fair_queue
from ludus.site.safety.fair_queue import FairQueue


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
                await asyncio.wait_for(stack.enter_async_context(queue.place("last")), 120)

    asyncio.run(scenario())
    return "".join(order)


def test_each_address_is_served_in_turn():
    assert served("aaaabbc") == "abcabaa"


def test_a_cancelled_request_takes_no_slot():
    assert served("aab", cut_off=[0]) == "ba"
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
            queue._make_room("b")
            tasks[1].cancel()  # it is refused, but does not run yet
            await settle()
            assert tasks[1].cancelled()
            assert not tasks[0].done(), "the place is still held"
        await tasks[0]
        assert queue._free == 1

    asyncio.run(scenario())
