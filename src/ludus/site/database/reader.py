"""Database queries with a time limit, each on a connection from a pool.

After the limit the caller gets an error at once; the driver may need much longer to cancel the query.
"""

import asyncio
from typing import Any, TypeVar

from sqlalchemy.ext.asyncio import AsyncEngine

from ludus.errors import Unavailable
from ludus.site.database.writer import Work

_Result = TypeVar("_Result")
_SLOW = "The site's database takes too long to answer; try again in a few seconds."
_AGAIN_S = 0.05
"""Pause between two interruptions of SQLite: one that comes before a query runs has no effect."""


class _Read:
    """A query that is running."""

    driver: Any = None
    """The driver's connection; None: the query has none yet, or no more."""
    dropped = False
    """Whether the query has been abandoned."""


class DatabaseReader:
    """A reader that runs several queries at a time and abandons slow ones."""

    def __init__(self, engine: AsyncEngine) -> None:
        """Create a reader; the engine limits the number of connections and the wait for one."""
        self._engine = engine
        self._given_up: set[asyncio.Task[Any]] = set()
        self._stopping: set[asyncio.Task[None]] = set()

    async def read(self, work: Work[_Result], limit_s: float | None) -> _Result:
        """Run a function that only reads, and return its result.

        Args:
            work: the function; runs once.
            limit_s: time limit, including the wait for a connection; None: no limit.

        Raises:
            Unavailable: the time limit is over.
        """
        question = _Read()
        asked = asyncio.create_task(self._ask(work, question))
        try:
            await asyncio.wait({asked}, timeout=limit_s)
            if asked.done():
                return await asked
            raise Unavailable(_SLOW)
        finally:
            if not asked.done():
                self._give_up(asked, question)

    async def close(self, patience_s: float) -> None:
        """Wait up to `patience_s` for abandoned queries, then close the connections."""
        if self._given_up:
            await asyncio.wait([*self._given_up], timeout=patience_s)
        for stopping in self._stopping:
            stopping.cancel()
        await self._engine.dispose()

    async def _ask(self, work: Work[_Result], question: _Read) -> _Result:
        async with self._engine.connect() as connection:
            question.driver = (await connection.get_raw_connection()).driver_connection
            try:
                if question.dropped:
                    raise Unavailable(_SLOW)
                return await connection.run_sync(work)
            finally:
                question.driver = None  # the connection serves other queries from now on

    def _give_up(self, asked: asyncio.Task[Any], question: _Read) -> None:
        """Abandon a query; its connection returns to the pool when the query has ended."""
        self._given_up.add(asked)
        asked.add_done_callback(self._note)
        question.dropped = True
        if question.driver is None:
            return  # a driver that is cancelled while connecting might leave a connection open
        if self._engine.dialect.name == "sqlite":  # cancelling stops PostgreSQL, but not SQLite's thread
            stopping = asyncio.create_task(self._interrupt(question), name="end of a query")
            self._stopping.add(stopping)
            stopping.add_done_callback(self._stopping.discard)
        else:
            asked.cancel()

    async def _interrupt(self, question: _Read) -> None:
        """Interrupt SQLite until an abandoned query has ended."""
        while question.driver is not None:
            await question.driver.interrupt()
            await asyncio.sleep(_AGAIN_S)

    def _note(self, asked: asyncio.Task[Any]) -> None:
        """Retrieve the error of an abandoned query, so that asyncio does not log it."""
        self._given_up.discard(asked)
        if not asked.cancelled():
            asked.exception()
