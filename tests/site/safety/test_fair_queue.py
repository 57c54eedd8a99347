"""A queue with few places: who asks for much waits behind himself, and nobody waits behind too many."""

import asyncio
from contextlib import AsyncExitStack

import pytest

from ludus.errors import Unavailable
from ludus.site.safety import fair_queue
from ludus.site.safety.fair_queue import FairQueue


async def settle():
    """Let everybody go on as far as they can."""
    for _ in range(10):
        await asyncio.sleep(0)


def served(asked, places=1, cut_off=()):
    """Return the order in which addresses are served who ask while all places are taken, some of them cut off."""
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
        async with AsyncExitStack() as stack:  # all places are free again
            for _ in range(places):
                await asyncio.wait_for(stack.enter_async_context(queue.place("last")), 120)

    asyncio.run(scenario())
    return "".join(order)


def test_each_address_is_served_in_turn():
    assert served("aaaabbc") == "abcabaa"


def test_who_is_cut_off_while_waiting_takes_no_place():
    assert served("aab", cut_off=[0]) == "ba"
    assert served("abab", places=2, cut_off=[0, 1, 2, 3]) == ""


def test_who_is_cut_off_when_called_passes_the_place_on():
    async def scenario():
        queue = FairQueue(1)

        async def wait():
            async with queue.place("a"):
                pass

        async with queue.place("a"):
            task = asyncio.create_task(wait())
            await settle()
        task.cancel()  # called, and not yet running
        await asyncio.gather(task, return_exceptions=True)
        assert task.cancelled()
        async with asyncio.timeout(240), queue.place("b"):
            pass

    asyncio.run(scenario())


@pytest.mark.parametrize("limit", ["MAX_OWN", "MAX_WAITING"])
def test_a_long_queue_is_told_in_a_sentence(monkeypatch, limit):
    monkeypatch.setattr(fair_queue, limit, 2)

    async def scenario():
        queue = FairQueue(1)

        async def wait(address):
            async with queue.place(address):
                pass

        async with queue.place("a"):
            waiting = [asyncio.create_task(wait("a")) for _ in range(2)]
            await settle()
            with pytest.raises(Unavailable, match="try again in a moment"):
                await wait("a")
            other = asyncio.create_task(wait("b"))
            await settle()
            assert other.done() == (limit == "MAX_WAITING"), "what one address has too much of, others may still"
        results = await asyncio.gather(*waiting, other, return_exceptions=True)
        assert sum(result is None for result in results) == (2 if limit == "MAX_WAITING" else 3)

    asyncio.run(scenario())
