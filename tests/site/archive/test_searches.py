"""Searches of one client do not block other requests to the database."""

import asyncio

import httpx

from ludus.site.messages.archive import FinishedGames
from ludus.site.routes import archive as routes


def caller(address, number):
    return httpx.AsyncClient(base_url=address, timeout=300, headers={"x-forwarded-for": f"203.0.113.{number}"})


def test_searches_queue_only_behind_searches(at_site, monkeypatch):
    begun, done = [], asyncio.Event()

    async def slowly(database, wish, _files):
        async with database._reader._engine.connect():
            begun.append(wish.player)
            await done.wait()
        return FinishedGames([], 1, 0, 0)

    monkeypatch.setattr(routes, "find_games", slowly)

    async def scenario(address, _site):
        async with caller(address, 1) as greedy, caller(address, 2) as other:
            many = [asyncio.create_task(greedy.get("/api/archive?player=many")) for _ in range(20)]
            while len(begun) < routes.SEARCHES:
                await asyncio.sleep(0.01)
            search = asyncio.create_task(other.get("/api/archive?player=one"))
            assert (await other.get("/readyz")).status_code == 200
            assert (await other.get("/api/archive/nothing")).status_code == 404
            assert begun == ["many"] * routes.SEARCHES
            done.set()
            for answer in await asyncio.gather(*many, search):
                assert answer.status_code == 200, answer.text
        assert len(begun) == 21

    at_site(scenario)
