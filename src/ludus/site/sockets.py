"""The two websockets: bots at `/ws/custom-bot`, pages at `/ws/play/{id}`."""

import asyncio
import contextlib
from collections.abc import Coroutine
from typing import Any

from fastapi import APIRouter, WebSocket, WebSocketDisconnect

from ludus.errors import LudusError
from ludus.protocol.bgs import encode as encode_for_bot
from ludus.site.bots import BotLink, Bots, Goodbye
from ludus.site.hall import Hall, LiveGame, Watcher, encode
from ludus.site.messages import MAX_BYTES, ErrorMessage, read_play_message
from ludus.site.origin import is_welcome
from ludus.site.settings import SiteSettings


def socket_routes(bots: Bots, hall: Hall, settings: SiteSettings) -> APIRouter:
    """Return the routes of both sockets."""
    routes = APIRouter()

    def welcome(socket: WebSocket) -> bool:
        return is_welcome(socket.headers.get("origin"), socket.headers.get("host"), settings.allowed_origins)

    @routes.websocket("/ws/custom-bot")
    async def custom_bot(socket: WebSocket) -> None:  # pyright: ignore[reportUnusedFunction] - FastAPI calls it
        if not welcome(socket):
            await socket.close(1008)  # before it is accepted: HTTP 403
            return
        await socket.accept()
        link = BotLink(bots)
        patience = asyncio.get_running_loop().call_later(
            settings.attach_timeout_s,
            lambda: None if link.attached else link.send(Goodbye(1008, "No attach message")),
        )
        try:
            await _both(_hear_bot(socket, link), _tell_bot(socket, link))
        finally:
            patience.cancel()
            link.close()

    @routes.websocket("/ws/play/{game_id}")
    async def play(  # pyright: ignore[reportUnusedFunction]
        socket: WebSocket, game_id: str, token: str | None = None
    ) -> None:
        if not welcome(socket):
            await socket.close(1008)
            return
        await socket.accept()
        try:
            game, watcher = hall.watch(game_id, token)
        except LudusError as error:
            await socket.send_text(encode(ErrorMessage(str(error))))
            await socket.close(1008, "Not here")
            return
        try:
            await _both(_hear_page(socket, hall, game, watcher), _tell_page(socket, game, watcher))
        finally:
            game.watchers.discard(watcher)

    return routes


async def _both(hear: Coroutine[Any, Any, None], tell: Coroutine[Any, Any, None]) -> None:
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


async def _receive(socket: WebSocket) -> str:
    """Return the next text message; a binary one counts as nonsense."""
    message = await socket.receive()
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(message.get("code") or 1005)
    return message.get("text") or ""


async def _hear_bot(socket: WebSocket, link: BotLink) -> None:
    while True:
        link.receive(await _receive(socket))


async def _tell_bot(socket: WebSocket, link: BotLink) -> None:
    while True:
        message = await link.outbox.get()
        if isinstance(message, Goodbye):
            await socket.close(message.code, message.reason)
            return
        await socket.send_text(encode_for_bot(message).decode())


async def _hear_page(socket: WebSocket, hall: Hall, game: LiveGame, watcher: Watcher) -> None:
    while True:
        text = await _receive(socket)
        if len(text) > MAX_BYTES:
            await socket.close(1009, "Message too big")
            return
        try:
            hall.hear(game, watcher, read_play_message(text))
        except LudusError as error:
            watcher.note(ErrorMessage(str(error)))


async def _tell_page(socket: WebSocket, game: LiveGame, watcher: Watcher) -> None:
    while not watcher.closing:
        watcher.wake.clear()
        if watcher.stale:
            watcher.stale = False
            await socket.send_text(encode(game.table.state(watcher.you)))
        while watcher.notes:
            await socket.send_text(encode(watcher.notes.popleft()))
        await watcher.wake.wait()
    await socket.close(1001, "This game is closed")
