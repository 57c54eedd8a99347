"""One task writes, one transaction after the other; who is cut off while waiting loses nothing that was handed in."""

import asyncio
import contextlib
import logging
import time
from collections.abc import Awaitable, Callable
from typing import Any, NamedTuple, TypeVar

from sqlalchemy.exc import DBAPIError, IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from ludus.errors import Unavailable

_log = logging.getLogger(__name__)

FIRST_DELAY_S, LONGEST_DELAY_S = 0.05, 2.0
_Result = TypeVar("_Result")
Work = Callable[[AsyncConnection], Awaitable[_Result]]
"""What is done inside one transaction; it may run again from the start, so it must not mind that."""


class _Job(NamedTuple):
    work: Work[Any]
    done: asyncio.Future[Any]


class Writer:
    """Runs transactions in the order in which they were handed in, each until it succeeds."""

    def __init__(self, engine: AsyncEngine) -> None:
        """Prepare to write.

        Args:
            engine: of the database; its transactions are alone from their first statement on.
        """
        self._engine = engine
        self._jobs: asyncio.Queue[_Job] = asyncio.Queue()
        self._task: asyncio.Task[None] | None = None
        self._stalled_since: float | None = None
        self._closing = False

    @property
    def stalled_s(self) -> float:
        """Return for how long the database has refused to write; 0 if it does not."""
        return 0.0 if self._stalled_since is None else time.monotonic() - self._stalled_since

    async def write(self, work: Work[_Result], patience_s: float | None = None) -> _Result:
        """Do `work` in one transaction and return its result; a database that refuses is asked again.

        Args:
            work: may run more than once.
            patience_s: how long to wait; None: as long as it takes.

        Raises:
            Unavailable: it was not done within the patience and will not be done, or the writer is closed.
        """
        if self._closing:
            raise Unavailable("The site is being stopped.")
        if self._task is None:
            self._task = asyncio.create_task(self._run(), name="database writer")
        job = _Job(work, asyncio.get_running_loop().create_future())
        self._jobs.put_nowait(job)
        try:
            return await asyncio.wait_for(asyncio.shield(job.done), patience_s)
        except TimeoutError:
            job.done.cancel()  # unless it is being committed at this moment, it never will be
            raise Unavailable("The site's database is busy; try again in a moment.") from None

    async def close(self, patience_s: float) -> bool:
        """Finish what was handed in and return whether all of it was written."""
        self._closing = True
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._jobs.join(), patience_s)
        finished = self._jobs.empty() and self._stalled_since is None
        if self._task:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        return finished

    async def _run(self) -> None:
        while True:
            job = await self._jobs.get()
            try:
                if not job.done.cancelled():
                    await self._do(job)
            finally:
                self._jobs.task_done()

    async def _do(self, job: _Job) -> None:
        delay = FIRST_DELAY_S
        while True:
            try:
                async with self._engine.connect() as connection, connection.begin() as transaction:
                    result = await job.work(connection)
                    if job.done.cancelled():
                        await transaction.rollback()
            except IntegrityError as error:
                _settle(job, error)
                return
            except (DBAPIError, OSError) as error:
                if self._stalled_since is None:
                    self._stalled_since = time.monotonic()
                    _log.warning("The database refuses to write; it is tried again until it does: %s", error)
                if job.done.cancelled():
                    return
                await asyncio.sleep(delay)
                delay = min(2 * delay, LONGEST_DELAY_S)
            except Exception as error:  # noqa: BLE001 - a mistake in one transaction must not end all writing
                _settle(job, error)
                return
            else:
                if self._stalled_since is not None:
                    _log.warning("The database writes again, after %.1f s.", self.stalled_s)
                    self._stalled_since = None
                if not job.done.cancelled():
                    job.done.set_result(result)
                return


def _settle(job: _Job, error: Exception) -> None:
    if job.done.cancelled():
        _log.error("What nobody waits for any more failed: %s", error)
    else:
        job.done.set_exception(error)
