"""A database that refuses to write loses nothing: it is asked until it does."""

import asyncio
import sqlite3

import pytest

from ludus.errors import Unavailable
from ludus.site.database.database import Database, database_url
from ludus.site.database.games import Games
from ludus.site.database.records import Progress


@pytest.fixture
def locked(tmp_path):
    """Return a function that runs `async def (games, database, lock)` on SQLite; another program holds `lock`."""

    def run(scenario):
        async def opened():
            url = database_url(tmp_path)
            database = await Database.open(url)
            lock = sqlite3.connect(url.database, isolation_level=None)
            try:
                async with asyncio.timeout(60):
                    await scenario(Games(database), database, lock)
            finally:
                lock.close()
                await database.close()

        asyncio.run(opened())

    return run


def test_a_move_waits_while_another_program_holds_the_database(locked, a_game, a_move):
    async def scenario(games, database, lock):
        await games.add(a_game())
        lock.execute("BEGIN IMMEDIATE")
        saving = asyncio.create_task(games.save("g1", Progress("playing"), 0, [a_move(1)]))
        while not database.stalled_s:
            await asyncio.sleep(0.01)
        assert not saving.done()
        assert (await games.load("g1")).moves == []  # reading goes on
        lock.execute("COMMIT")
        await saving
        assert (await games.load("g1")).moves == [a_move(1)]
        assert database.stalled_s == 0

    locked(scenario)


def test_who_is_cut_off_while_waiting_loses_nothing(locked, a_game, a_move):
    async def scenario(games, database, lock):
        await games.add(a_game())
        lock.execute("BEGIN IMMEDIATE")
        saving = asyncio.create_task(games.save("g1", Progress("playing"), 0, [a_move(1)]))
        while not database.stalled_s:
            await asyncio.sleep(0.01)
        saving.cancel()
        lock.execute("COMMIT")
        assert await database.close()
        again = await Database.open(database._writing.url)
        assert (await Games(again).load("g1")).moves == [a_move(1)]
        await again.close()

    locked(scenario)


def test_patience_ends_with_a_sentence_and_without_a_late_surprise(locked, a_game):
    async def scenario(games, database, lock):
        lock.execute("BEGIN IMMEDIATE")

        async def insert(connection):
            await connection.exec_driver_sql("INSERT INTO pulse VALUES (0, '2026-11-21')")

        with pytest.raises(Unavailable, match="busy"):
            await database.write(insert, patience_s=0.1)
        lock.execute("COMMIT")
        await games.add(a_game())
        assert await games.last_beat() is None

    locked(scenario)


def test_what_is_still_refused_at_the_end_is_told(locked, a_game):
    async def scenario(games, database, lock):
        lock.execute("BEGIN IMMEDIATE")
        waiting = asyncio.create_task(games.add(a_game()))
        while not database.stalled_s:
            await asyncio.sleep(0.01)
        assert not await database.close(patience_s=0.1)
        waiting.cancel()

    locked(scenario)


def test_a_mistake_in_one_transaction_does_not_end_all_writing(locked, a_game):
    async def scenario(games, database, _lock):
        async def broken(connection):
            await connection.exec_driver_sql("INSERT INTO pulse VALUES (0, '2026-11-21 00:00:00')")
            raise ValueError("a mistake")

        with pytest.raises(ValueError, match="a mistake"):
            await database.write(broken)
        assert await games.last_beat() is None
        await games.add(a_game())

    locked(scenario)
