"""Stops a process that leads its own process group: waits for it, then kills the group."""

import asyncio

from ludus.system import kill_group


async def end(process: asyncio.subprocess.Process, patience_s: float) -> bool:
    """Wait up to `patience_s` for a process started with the options `apart`, then kill it.

    Returns:
        whether it ended without being killed.
    """
    try:
        async with asyncio.timeout(patience_s):
            await process.wait()
    except TimeoutError:
        kill(process)
        await process.wait()
        return False
    return True


def kill(process: asyncio.subprocess.Process) -> None:
    """Kill a process and its process group, since the engine may be a child of a shell."""
    kill_group(process.pid)
