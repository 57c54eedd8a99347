"""Where games are prepared, replayed, read and written beside the event loop: rules take seconds over a long one."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from ludus.site.safety.fair_queue import FairQueue

AT_ONCE = 2
"""Lines at a time: a short one goes past a long one, and more would only share one interpreter."""
_Made = TypeVar("_Made")


class WorkerThreads:
    """Threads of its own: the event loop's, in which passwords are checked, stay free; addresses are served in turn."""

    def __init__(self) -> None:
        """Begin with nothing to do; threads start when they are needed."""
        self._queue = FairQueue(AT_ONCE)
        self._threads = ThreadPoolExecutor(AT_ONCE, thread_name_prefix="site-worker")

    async def do(self, address: str, work: Callable[[], _Made]) -> _Made:
        """Return what a piece of work makes, for somebody at an address; raises Unavailable if too much waits."""
        async with self._queue.place(address):
            return await asyncio.get_running_loop().run_in_executor(self._threads, work)

    def close(self) -> None:
        """Begin nothing more."""
        self._threads.shutdown(wait=False, cancel_futures=True)
