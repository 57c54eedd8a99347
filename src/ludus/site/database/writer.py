"""The database writer: one thread that runs queued functions and commits several of them together.

A commit waits for the disk, and each statement sent from a coroutine waits for the database thread and the interpreter
lock.  Therefore a transaction is a single call in that thread, and includes all functions queued during the previous
transaction.
"""

import asyncio
import contextlib
import contextvars
import logging
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DataError, DBAPIError, IntegrityError, ProgrammingError

from ludus.errors import Unavailable

_log = logging.getLogger(__name__)

FIRST_DELAY_S, LONGEST_DELAY_S = 0.05, 2.0
MAX_TOGETHER = 64
"""Most functions in one transaction."""
_FAULTS_OF_THE_WORK = IntegrityError | DataError | ProgrammingError  # other errors are the database's; retry them
_Result = TypeVar("_Result")
Work = Callable[[Connection], _Result]
"""A function that runs in a transaction in the writer's thread; it may run several times, so it must be repeatable."""


class _Write:
    """A queued function; it can be cancelled until its commit begins."""

    def __init__(self, work: Work[Any], done: asyncio.Future[Any]) -> None:
        self.work = work
        self.done = done
        self.decided = False
        """Whether its commit has begun; after a failed commit it is unknown whether the data was written."""


class _CancelledError(Exception):
    """Raised when a function in this transaction has been cancelled."""


class Writer:
    """A queue of functions that write to the database, run in order and retried while the database refuses to write."""

    def __init__(self, engine: Engine) -> None:
        """Create a writer; the engine's transactions must be exclusive from their first statement on."""
        self._engine = engine
        self._jobs: asyncio.Queue[_Write] = asyncio.Queue()
        self._thread = ThreadPoolExecutor(1, "database writer")
        self._task: asyncio.Task[None] | None = None
        self._stalled_since: float | None = None
        self._closing = False
        self._deciding = threading.Lock()

    @property
    def stalled_s(self) -> float:
        """Return for how many seconds all writes have failed; 0 if the last one succeeded."""
        return 0.0 if self._stalled_since is None else time.monotonic() - self._stalled_since

    @property
    def num_waiting(self) -> int:
        """Return the number of queued functions."""
        return self._jobs.qsize()

    async def write(self, work: Work[_Result], patience_s: float | None = None) -> _Result:
        """Run `work` in a transaction and return its result; retry while the database refuses to write.

        Args:
            work: the function; may run more than once.
            patience_s: longest wait until the commit begins; None: no limit.

        Raises:
            Unavailable: the commit did not begin in time and `work` will not be done, or the writer is closed.
        """
        if self._closing:
            raise Unavailable("The site is stopping.")
        if self._task is None:
            self._task = asyncio.create_task(self._run(), name="database writer", context=contextvars.Context())
        job = _Write(work, asyncio.get_running_loop().create_future())
        self._jobs.put_nowait(job)
        try:
            async with asyncio.timeout(patience_s):
                return await asyncio.shield(job.done)
        except TimeoutError:
            if self._given_up(job):
                raise Unavailable("The site's database is busy; try again in a few seconds.") from None
        return await asyncio.shield(job.done)

    async def close(self, patience_s: float) -> bool:
        """Wait up to `patience_s` for the queue to empty, stop, and return whether everything was written."""
        self._closing = True
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(patience_s):
                await self._jobs.join()
        finished = self._jobs.empty() and self._stalled_since is None
        if self._task:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        await asyncio.to_thread(self._thread.shutdown)  # takes at most a second: the database's wait for a lock
        return finished

    def _given_up(self, job: _Write) -> bool:
        """Cancel a queued function and return True; return False if its commit has begun."""
        with self._deciding:
            return not job.decided and job.done.cancel()

    async def _run(self) -> None:
        while True:
            jobs = [await self._jobs.get()]
            while len(jobs) < MAX_TOGETHER and not self._jobs.empty():
                jobs.append(self._jobs.get_nowait())
            try:
                await self._do(jobs)
            finally:
                for _ in jobs:
                    self._jobs.task_done()

    async def _do(self, jobs: Sequence[_Write]) -> None:
        """Run several functions in one transaction; if one of them fails, run each in its own."""
        delay = FIRST_DELAY_S
        loop = asyncio.get_running_loop()
        while jobs := [job for job in jobs if not job.done.cancelled()]:
            try:
                results = await loop.run_in_executor(self._thread, self._transact, jobs)
            except _CancelledError:
                continue
            except Exception as error:  # noqa: BLE001 - an error in one function must not stop the writer
                if isinstance(error, DBAPIError | OSError) and not isinstance(error, _FAULTS_OF_THE_WORK):
                    self._note_refusal(error)
                    await asyncio.sleep(delay)
                    delay = min(2 * delay, LONGEST_DELAY_S)
                elif len(jobs) > 1:
                    for job in jobs:
                        await self._do([job])
                    return
                else:
                    _settle(jobs[0], error)
                    return
            else:
                self._note_success()
                for job, result in zip(jobs, results, strict=True):
                    if not job.done.cancelled():
                        job.done.set_result(result)
                return

    def _transact(self, jobs: Sequence[_Write]) -> list[Any]:
        """Run several functions in one transaction and commit, in the writer's thread."""
        with self._engine.begin() as connection:
            results = [job.work(connection) for job in jobs]
            with self._deciding:
                if any(job.done.cancelled() for job in jobs):
                    raise _CancelledError
                for job in jobs:
                    job.decided = True
        return results

    def _note_refusal(self, error: Exception) -> None:
        if self._stalled_since is None:
            self._stalled_since = time.monotonic()
            _log.warning("The database refuses to write; retrying until it succeeds: %s", error)

    def _note_success(self) -> None:
        if self._stalled_since is not None:
            _log.warning("Writing to the database works again after %.1f s.", self.stalled_s)
            self._stalled_since = None


def _settle(job: _Write, error: Exception) -> None:
    if job.done.cancelled():
        _log.error("A cancelled write to the database failed: %s", error)
    else:
        job.done.set_exception(error)
