"""Ends a process that leads a session of its own: waits for it, then kills it."""

import asyncio
import contextlib
import os
import signal


async def end(process: asyncio.subprocess.Process, patience_s: float) -> bool:
    """Wait up to `patience_s` for a process started with `start_new_session`, then kill it.

    Returns:
        whether it ended by itself.
    """
    try:
        await asyncio.wait_for(process.wait(), patience_s)
    except TimeoutError:
        kill(process)
        await process.wait()
        return False
    return True


def kill(process: asyncio.subprocess.Process) -> None:
    """Kill a process and all that it has started in its session: an engine may stand behind a shell."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
