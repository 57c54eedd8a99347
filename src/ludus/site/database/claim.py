"""Lock a database for one site: two sites would overwrite each other's moves."""

import time
from collections.abc import Callable
from pathlib import Path

from filelock import FileLock, Timeout
from sqlalchemy import Engine, event
from sqlalchemy.engine.interfaces import DBAPIConnection

from ludus.errors import Unavailable

PATIENCE_S = 5.0
"""How long to wait for the lock, since the previous site may still be stopping."""
ASK_AGAIN_S = 0.2
NUMBER = 0x4C55445553  # key of PostgreSQL's advisory lock: "LUDUS" in ASCII
KEEPALIVES = {"tcp_keepalives_idle": 2, "tcp_keepalives_interval": 1, "tcp_keepalives_count": 2}
"""PostgreSQL settings that detect a dead connection within PATIENCE_S, so that its lock is released."""


class TakenError(Unavailable):
    """Raised when another site holds the lock of the database."""


def claim_file(database: Path) -> Callable[[], None]:
    """Lock an SQLite database, and return the function that unlocks it; the end of the process also unlocks it.

    Raises:
        TakenError: another site holds the lock.
        Unavailable: the lock file cannot be written.
    """
    path = database.with_name(f"{database.name}.lock")
    lock = FileLock(path, thread_local=False)  # acquired in one thread and released in another
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
    """Make every connection of a PostgreSQL engine hold an advisory lock while it is open.

    Therefore nothing is written without the lock, even after a restart of the database server.  Connecting raises
    TakenError if another site holds the lock, and always after that.  A proxy that shares connections between clients
    makes the lock ineffective.
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
    """Try to take the lock, and return whether this connection holds it; leaves no transaction open."""
    cursor = connection.cursor()
    cursor.execute(f"SELECT pg_try_advisory_lock({NUMBER})")
    (locked,) = cursor.fetchone() or (False,)
    cursor.close()
    connection.commit()
    return bool(locked)


def _taken(where: str, option: str) -> str:
    return (
        f"{where}: another Ludus site is using this database; stop that site, or choose another database with {option}."
    )
