"""Queries return or fail within their time limit, whatever the database does."""

import asyncio
import threading
import time

import aiosqlite
import pytest
from sqlalchemy import event, text

from ludus.errors import Unavailable
from ludus.site.database.database import Database, database_url

ENDLESS = {
    "sqlite": "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT count(*) FROM c",
    "postgresql": "SELECT pg_sleep(3600)",
}
CONNECTIONS = 5


def ask(database, words, limit_s=240.0):
    return database.read(lambda connection: connection.execute(text(words)).scalar(), limit_s)


def num_lent(database):
    return database._reader._engine.pool.checkedout()


async def until(condition):
    while not condition():
        await asyncio.sleep(0.01)


def test_an_endless_query_is_abandoned_and_cancelled(with_games, fresh_url):
    endless = ENDLESS[fresh_url.get_backend_name()]

    async def scenario(_games, database):
        for _ in range(CONNECTIONS + 1):
            with pytest.raises(Unavailable, match=r"takes too long to answer; try again in a few seconds\.$"):
                await ask(database, endless, 0.05)
        await until(lambda: num_lent(database) == 0)
        assert await ask(database, "SELECT 1") == 1

    with_games(scenario)


def test_a_cancelled_query_leaves_no_connection_behind(with_games, fresh_url):
    endless = ENDLESS[fresh_url.get_backend_name()]

    async def scenario(_games, database):
        asking = asyncio.create_task(ask(database, endless, None))
        await until(lambda: num_lent(database) == 1)
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking
        await until(lambda: num_lent(database) == 0)

    with_games(scenario)


def test_a_query_is_cancelled_although_its_thread_has_not_begun_it(tmp_path, monkeypatch):
    execute = aiosqlite.Cursor.execute

    async def execute_late(cursor, *arguments):
        if arguments[0] == ENDLESS["sqlite"]:
            cursor._conn._tx.put_nowait((None, lambda: time.sleep(0.3)))  # other work of the driver's thread
        return await execute(cursor, *arguments)

    async def scenario():
        database = await Database.open(database_url(tmp_path))
        await ask(database, "SELECT 1")  # the connection is set up
        monkeypatch.setattr(aiosqlite.Cursor, "execute", execute_late)
        try:
            with pytest.raises(Unavailable):
                await ask(database, ENDLESS["sqlite"], 0.1)
            async with asyncio.timeout(20):
                await until(lambda: num_lent(database) == 0)
        finally:
            await database.close()

    asyncio.run(scenario())


@pytest.fixture
def hanging(tmp_path):
    """Return a function that runs `async def (database, over)`; `SELECT hang()` cannot be stopped before `over`."""

    def run(scenario):
        over = threading.Event()

        async def opened():
            database = await Database.open(database_url(tmp_path))

            @event.listens_for(database._reader._engine.sync_engine, "connect")
            def connected(connection, _record):
                connection.create_function("hang", 0, lambda: over.wait(240))

            try:
                async with asyncio.timeout(240):
                    await scenario(database, over)
            finally:
                await database.close()

        try:
            asyncio.run(opened())
        finally:
            over.set()

    return run


def test_a_hanging_database_delays_no_caller_and_is_used_again_afterwards(hanging):
    async def scenario(database, over):
        for _ in range(CONNECTIONS + 1):
            with pytest.raises(Unavailable, match="takes too long"):
                await ask(database, "SELECT hang()", 0.05)
        assert num_lent(database) == CONNECTIONS
        with pytest.raises(Unavailable, match="takes too long"):
            await ask(database, "SELECT 1", 0.05)
        over.set()
        assert await ask(database, "SELECT 1") == 1

    hanging(scenario)
