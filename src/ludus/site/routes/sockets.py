"""The websockets: bots at `/ws/custom-bot`, people at `/ws/play/ID` and `/ws/games/ID`, lists at their own."""

import asyncio
import contextlib
import json
from collections.abc import Awaitable, Callable

from fastapi import APIRouter, WebSocket, WebSocketException
from starlette.responses import PlainTextResponse

from ludus.errors import LudusError, Unavailable
from ludus.protocol.registration import Attach, AttachRejected
from ludus.protocol.wire import encode as encode_for_bot
from ludus.site.bots.bots import BotLink, Bots
from ludus.site.faults import Close, close_of, status_of
from ludus.site.live.game import LiveGame
from ludus.site.live.live_games import LiveGames
from ludus.site.live.page_dialect import PageWatcher, encode
from ludus.site.lobby.lists import Lists, ListWatcher
from ludus.site.messages.incoming import MAX_BYTES
from ludus.site.messages.page import ErrorMessage
from ludus.site.routes.duplex import both, receive, tell
from ludus.site.safety.callers import address_of
from ludus.site.settings import SiteSettings
from ludus.site.wallgame.dialect import WallgameWatcher

# pyright: reportUnusedFunction=false
# FastAPI calls the functions that it is shown.

_CONTRACT = {400: 404, 403: 401}
"""Statuses of refused sockets as wallgame.io's contract has them: a wrong name is no game, a wrong token no login."""
RefusalOf = Callable[[Attach, str | None], Awaitable[AttachRejected | None]]
"""Says why a bot client may not attach with the token that it has; raises Unavailable if nobody can know now."""


def socket_routes(
    bots: Bots, live_games: LiveGames, lists: Lists, settings: SiteSettings, refusal_of: RefusalOf
) -> APIRouter:
    """Return the routes of all sockets; whose pages may open them is judged at the door."""
    routes = APIRouter()
    unlimited = settings.safety.exempt()

    def limited_address(socket: WebSocket) -> str:
        address = address_of(socket)
        return "" if address in unlimited else address

    _add_bots(routes, bots, settings, refusal_of)
    _add_lists(routes, live_games, lists)

    @routes.websocket("/ws/play/{game_id}")
    async def play(socket: WebSocket, game_id: str, token: str | None = None) -> None:
        await socket.accept()
        try:
            game = await live_games.find(game_id, address_of(socket))
            watcher = PageWatcher(game, game.side_of(token), token, limited_address(socket))
            _must_have_room(game, watcher.you, settings)
        except LudusError as error:
            await socket.send_text(encode(ErrorMessage(str(error))))
            await socket.close(*close_of(error, "Not here"))
            return
        await _attend(socket, game, watcher, lambda error: watcher.note(ErrorMessage(str(error))))

    @routes.websocket("/ws/games/{game_id}")
    async def wallgame(socket: WebSocket, game_id: str, token: str | None = None) -> None:
        try:
            game = await live_games.find(game_id, address_of(socket))
            you = game.side_of(token)
            _must_have_room(game, you, settings)
        except LudusError as error:
            status = status_of(error)
            await socket.send_denial_response(PlainTextResponse(str(error), _CONTRACT.get(status, status)))
            return
        await socket.accept()
        watcher = WallgameWatcher(game, you, token, limited_address(socket))
        await _attend(socket, game, watcher, watcher.refuse)

    return routes


def _add_bots(routes: APIRouter, bots: Bots, settings: SiteSettings, refusal_of: RefusalOf) -> None:
    @routes.websocket("/ws/custom-bot")
    async def custom_bot(socket: WebSocket) -> None:
        await socket.accept()
        link = BotLink(bots, address_of(socket))
        patience = asyncio.get_running_loop().call_later(
            settings.attach_timeout_s,
            lambda: None if link.attached else link.send(Close(1008, "No attach message")),
        )
        try:
            await both(_hear_bot(socket, link, refusal_of), _tell_bot(socket, link))
        finally:
            patience.cancel()
            link.close()


def _add_lists(routes: APIRouter, live_games: LiveGames, lists: Lists) -> None:
    @routes.websocket("/ws/lobby")
    async def lobby(socket: WebSocket) -> None:
        await keep_list(socket, lists.enter_lobby, lists.lobby)

    @routes.websocket("/ws/live-games")
    async def running(socket: WebSocket) -> None:
        await keep_list(socket, lists.enter_live, lists.live)

    async def keep_list(socket: WebSocket, enter: Callable[[], ListWatcher], place: set[ListWatcher]) -> None:
        await socket.accept()
        watcher = enter()
        try:
            await both(_hear_list(socket, live_games, watcher), tell(socket, watcher))
        finally:
            place.discard(watcher)


def _must_have_room(game: LiveGame, you: int | None, settings: SiteSettings) -> None:
    if you is None and game.presence.num_spectators >= settings.max_watchers:  # a player always has a place
        raise WebSocketException(1013, "Too many people are watching this game; try again later.")


async def _attend(
    socket: WebSocket, game: LiveGame, watcher: PageWatcher | WallgameWatcher, refuse: Callable[[LudusError], None]
) -> None:
    """Let somebody take part in a game until one side closes the socket."""
    if watcher.you is not None and game.seats[watcher.you].host:
        game.opener = address_of(socket)  # after a restart nobody else knows
    await game.come(watcher)
    try:
        await both(_hear(socket, watcher, refuse), tell(socket, watcher))
    finally:
        game.go(watcher)


async def _hear_bot(socket: WebSocket, link: BotLink, refusal_of: RefusalOf) -> None:
    scheme, _, token = socket.headers.get("authorization", "").partition(" ")
    while True:
        text = await receive(socket)
        attach = link.stranger_in(text)
        try:
            refusal = await refusal_of(attach, token if scheme.lower() == "bearer" else None) if attach else None
        except Unavailable:
            link.send(Close(1013, "Try again later"))
            continue
        if refusal:
            link.turn_away(refusal)
        else:
            link.receive(text)


async def _tell_bot(socket: WebSocket, link: BotLink) -> None:
    while True:
        message = await link.outbox.get()
        if isinstance(message, Close):
            await socket.close(message.code, message.reason)
            return
        await socket.send_text(encode_for_bot(message).decode())


async def _hear(
    socket: WebSocket, watcher: PageWatcher | WallgameWatcher, refuse: Callable[[LudusError], None]
) -> None:
    while True:
        text = await receive(socket)
        if len(text) > MAX_BYTES:
            watcher.close(Close(1009, "Message too big"))
            await asyncio.Event().wait()  # the other direction closes the socket
        try:
            await watcher.obey(text)
        except LudusError as error:
            refuse(error)


async def _hear_list(socket: WebSocket, live_games: LiveGames, watcher: ListWatcher) -> None:
    while True:
        text = await receive(socket)
        with contextlib.suppress(ValueError, RecursionError):
            if len(text) < MAX_BYTES and json.loads(text) == {"type": "ping"}:
                watcher.send(json.dumps({"type": "pong", "timestamp": live_games.now()}))
