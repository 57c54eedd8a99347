"""Searches of one client do not block other requests to the database, and searches read only indexes."""

import asyncio

import httpx
import pytest
from sqlalchemy import text
from sqlalchemy.dialects import sqlite

from ludus.errors import BadInput
from ludus.site.archive import search
from ludus.site.archive.search import ArchiveQuery, find_games, ids_of, read_wish
from ludus.site.database.database import Database, database_url
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


@pytest.mark.parametrize(
    ("wish", "used"),
    [
        (ArchiveQuery(), []),
        (ArchiveQuery(game="chess", size=(8, 8), result="draw", rated=True), []),
        (ArchiveQuery(player="Ann"), ["ix_seats_lower_name_kind_game_id"]),
        (ArchiveQuery(bot="c:b"), ["ix_seats_bot_game_id"]),
        (ArchiveQuery(player="Ann", bot="c:b"), ["ix_seats_lower_name_kind_game_id", "ix_seats_bot_game_id"]),
    ],
)
def test_a_search_reads_only_indexes_in_their_order(tmp_path, wish, used):
    query = ids_of(wish).compile(dialect=sqlite.dialect(), compile_kwargs={"literal_binds": True})

    async def scenario():
        database = await Database.open(database_url(tmp_path))
        explained = text(f"EXPLAIN QUERY PLAN {query}")
        plan = await database.read(lambda connection: [row.detail for row in connection.execute(explained)])
        await database.close()
        read = [step for step in plan if "SUBQUERY" not in step]
        assert len(read) == 1 + len(used), plan  # there is no step that sorts
        assert all("COVERING INDEX" in step for step in read), plan
        for name in ("ix_games_archive", *used):
            assert any(name in step for step in read), plan

    asyncio.run(scenario())


def test_a_search_stops_after_its_last_page(tmp_path, monkeypatch, load_program):
    monkeypatch.setattr(search, "MOST_PAGES", 1)
    bench = load_program("bench/archive_searches.py")

    async def scenario():
        database = await Database.open(database_url(tmp_path))
        await database.write(lambda connection: bench.fill(connection, 60))
        everything = await find_games(database, ArchiveQuery(), ())
        of_guests = await find_games(database, ArchiveQuery(player="gUEST"), ())
        await database.close()
        assert (len(everything.games), everything.total, everything.pages, everything.more) == (50, 50, 1, True)
        ends = [game.finished for game in everything.games]
        assert ends == sorted(ends, reverse=True)
        assert 0 < of_guests.total == len(of_guests.games) < 50
        assert not of_guests.more

    asyncio.run(scenario())
    with pytest.raises(BadInput, match="filter to"):
        read_wish({"page": "2"})
