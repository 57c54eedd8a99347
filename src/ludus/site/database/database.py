"""The connection to the database: its address, its engines, and how to read and write."""

import asyncio
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import platformdirs
from sqlalchemy import Connection, Engine, create_engine, event, update
from sqlalchemy.engine import URL, make_url
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import ArgumentError, DataError, DBAPIError, NoSuchModuleError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from ludus.errors import BadInput, Unavailable, with_extra
from ludus.files import make_folder
from ludus.site.database.claim import KEEPALIVES, Lease, claim_file
from ludus.site.database.migrate import upgrade
from ludus.site.database.reader import DatabaseReader
from ludus.site.database.schema import lease
from ludus.site.database.writer import Work, Writer

_Result = TypeVar("_Result")
_UNKEPT = "The request contains a character that the database cannot store, such as NUL; remove it."

FILE = "site.sqlite3"
LOCK_WAIT_S = 1
"""How long the database waits for another program's lock before it returns an error; the writer then retries."""
READ_WAIT_S = 5.0
"""How long a query waits for a connection while all are in use."""
READ_LIMIT_S = 10.0
"""Default time limit of a query, including the wait for a connection; users do not wait longer for a page."""
CONNECT_WAIT_S = 5
"""Time limit for connecting to PostgreSQL, and for its acknowledgement of sent data."""
_LIMITS: dict[str, Any] = {"connect_timeout": CONNECT_WAIT_S, "tcp_user_timeout": 1000 * CONNECT_WAIT_S}


def default_folder() -> Path:
    """Return the default data folder."""
    return Path(platformdirs.user_data_dir("ludus", appauthor=False))


def database_url(folder: Path | None = None, address: str | None = None) -> URL:
    """Return the address of the database for SQLAlchemy; create the folder of an SQLite database.

    Args:
        folder: the folder of SQLite's file; None: the default.
        address: a `postgresql://...` address, to use PostgreSQL instead of SQLite.

    Raises:
        BadInput: the address is not a PostgreSQL address, or this is Windows.
        Unavailable: the folder cannot be created.
    """
    if address is None:
        folder = (folder or default_folder()).resolve()
        try:
            make_folder(folder)
        except OSError as error:
            raise Unavailable(f"{folder}: cannot be created ({error.strerror}); choose another with --data.") from error
        return URL.create("sqlite+aiosqlite", database=str(folder / FILE))
    try:
        url = make_url(address)
    except ArgumentError:
        raise BadInput(f"Database {address!r}: write an address such as postgresql://user@host/name.") from None
    if url.get_backend_name() != "postgresql":
        raise BadInput("A database address must begin with postgresql://; leave it out to use SQLite.")
    if sys.platform == "win32":  # psycopg needs an event loop there that can start no engines
        raise BadInput("A site on Windows cannot use PostgreSQL; leave the address out to use SQLite.")
    return url.set(drivername="postgresql+psycopg")


def data_folder(url: URL, folder: Path | None = None) -> Path:
    """Return the folder for files beside the database: `folder` if given, else SQLite's folder, else the default."""
    if folder:
        return folder
    if url.get_backend_name() == "sqlite" and url.database:
        return Path(url.database).parent
    return default_folder()


class Database:
    """An open database, locked for this process, with one connection for writing and several for reading."""

    def __init__(self, writing: Engine, reading: AsyncEngine, release: Callable[[], None]) -> None:
        self._writing = writing
        self._reader = DatabaseReader(reading)
        self._writer = Writer(writing)
        self._release = release

    @classmethod
    async def open(cls, url: URL) -> "Database":
        """Open and lock a database, and migrate its tables.

        Raises:
            TakenError: another site uses the database.
            Unavailable: the database cannot be used.
        """
        writing = writing_engine(url)
        reading = _reading(url)
        try:
            release = await asyncio.to_thread(_claimed, url, writing)
        except (DBAPIError, OSError) as error:
            raise unusable(url, error) from error
        return cls(writing, reading, release)

    @property
    def stalled_s(self) -> float:
        """Return for how many seconds all writes have failed; 0 if the last one succeeded."""
        return self._writer.stalled_s

    @property
    def num_waiting(self) -> int:
        """Return the number of writes that wait."""
        return self._writer.num_waiting

    async def write(self, work: Work[_Result], patience_s: float | None = None) -> _Result:
        """Run `work` in a transaction, after all earlier work; see `Writer.write`.

        Raises:
            BadInput: a text contains a character that the database cannot store.
            TakenError: another site has locked the database in the meantime.
            Unavailable: the commit did not begin within `patience_s`; `work` will not be done.
        """
        try:
            return await self._writer.write(work, patience_s)
        except DataError as error:
            raise BadInput(_UNKEPT) from error

    async def read(self, work: Work[_Result], limit_s: float | None = READ_LIMIT_S) -> _Result:
        """Run a function that only reads on a separate connection; see `DatabaseReader.read`.

        Raises:
            BadInput: a text contains a character that the database cannot store.
            Unavailable: the database cannot be read within `limit_s`.
        """
        try:
            return await self._reader.read(work, limit_s)
        except DataError as error:
            raise BadInput(_UNKEPT) from error
        except (DBAPIError, PoolTimeoutError) as error:
            raise Unavailable("The site's database cannot be read at present; try again.") from error

    async def keep_lease(self) -> None:
        """Show sites that stand by that this one serves and can write.

        Raises:
            TakenError: another site has claimed the database in the meantime.
        """
        await self.write(lambda connection: connection.execute(update(lease).values(beats=lease.c.beats + 1)))

    async def close(self, patience_s: float = 5.0) -> bool:
        """Finish the queued writes, close all connections and unlock the database.

        Returns:
            Whether everything was written within `patience_s`.
        """
        finished = await self._writer.close(patience_s)
        self._writing.dispose()
        await self._reader.close(patience_s)
        await asyncio.to_thread(self._release)
        return finished


def _claimed(url: URL, engine: Engine) -> Callable[[], None]:
    """Lock a database, migrate its tables, and return the function that unlocks it."""
    if url.get_backend_name() != "sqlite":
        claim = Lease(engine)
        try:
            upgrade(engine)
            claim.take(engine)
        except BaseException:
            engine.dispose()
            raise
        return engine.dispose
    file = Path(str(url.database))
    release = claim_file(file)
    try:
        file.touch(0o600)  # other users of this machine must not read the password hashes
        upgrade(engine)
    except BaseException:
        release()
        raise
    finally:
        engine.dispose()
    return release


def unusable(url: URL, error: DBAPIError | OSError) -> Unavailable:
    """Return the error for a database that raised `error`."""
    cause = str(error.orig if isinstance(error, DBAPIError) else error).strip().split("\n")[0].rstrip(".")
    return Unavailable(f"The database at {url.render_as_string()} cannot be used: {cause}.")


def writing_engine(url: URL, lock_wait_s: int = LOCK_WAIT_S) -> Engine:
    """Return the engine of the connection for writing.

    Args:
        url: the database's address.
        lock_wait_s: how long the database waits for another program's lock before it returns an error.

    Raises:
        Unavailable: the PostgreSQL driver is not installed.
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
    """Make every connection commit durably, and begin its transactions with the statement `first`."""

    @event.listens_for(engine, "connect")
    def prepare(connection: DBAPIConnection, _record: object) -> None:  # pyright: ignore[reportUnusedFunction] - SQLAlchemy calls it
        connection.isolation_level = None  # otherwise Python begins a transaction only at the first write
        cursor = connection.cursor()
        cursor.execute("PRAGMA foreign_keys = ON")
        cursor.execute("PRAGMA journal_mode = WAL")
        cursor.execute("PRAGMA synchronous = FULL")  # commits survive a power cut
        cursor.close()

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:  # pyright: ignore[reportUnusedFunction] - SQLAlchemy calls it
        connection.exec_driver_sql(first)
