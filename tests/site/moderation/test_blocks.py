"""Blocks between people: both directions, bounded, and kept."""

import asyncio

import pytest

from ludus.errors import BadInput
from ludus.site.database.database import Database
from ludus.site.faults import NotYours
from ludus.site.moderation import blocks as module
from ludus.site.moderation.blocks import Blocks
from ludus.site.safety.secrets import public_key

ANN, BOB, GUEST = "account a", "account b", "guest 1234-x"


def opened(url, scenario):
    async def run():
        database = await Database.open(url)
        blocks = Blocks()
        await blocks.open(database)
        try:
            await scenario(blocks, database)
        finally:
            await database.close()

    asyncio.run(run())


def test_a_block_keeps_two_people_apart_in_both_directions_until_it_ends(fresh_url):
    async def scenario(blocks, database):
        await blocks.add(ANN, public_key(GUEST), "Guest 1234")
        again = Blocks()
        await again.open(database)
        for each in (blocks, again):
            assert each.are_apart(ANN, GUEST)
            assert each.are_apart(GUEST, ANN)
            assert not each.are_apart(ANN, BOB)
            assert not each.are_apart("", GUEST)
            with pytest.raises(NotYours, match="cannot play with this person"):
                each.must_meet(GUEST, ANN)
        assert [person.name for person in blocks.of(ANN)] == ["Guest 1234"]
        assert blocks.of(GUEST) == []
        await blocks.remove(ANN, public_key(GUEST))
        assert not blocks.are_apart(ANN, GUEST)

    opened(fresh_url, scenario)


def test_the_blocks_of_a_person_and_of_the_site_are_limited(fresh_url, monkeypatch):
    monkeypatch.setattr(module, "MAX_OWN", 3)
    monkeypatch.setattr(module, "MAX_ALL", 4)

    async def scenario(blocks, database):
        with pytest.raises(BadInput, match="yourself"):
            await blocks.add(ANN, public_key(ANN), "Ann")
        for number in range(3):
            await blocks.add(ANN, public_key(f"guest {number}"), "x")
            await blocks.add(ANN, public_key(f"guest {number}"), "x")
        with pytest.raises(BadInput, match="You have blocked 3 people"):
            await blocks.add(ANN, public_key(BOB), "Bob")
        for number in range(2):
            await blocks.add(BOB, public_key(f"guest {number}"), "x")
        assert not blocks.are_apart(ANN, "guest 0"), "the oldest made room"
        again = Blocks()
        await again.open(database)
        assert [len(again.of(person)) for person in (ANN, BOB)] == [2, 2]

    opened(fresh_url, scenario)
