"""The search for players: the beginning of names, in any case, bounded, limited, by an index."""

import asyncio

import pytest
from sqlalchemy import text

from ludus.site.database.database import Database
from ludus.site.people.accounts import Accounts
from ludus.site.routes.players import MAX_CHARS, MAX_FOUND
from ludus.site.safety.limits import RateLimit
from ludus.site.safety.settings import SafetySettings

pytestmark = pytest.mark.usefixtures("quick_passwords")


async def search(guest, name, status=200):
    return await guest.ask("GET", f"/api/players?name={name}", status=status)


async def register(guest, *names):
    for name in names:
        await guest.ask("POST", "/api/account", {"name": name, "password": "correct horse"}, 201)


def test_accounts_and_bots_are_found_while_one_types(at_site, guest_at, scripted_bot, a_bot):
    async def scenario(address, _site):
        guest = guest_at(address)
        await register(guest, "Boris", "bob_2", "Ann", "B-lank")
        bots = [a_bot(), a_bot(botId="p", name="Private Bo", username="Boris")]
        async with scripted_bot(address, bots=bots):
            found = await search(guest, "bO")
            assert [person["name"] for person in found["people"]] == ["bob_2", "Boris"]
            assert [bot["id"] for bot in found["bots"]] == ["c1:b"]
            assert found["bots"][0]["title"] == "Connect Four"
            assert await search(guest, "bob%25") == {"people": [], "bots": []}
            assert [each["name"] for each in (await search(guest, "bob_"))["people"]] == ["bob_2"]

    at_site(scenario)


def test_an_answer_is_bounded(at_site, guest_at):
    async def scenario(address, _site):
        guest = guest_at(address)
        await register(guest, *(f"Ann{number:02}" for number in range(MAX_FOUND + 3)))
        found = await search(guest, "ann")
        assert [each["name"] for each in found["people"]] == [f"Ann{number:02}" for number in range(MAX_FOUND)]
        for name in ("", "%20", "x" * (MAX_CHARS + 1)):
            assert "name of 1 to" in (await search(guest, name, 400))["error"]

    at_site(scenario)


def test_searches_are_limited_for_each_address(at_site, guest_at):
    async def scenario(address, _site):
        guest = guest_at(address)
        await search(guest, "a")
        assert "Too many searches" in (await search(guest, "an", 429))["error"]

    at_site(scenario, safety=SafetySettings(unlimited_addresses=(), searches=RateLimit(most=1, per_s=0.01)))


def test_people_who_are_here_are_marked(at_site, person_at, guest_at):
    async def scenario(address, _site):
        ann, bea = await person_at(address).arrive("Ann"), await person_at(address).arrive("Annie")
        await bea.leave()
        found = (await ann.ask("GET", "/api/players?name=ann"))["people"]
        assert found[0] == {"name": "Ann", "here": True, "challenges": "everyone"}

    at_site(scenario)


def test_the_search_reads_an_index(fresh_url):
    async def scenario():
        database = await Database.open(fresh_url)
        found = await Accounts(database).beginning_with("an", 8)
        assert found == []
        explain = "EXPLAIN QUERY PLAN" if fresh_url.get_backend_name() == "sqlite" else "EXPLAIN"
        condition = "folded >= 'an' AND folded < 'an~'" if explain.endswith("PLAN") else "folded LIKE 'an%'"

        def plan(connection):
            if explain == "EXPLAIN":
                connection.execute(text("SET enable_seqscan = off"))
            rows = connection.execute(text(f"{explain} SELECT name FROM accounts WHERE {condition}"))
            return " ".join(str(row) for row in rows)

        told = await database.read(plan)
        assert "accounts_folded" in told, told
        await database.close()

    asyncio.run(scenario())
