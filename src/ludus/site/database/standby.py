"""Watches the site that serves a PostgreSQL database, until that site ends or falls silent."""

import asyncio
import logging
import time

from sqlalchemy import Engine, text
from sqlalchemy.engine import URL
from sqlalchemy.exc import DBAPIError

from ludus.site.database.claim import NUMBER
from ludus.site.database.database import unusable, writing_engine
from ludus.site.database.migrate import must_be_current

_log = logging.getLogger(__name__)

LOOK_S = 0.5
BEAT_S = 1.0
"""Interval at which the site that serves renews its lease."""
_HOLDERS = f"""FROM pg_locks WHERE locktype = 'advisory' AND granted AND objsubid = 1
    AND classid = {NUMBER >> 32} AND objid = {NUMBER & 0xFFFFFFFF}
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"""
_LOOK = text(f"SELECT (SELECT beats FROM lease WHERE id = 0) AS beats, EXISTS (SELECT 1 {_HOLDERS}) AS is_locked")
_EXPEL = text(f"SELECT pg_terminate_backend(pid) {_HOLDERS}")


class Watch:
    """Decides from looks at the database whether the site that serves has ended."""

    def __init__(self, silence_s: float, now_s: float) -> None:
        """Begin to watch.

        Args:
            silence_s: how long the site may leave its lease unchanged.
            now_s: the time in seconds.
        """
        self._limit_s = silence_s
        self._looked_s = now_s
        self._beats: int | None = None
        self._silent_s = 0.0
        self._free = 0  # looks in a row that found the lock free

    def has_ended(self, now_s: float, beats: int, *, is_locked: bool) -> bool:
        """Return whether the site has ended or has been silent for too long, after one more look.

        Args:
            now_s: the time of the look in seconds.
            beats: the counter that the site increases.
            is_locked: whether a site holds the lock.
        """
        passed = min(now_s - self._looked_s, 2 * LOOK_S)  # more shows only that this process stood still
        self._silent_s = self._silent_s + passed if beats == self._beats else 0.0
        self._looked_s, self._beats = now_s, beats
        self._free = 0 if is_locked else self._free + 1
        return self._free >= 2 or self._silent_s >= self._limit_s

    def could_not_look(self) -> None:
        """Give the other site time to lock the database again, since a restart of PostgreSQL has released the lock."""
        self._free = -round(self._limit_s / LOOK_S)


async def until_ended(url: URL, silence_s: float) -> None:
    """Wait until the site that serves a database has ended or been silent for too long; then cut its connection.

    Raises:
        Unavailable: the tables belong to another version of Ludus, or the database cannot be used at the start.
    """
    engine = writing_engine(url)
    try:
        try:
            await asyncio.to_thread(_check, engine)
        except (DBAPIError, OSError) as error:
            raise unusable(url, error) from error
        watch = Watch(silence_s, time.monotonic())
        while True:
            await asyncio.sleep(LOOK_S)
            try:
                beats, is_locked = await asyncio.to_thread(_look, engine)
                if watch.has_ended(time.monotonic(), beats, is_locked=is_locked):
                    await asyncio.to_thread(_expel, engine)
                    return
            except (DBAPIError, OSError) as error:
                watch.could_not_look()
                _log.info("The database cannot be watched at present: %s", error)
    finally:
        engine.dispose()


def _check(engine: Engine) -> None:
    with engine.begin() as connection:
        must_be_current(connection)


def _look(engine: Engine) -> tuple[int, bool]:
    with engine.begin() as connection:
        row = connection.execute(_LOOK).one()
    return row.beats, row.is_locked


def _expel(engine: Engine) -> None:
    """End the connection that holds the lock; its transaction, if any, is rolled back."""
    with engine.begin() as connection:
        connection.execute(_EXPEL)
