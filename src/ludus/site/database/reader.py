"""Questions to the database, each on a connection that is lent for it; one that is not answered in time is given up.

Whoever gives up does not wait for the driver to agree: that may take as long as the answer would have.
"""

import asyncio
from typing import Any, TypeVar

from sqlalchemy.ext.asyncio import AsyncEngine

from ludus.errors import Unavailable
from ludus.site.database.writer import Work

_Result = TypeVar("_Result")
_SLOW = "The site's database takes too long to answer; try again in a moment."


class _Read:
    """A query that is running."""

    driver: Any = None
    """The driver's connection that is lent for it; None: it waits for one."""
    dropped = False
    """Whether nobody waits for the answer any more."""


class DatabaseReader:
    """Runs several queries at a time."""

    def __init__(self, engine: AsyncEngine) -> None:
        """Prepare to read; the engine limits the connections, and the wait for one."""
        self._engine = engine
        self._given_up: set[asyncio.Task[Any]] = set()

    async def read(self, work: Work[_Result], limit_s: float | None) -> _Result:
        """Run `work`, which only reads, once; raises Unavailable after `limit_s`, with the wait for a connection."""
        question = _Read()
        asked = asyncio.create_task(self._ask(work, question))
        try:
            await asyncio.wait({asked}, timeout=limit_s)
            if asked.done():
                return await asked
            raise Unavailable(_SLOW)
        finally:
            if not asked.done():
                await self._give_up(asked, question)

    async def close(self, patience_s: float) -> None:
        """Close the connections, after abandoned queries have ended or the patience is over."""
        if self._given_up:
            await asyncio.wait([*self._given_up], timeout=patience_s)
        await self._engine.dispose()

    async def _ask(self, work: Work[_Result], question: _Read) -> _Result:
        async with self._engine.connect() as connection:
            if question.dropped:
                raise Unavailable(_SLOW)
            question.driver = (await connection.get_raw_connection()).driver_connection
            return await connection.run_sync(work)

    async def _give_up(self, asked: asyncio.Task[Any], question: _Read) -> None:
        """Abandon a query; its connection is lent to nobody else until it has ended."""
        self._given_up.add(asked)
        asked.add_done_callback(self._note)
        question.dropped = True
        if question.driver is None:
            return  # cut off in the middle of connecting, a driver might leave a line open
        if self._engine.dialect.name == "sqlite":
            await question.driver.interrupt()  # or its thread would go on for nobody; PostgreSQL's driver sends word
        asked.cancel()

    def _note(self, asked: asyncio.Task[Any]) -> None:
        """Retrieve the result of an abandoned query, so that asyncio does not complain."""
        self._given_up.discard(asked)
        if not asked.cancelled():
            asked.exception()
