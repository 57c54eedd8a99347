"""Lock a database for one site: two sites would overwrite each other's moves.

A site has a PostgreSQL database while its connection holds an advisory lock and the table `lease` has its generation.
"""

import time
from collections.abc import Callable
from pathlib import Path

from filelock import FileLock, Timeout
from sqlalchemy import Connection, Engine, event, update
from sqlalchemy.engine.interfaces import DBAPIConnection

from ludus.errors import Unavailable
from ludus.site.database.schema import lease

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


class Lease:
    """The claim of one site to a PostgreSQL database; every connection and every transaction of an engine checks it.

    Each connection holds an advisory lock while it is open, and each transaction compares the generation in the table
    `lease` with the site's own.  Therefore nothing is written after another site has claimed the database, even if the
    database server or a site stood still meanwhile.  A proxy that shares connections between clients makes the lock
    ineffective, but not the generation.
    """

    def __init__(self, engine: Engine) -> None:
        """Watch an engine; connecting raises TakenError if another site holds the lock, and always after that."""
        self._where = engine.url.render_as_string()
        self._generation: int | None = None
        self._taken = False
        event.listen(engine, "connect", self._lock)
        event.listen(engine, "begin", self._check)

    def take(self, engine: Engine) -> None:
        """Begin a new generation; the tables must be migrated."""
        next_one = update(lease).values(generation=lease.c.generation + 1).returning(lease.c.generation)
        with engine.begin() as connection:
            self._generation = connection.execute(next_one).scalar_one()

    def _lock(self, connection: DBAPIConnection, _record: object) -> None:
        end = time.monotonic() + PATIENCE_S
        while not self._taken and not _locked(connection):
            self._taken = time.monotonic() >= end
            time.sleep(ASK_AGAIN_S)
        if self._taken:
            connection.close()
            raise TakenError(_taken(self._where, "--database"))

    def _check(self, connection: Connection) -> None:
        if self._generation is None:
            return
        found = connection.exec_driver_sql("SELECT generation FROM lease WHERE id = 0 FOR SHARE").scalar_one()
        if found != self._generation:
            self._taken = True
            raise TakenError(f"{self._where}: another Ludus site has claimed this database meanwhile.")


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
