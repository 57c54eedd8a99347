"""One site for a database: two would play the same games, and write over one another's moves."""

import time
from collections.abc import Callable
from pathlib import Path

from filelock import FileLock, Timeout
from sqlalchemy import URL, NullPool, create_engine, text

from ludus.errors import Unavailable

PATIENCE_S = 5.0
"""How long a site that has just been told to stop may take to leave."""
ASK_AGAIN_S = 0.2
NUMBER = 0x4C55445553  # of the lock among a PostgreSQL database's: LUDUS


def claim(url: URL) -> Callable[[], None]:
    """Keep other sites from a database until the function that is returned is called, or this process ends.

    PostgreSQL keeps the lock as long as one connection lasts: behind a proxy that shares connections it says nothing.

    Raises:
        Unavailable: another site has it, or there is no place for the lock.
        DBAPIError: PostgreSQL cannot be reached.
    """
    return _file(url) if url.get_backend_name() == "sqlite" else _session(url)


def _file(url: URL) -> Callable[[], None]:
    path = Path(f"{url.database}.lock")
    lock = FileLock(path, thread_local=False)  # it is taken in one thread and given back in another
    try:
        lock.acquire(timeout=PATIENCE_S)
    except Timeout:
        raise Unavailable(_taken(str(path.parent), "--data")) from None
    except OSError as error:
        raise Unavailable(
            f"{path}: cannot be written ({error.strerror}); choose another folder with --data."
        ) from error
    return lock.release


def _session(url: URL) -> Callable[[], None]:
    engine = create_engine(url, poolclass=NullPool, isolation_level="AUTOCOMMIT")  # no transaction stays open
    connection = engine.connect()
    end = time.monotonic() + PATIENCE_S
    while not connection.scalar(text("SELECT pg_try_advisory_lock(:number)"), {"number": NUMBER}):
        if time.monotonic() >= end:
            connection.close()
            raise Unavailable(_taken(url.render_as_string(), "--database"))
        time.sleep(ASK_AGAIN_S)
    return connection.close


def _taken(where: str, option: str) -> str:
    return (
        f"{where}: another Ludus serves the games that are kept here; stop it, or choose another place with {option}."
    )
