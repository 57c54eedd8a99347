"""Every database of this machine, each test in a fresh one: SQLite always, PostgreSQL where its programs are."""

import asyncio
import os
import pwd
import shutil
import subprocess
import tempfile
from datetime import UTC, datetime, timedelta
from pathlib import Path

import msgspec
import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import create_async_engine

from ludus.site.database.database import Database, database_url
from ludus.site.database.games import Games
from ludus.site.database.records import GameRow, MoveRow, Progress, SeatRow

NOON = datetime(2026, 11, 21, 12, 0, 0, 123456, tzinfo=UTC)


def game_row(name="g1", **changes):
    seats = (SeatRow("person", "Ann", host=True, token_hash="ab" * 32), SeatRow("bot", "Bo", bot="c:b"))
    row = GameRow(
        name, "wallgame:classic:5x5", "wallgame", "classic", 5, 5, {"pawns": [1, 2]}, "bot", False, 180_000, 2_000,
        None, name, 0.5, 1.0, NOON, seats, Progress("playing", 180_000, 180_000, None),
    )  # fmt: skip
    return msgspec.structs.replace(row, **changes)


def move_row(number, text="Ca1"):
    return MoveRow(text, 1000 * number, 2000 * number, NOON + timedelta(seconds=number))


@pytest.fixture
def noon():
    return NOON


@pytest.fixture
def a_game():
    return game_row


@pytest.fixture
def a_move():
    return move_row


def find_postgres():
    """Return the folder of PostgreSQL's programs, or None."""
    folders = sorted(Path("/usr/lib/postgresql").glob("*/bin"))
    found = shutil.which("initdb")
    return Path(found).parent if found else folders[-1] if folders else None


POSTGRES = find_postgres()
"""Without PostgreSQL's programs its tests do not exist: `apt-get install postgresql` brings them."""


@pytest.fixture(scope="session")
def postgres_server():
    """Return the address of a PostgreSQL server of our own, on a socket in a folder of its own."""
    as_user = {}
    folder = Path(tempfile.mkdtemp(prefix="pg"))
    if os.getuid() == 0:  # it refuses to be run by root
        user = pwd.getpwnam("postgres")
        as_user = {"user": user.pw_uid, "group": user.pw_gid}
        os.chown(folder, user.pw_uid, user.pw_gid)
    quiet = {"check": True, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "cwd": folder} | as_user
    data = folder / "data"
    subprocess.run([POSTGRES / "initdb", "-D", data, "-U", "ludus", "-A", "trust", "-N"], **quiet)
    options = f"-k {folder} -c listen_addresses='' -c fsync=off"
    subprocess.run([POSTGRES / "pg_ctl", "-D", data, "-w", "-o", options, "start"], **quiet)
    yield f"postgresql://ludus@/postgres?host={folder}"
    subprocess.run([POSTGRES / "pg_ctl", "-D", data, "-m", "immediate", "stop"], **quiet)
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(params=["sqlite", *(["postgresql"] if POSTGRES else [])])
def fresh_url(request, tmp_path):
    """Return the address of an empty database."""
    if request.param == "sqlite":
        return database_url(tmp_path)
    url = database_url(address=request.getfixturevalue("postgres_server"))

    async def make():
        engine = create_async_engine(url, isolation_level="AUTOCOMMIT")
        async with engine.connect() as connection:
            await connection.execute(text("DROP DATABASE IF EXISTS fresh"))
            await connection.execute(text("CREATE DATABASE fresh"))
        await engine.dispose()

    asyncio.run(make())
    return url.set(database="fresh")


@pytest.fixture
def with_games(fresh_url):
    """Return a function that runs `async def (games, database)` on an empty database."""

    def run(scenario):
        async def opened():
            database = await Database.open(fresh_url)
            try:
                async with asyncio.timeout(60):
                    await scenario(Games(database), database)
            finally:
                await database.close()

        asyncio.run(opened())

    return run
