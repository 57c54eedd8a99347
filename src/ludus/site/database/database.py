"""The connection to the database: its address, its engines, reading and writing."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import platformdirs
from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.engine import URL, make_url
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import ArgumentError, DataError, DBAPIError, NoSuchModuleError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from ludus.errors import BadInput, Unavailable, with_extra
from ludus.files import make_folder
from ludus.site.database.claim import KEEPALIVES, claim_connections, claim_file
from ludus.site.database.migrate import upgrade
from ludus.site.database.reader import DatabaseReader
from ludus.site.database.writer import Work, Writer

_Result = TypeVar("_Result")
_UNKEPT = "The request holds a text that no database keeps, such as one with a NUL character; leave that out."

FILE = "site.sqlite3"
LOCK_WAIT_S = 1
"""How long the database waits for another program's lock before the writer is told, which then asks again."""
READ_WAIT_S = 5.0
"""How long a question waits for a connection while all of them are lent."""
READ_LIMIT_S = 10.0
"""How long a question may take, with that wait, if who asks does not say otherwise: nobody waits longer at a page."""
CONNECT_WAIT_S = 5
"""How long PostgreSQL may take to answer a call, or to confirm what was sent to it."""
_LIMITS: dict[str, Any] = {"connect_timeout": CONNECT_WAIT_S, "tcp_user_timeout": 1000 * CONNECT_WAIT_S}


def default_folder() -> Path:
    """Return the default data folder."""
    return Path(platformdirs.user_data_dir("ludus", appauthor=False))


def database_url(folder: Path | None = None, address: str | None = None) -> URL:
    """Return the address of the database as SQLAlchemy takes it.

    Args:
        folder: where SQLite's file is; None for the default.
        address: `postgresql://...` instead of SQLite.

    Raises:
        BadInput: the address is not one of PostgreSQL.
        Unavailable: the folder cannot be made.
    """
    if address is None:
        folder = (folder or default_folder()).resolve()
        try:
            make_folder(folder)
        except OSError as error:
            raise Unavailable(f"{folder}: cannot be made ({error.strerror}); choose another with --data.") from error
        return URL.create("sqlite+aiosqlite", database=str(folder / FILE))
    try:
        url = make_url(address)
    except ArgumentError:
        raise BadInput(f"Database {address!r}: write an address such as postgresql://user@host/name.") from None
    if url.get_backend_name() != "postgresql":
        raise BadInput("Only postgresql://... is taken as an address; without one, SQLite is used.")
    return url.set(drivername="postgresql+psycopg")


def data_folder(url: URL, folder: Path | None = None) -> Path:
    """Return the folder of what is not in the database: `folder`, or that of SQLite's file, or the default."""
    if folder:
        return folder
    if url.get_backend_name() == "sqlite" and url.database:
        return Path(url.database).parent
    return default_folder()


class Database:
    """An open database, which belongs to this process: one connection writes, some read."""

    def __init__(self, writing: Engine, reading: AsyncEngine, release: Callable[[], None]) -> None:
        self._writing = writing
        self._reader = DatabaseReader(reading)
        self._writer = Writer(writing)
        self._release = release

    @classmethod
    async def open(cls, url: URL) -> "Database":
        """Open a database and bring its tables up to date; raises Unavailable, or TakenError if another site has it."""
        writing = writing_engine(url)
        reading = _reading(url)
        try:
            release = await asyncio.to_thread(_claimed, url, writing)
        except (DBAPIError, OSError) as error:
            raise unusable(url, error) from error
        return cls(writing, reading, release)

    @property
    def stalled_s(self) -> float:
        """Return for how long the database has refused to write; 0 if it does not."""
        return self._writer.stalled_s

    async def write(self, work: Work[_Result], patience_s: float | None = None) -> _Result:
        """Run `work` in a transaction, after all work that came before; see `Writer.write`.

        Raises:
            BadInput: it contains text that no database stores.
            TakenError: another site has taken the database while it was away.
            Unavailable: it was not done within the patience.
        """
        try:
            return await self._writer.write(work, patience_s)
        except DataError as error:
            raise BadInput(_UNKEPT) from error

    async def read(self, work: Work[_Result], limit_s: float | None = READ_LIMIT_S) -> _Result:
        """Run `work`, which only reads, on a connection of its own; see `DatabaseReader.read`.

        Raises:
            BadInput: it contains text that no database stores.
            Unavailable: the database cannot be read within the limit.
        """
        try:
            return await self._reader.read(work, limit_s)
        except DataError as error:
            raise BadInput(_UNKEPT) from error
        except (DBAPIError, PoolTimeoutError) as error:
            raise Unavailable("The site's database cannot be read at the moment; try again.") from error

    async def close(self, patience_s: float = 5.0) -> bool:
        """Finish writing, close, and return whether everything was written."""
        finished = await self._writer.close(patience_s)
        self._writing.dispose()
        await self._reader.close(patience_s)
        await asyncio.to_thread(self._release)
        return finished


def _claimed(url: URL, engine: Engine) -> Callable[[], None]:
    """Lock a database and migrate its tables; return the function that unlocks it."""
    if url.get_backend_name() != "sqlite":
        claim_connections(engine)
        try:
            upgrade(engine)
        except BaseException:
            engine.dispose()
            raise
        return engine.dispose
    file = Path(str(url.database))
    release = claim_file(file)
    try:
        file.touch(0o600)  # passwords, though hashed, concern nobody else on this machine
        upgrade(engine)
    except BaseException:
        release()
        raise
    finally:
        engine.dispose()
    return release


def unusable(url: URL, error: DBAPIError | OSError) -> Unavailable:
    """Return the error for a database that refuses."""
    cause = str(error.orig if isinstance(error, DBAPIError) else error).strip().split("\n")[0].rstrip(".")
    return Unavailable(f"The database at {url.render_as_string()} cannot be used: {cause}.")


def writing_engine(url: URL, lock_wait_s: int = LOCK_WAIT_S) -> Engine:
    """Return the engine of the one connection that writes, which waits so long for another program's lock.

    Raises:
        Unavailable: the driver of PostgreSQL is not installed.
    """
    if url.get_backend_name() != "sqlite":
        options = {"lock_timeout": 1000 * lock_wait_s} | KEEPALIVES
        limits = _LIMITS | {"options": " ".join(f"-c {name}={value}" for name, value in options.items())}
        try:
            return create_engine(url, pool_size=1, max_overflow=0, pool_pre_ping=True, connect_args=limits)
        except (NoSuchModuleError, ModuleNotFoundError) as error:
            raise Unavailable(f"PostgreSQL needs its driver: {with_extra('postgres')}.") from error
    url = url.set(drivername="sqlite")
    engine = create_engine(url, pool_size=1, max_overflow=0, connect_args={"timeout": lock_wait_s})
    _prepare_sqlite(engine, "BEGIN IMMEDIATE")
    return engine


def _reading(url: URL) -> AsyncEngine:
    if url.get_backend_name() != "sqlite":
        pool: dict[str, Any] = {"pool_size": 5, "max_overflow": 0, "pool_timeout": READ_WAIT_S, "pool_pre_ping": True}
        return create_async_engine(url, **pool, connect_args=_LIMITS)
    limits = {"timeout": LOCK_WAIT_S}
    engine = create_async_engine(url, pool_size=5, max_overflow=0, pool_timeout=READ_WAIT_S, connect_args=limits)
    _prepare_sqlite(engine.sync_engine, "BEGIN")
    return engine


def _prepare_sqlite(engine: Engine, first: str) -> None:
    """Make every connection durable, and let its transactions begin with the statement `first`."""

    @event.listens_for(engine, "connect")
    def prepare(connection: DBAPIConnection, _record: object) -> None:  # pyright: ignore[reportUnusedFunction] - SQLAlchemy calls it
        connection.isolation_level = None  # or Python begins transactions late, at the first write
        cursor = connection.cursor()
        cursor.execute("PRAGMA foreign_keys = ON")
        cursor.execute("PRAGMA journal_mode = WAL")
        cursor.execute("PRAGMA synchronous = FULL")  # what is committed survives a power cut
        cursor.close()
        connection.create_function("lower", 1, str.lower)  # SQLite's own knows the letters of English alone

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:  # pyright: ignore[reportUnusedFunction] - SQLAlchemy calls it
        connection.exec_driver_sql(first)
