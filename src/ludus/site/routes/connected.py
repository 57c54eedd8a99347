"""Runs work for a request only as long as its client is connected."""

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

from fastapi import Request
from starlette.requests import ClientDisconnect

_Made = TypeVar("_Made")


async def while_connected(request: Request, work: Coroutine[Any, Any, _Made]) -> _Made:
    """Return the result of `work`, which is cancelled when the client disconnects.

    The body of the request must have been read.

    Raises:
        ClientDisconnect: the client has disconnected.
    """
    task, gone = asyncio.create_task(work), asyncio.create_task(_disconnected(request))
    try:
        await asyncio.wait({task, gone}, return_when=asyncio.FIRST_COMPLETED)
        if task.done():
            return task.result()
        raise ClientDisconnect
    finally:
        gone.cancel()
        task.cancel()
        await asyncio.gather(task, gone, return_exceptions=True)


async def _disconnected(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass
