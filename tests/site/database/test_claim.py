"""The lock of a database: one site at a time holds it, and its end releases it."""

import asyncio
import contextlib
import subprocess
import sys

import pytest
from sqlalchemy import NullPool, create_engine, text

from ludus.errors import Unavailable
from ludus.site.database import claim as claiming
from ludus.site.database.database import Database, database_url

SITE = """
import asyncio, sys
from sqlalchemy import make_url
from ludus.site.database.database import Database

async def main():
    await Database.open(make_url(sys.argv[1]))
    print("open", flush=True)
    await asyncio.sleep(60)

asyncio.run(main())
"""


@pytest.fixture
def impatient(monkeypatch):
    monkeypatch.setattr(claiming, "PATIENCE_S", 0.3)


@pytest.mark.usefixtures("impatient")
def test_a_second_site_is_refused_and_the_first_continues(fresh_url):
    async def scenario():
        first = await Database.open(fresh_url)
        with pytest.raises(Unavailable, match=r"another Ludus site is using .* choose another database with --da"):
            await Database.open(fresh_url)
        assert await first.write(lambda connection: connection.exec_driver_sql("SELECT 1").scalar()) == 1
        assert await first.close()
        assert await (await Database.open(fresh_url)).close()

    asyncio.run(scenario())


def test_other_users_of_the_machine_cannot_read_a_new_database(tmp_path):
    async def scenario():
        database = await Database.open(database_url(tmp_path))
        modes = {each.name: each.stat().st_mode & 0o077 for each in tmp_path.iterdir() if each.suffix != ".lock"}
        assert await database.close()
        return modes

    assert set(asyncio.run(scenario()).items()) >= {("site.sqlite3", 0)}
    assert not any(asyncio.run(scenario()).values())


def test_a_site_that_starts_while_the_first_stops_waits_for_the_lock(fresh_url):
    async def scenario():
        first = await Database.open(fresh_url)
        second = asyncio.create_task(Database.open(fresh_url))
        await asyncio.sleep(0.5)
        assert not second.done()
        await first.close()
        await (await second).close()

    asyncio.run(scenario())


def test_the_lock_of_a_killed_site_is_released(fresh_url):
    address = fresh_url.render_as_string(hide_password=False)
    with subprocess.Popen([sys.executable, "-c", SITE, address], stdout=subprocess.PIPE, text=True) as site:
        assert site.stdout.readline() == "open\n"
        site.kill()
        site.wait()
    assert asyncio.run(_opened_and_closed(fresh_url))


@pytest.mark.usefixtures("impatient")
def test_the_lock_of_an_unusable_database_is_released(tmp_path):
    url = database_url(tmp_path)
    (tmp_path / "site.sqlite3").write_bytes(b"something else" * 1000)
    for _ in range(2):
        with pytest.raises(Unavailable, match="cannot be used"):
            asyncio.run(Database.open(url))


CUT_OFF = """SELECT pg_terminate_backend(pid) FROM pg_stat_activity
             WHERE datname = current_database() AND pid <> pg_backend_pid()"""


@contextlib.contextmanager
def cut_off(url):
    """End all connections, as a restart of PostgreSQL does, and yield a connection of another program.

    SQLite's lock lasts as long as its process, so nothing can end it: None is yielded.
    """
    if url.get_backend_name() == "sqlite":
        yield None
        return
    engine = create_engine(url, poolclass=NullPool, isolation_level="AUTOCOMMIT")
    with engine.connect() as other:
        other.execute(text(CUT_OFF))
        yield other


async def is_written(database):
    return await database.write(lambda connection: connection.exec_driver_sql("SELECT 1").scalar()) == 1


@pytest.mark.usefixtures("impatient")
def test_a_site_keeps_its_database_after_the_database_restarts(fresh_url):
    async def scenario():
        first = await Database.open(fresh_url)
        for _ in range(2):
            with cut_off(fresh_url):
                assert await is_written(first)
            with pytest.raises(Unavailable, match="another Ludus"):
                await Database.open(fresh_url)
        assert await first.close()
        assert await _opened_and_closed(fresh_url)

    asyncio.run(scenario())


@pytest.mark.usefixtures("impatient")
def test_a_site_writes_nothing_after_another_site_has_held_the_lock(fresh_url):
    async def scenario():
        first = await Database.open(fresh_url)
        with cut_off(fresh_url) as other:
            if other:
                while not other.scalar(text(f"SELECT pg_try_advisory_lock({claiming.NUMBER})")):
                    pass
                with pytest.raises(claiming.TakenError, match="another Ludus"):
                    await is_written(first)
        if other:
            with pytest.raises(claiming.TakenError):
                await is_written(first)
        await first.close()
        assert await _opened_and_closed(fresh_url)

    asyncio.run(scenario())


async def _opened_and_closed(url):
    return await (await Database.open(url)).close()
