"""Locks a database for one site: two would play the same games and overwrite each other's moves."""

import time
from collections.abc import Callable
from pathlib import Path

from filelock import FileLock, Timeout
from sqlalchemy import Engine, event
from sqlalchemy.engine.interfaces import DBAPIConnection

from ludus.errors import Unavailable

PATIENCE_S = 5.0
"""How long a site that has just been told to stop may take to leave."""
ASK_AGAIN_S = 0.2
NUMBER = 0x4C55445553  # of the lock among a PostgreSQL database's: LUDUS
KEEPALIVES = {"tcp_keepalives_idle": 2, "tcp_keepalives_interval": 1, "tcp_keepalives_count": 2}
"""By which PostgreSQL notices, in seconds that are fewer than the patience, that a site or its line is dead."""


class TakenError(Unavailable):
    """Another site has the database."""


def claim_file(database: Path) -> Callable[[], None]:
    """Lock a database of SQLite until the returned function is called, or this process ends.

    Raises:
        TakenError: another site has it.
        Unavailable: the lock cannot be written.
    """
    path = database.with_name(f"{database.name}.lock")
    lock = FileLock(path, thread_local=False)  # it is taken in one thread and given back in another
    try:
        lock.acquire(timeout=PATIENCE_S)
    except Timeout:
        raise TakenError(_taken(str(path.parent), "--data")) from None
    except OSError as error:
        raise Unavailable(
            f"{path}: cannot be written ({error.strerror}); choose another folder with --data."
        ) from error
    return lock.release


def claim_connections(engine: Engine) -> None:
    """Let every connection of an engine for PostgreSQL hold an advisory lock as long as it lasts.

    So nothing is written without the lock, even after the server was restarted.  Connecting raises TakenError while
    another site has it, and for ever once another site had it.  Behind a proxy that shares connections the lock means
    nothing.
    """
    taken = False

    @event.listens_for(engine, "connect")
    def claim(connection: DBAPIConnection, _record: object) -> None:  # pyright: ignore[reportUnusedFunction] - SQLAlchemy calls it
        nonlocal taken
        end = time.monotonic() + PATIENCE_S
        while not taken and not _locked(connection):
            taken = time.monotonic() >= end
            time.sleep(ASK_AGAIN_S)
        if taken:
            connection.close()
            raise TakenError(_taken(engine.url.render_as_string(), "--database"))


def _locked(connection: DBAPIConnection) -> bool:
    """Try to take the lock, and return whether the connection has it; leaves no transaction open."""
    cursor = connection.cursor()
    cursor.execute(f"SELECT pg_try_advisory_lock({NUMBER})")
    (locked,) = cursor.fetchone() or (False,)
    cursor.close()
    connection.commit()
    return bool(locked)


def _taken(where: str, option: str) -> str:
    return (
        f"{where}: another Ludus serves the games that are kept here; stop it, or choose another place with {option}."
    )
