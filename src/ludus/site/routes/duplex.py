"""Both directions of an open socket: what it says is heard while it is told what waits for it."""

import asyncio
import contextlib
from collections.abc import Coroutine
from typing import Any, Protocol

from fastapi import WebSocket, WebSocketDisconnect

from ludus.site.faults import Close


class Outgoing(Protocol):
    """What waits to be sent to a socket."""

    wake: asyncio.Event
    closing: Close | None

    def take(self) -> list[str]:
        """Return the messages that are to be sent now."""
        ...


async def both(hear: Coroutine[Any, Any, None], tell: Coroutine[Any, Any, None]) -> None:
    """Run both directions of a socket until one of them ends."""
    tasks = [asyncio.create_task(hear), asyncio.create_task(tell)]
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    for task in done:
        with contextlib.suppress(WebSocketDisconnect):
            task.result()


async def receive(socket: WebSocket) -> str:
    """Return the next text message, "" for a binary one, which is nonsense here; raises WebSocketDisconnect."""
    message = await socket.receive()
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(message.get("code") or 1005)
    return message.get("text") or ""


async def tell(socket: WebSocket, outgoing: Outgoing) -> None:
    """Send what waits, whenever something does, until the socket is to be closed."""
    while True:
        outgoing.wake.clear()
        for text in outgoing.take():
            await socket.send_text(text)
        if outgoing.closing:
            await socket.close(outgoing.closing.code, outgoing.closing.reason)
            return
        await outgoing.wake.wait()
