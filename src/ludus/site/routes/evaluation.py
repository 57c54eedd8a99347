"""The evaluation bar's socket, `/ws/eval/ID`: a handshake, then everything that is known, then whatever is new."""

import asyncio
import contextlib

from fastapi import APIRouter, WebSocket, WebSocketDisconnect
from pydantic import ValidationError

from ludus.errors import LudusError
from ludus.site.evaluation.bar import Bars, BarWatcher, RejectedError
from ludus.site.faults import close_of
from ludus.site.messages import evaluation as messages
from ludus.site.messages.evaluation import INCOMING, MAX_BYTES, EvalPing, Handshake
from ludus.site.routes.duplex import both, receive, tell
from ludus.site.safety.callers import address_of

PATIENCE_S = 30.0
"""How long a socket may take over its handshake."""


def evaluation_routes(bars: Bars) -> APIRouter:
    """Return the socket's route; whose pages may open it is judged at the door."""
    routes = APIRouter()

    @routes.websocket("/ws/eval/{game_id}")
    async def evaluation(socket: WebSocket, game_id: str) -> None:  # pyright: ignore[reportUnusedFunction]
        await socket.accept()
        with contextlib.suppress(WebSocketDisconnect):
            wish = await _handshake(socket)
            if wish is None:
                return
            try:
                watcher = await bars.enter(game_id, wish, address_of(socket))
            except LudusError as error:
                code = error.code if isinstance(error, RejectedError) else "INTERNAL_ERROR"
                await socket.send_text(messages.rejected(code, str(error)))
                await socket.close(*close_of(error, "Rejected"))
                return
            try:
                await both(_hear(socket, watcher), tell(socket, watcher))
            finally:
                await asyncio.shield(bars.leave(watcher))

    return routes


async def _handshake(socket: WebSocket) -> Handshake | None:
    """Return what the socket asks for; None if it is closed because it asks for nothing."""
    try:
        async with asyncio.timeout(PATIENCE_S):
            while True:
                message = _read(await receive(socket))
                if isinstance(message, Handshake):
                    return message
                if isinstance(message, EvalPing):
                    await socket.send_text(messages.PONG)
                    continue
                await socket.close(1008, "Begin with eval-handshake")
                return None
    except TimeoutError:
        await socket.close(1008, "No handshake")
        return None


async def _hear(socket: WebSocket, watcher: BarWatcher) -> None:
    while True:
        if isinstance(_read(await receive(socket)), EvalPing):
            watcher.note(messages.PONG)


def _read(text: str) -> Handshake | EvalPing | None:
    """Return a message; None if it is none."""
    if len(text) > MAX_BYTES:
        return None
    try:
        return INCOMING.validate_json(text)
    except ValidationError:
        return None
