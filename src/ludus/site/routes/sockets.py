"""The websocket routes: bot clients, games, lists of games, and the evaluation bar."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, TypeVar

from fastapi import APIRouter, WebSocket, WebSocketDisconnect, WebSocketException
from starlette.responses import PlainTextResponse

from ludus.errors import BadMessage, LudusError, Unavailable
from ludus.protocol.registration import Attach, AttachRejected
from ludus.protocol.wire import encode as encode_for_bot
from ludus.site.bots.bots import BotLink, Bots
from ludus.site.evaluation.bar import Bars, RejectedError
from ludus.site.faults import Close, close_of, status_of
from ludus.site.live.broadcast import Outgoing, encode
from ludus.site.live.game import LiveGame
from ludus.site.live.live_games import LiveGames
from ludus.site.live.page_dialect import PageWatcher
from ludus.site.lobby.desk import LobbyDesk
from ludus.site.lobby.lists import Lists
from ludus.site.messages import evaluation as messages
from ludus.site.messages.incoming import MAX_BYTES, PlayPing, ToLive, WatchBoards
from ludus.site.messages.lists import ListPong
from ludus.site.messages.page import ErrorMessage, PongMessage
from ludus.site.messages.reading import read_as
from ludus.site.moderation.restrictions import Restrictions
from ludus.site.people.visitors import Who
from ludus.site.safety.limits import address_of
from ludus.site.safety.secrets import bearer_token
from ludus.site.settings import SiteSettings
from ludus.site.wallgame_io.dialect import WallgameIoWatcher

# pyright: reportUnusedFunction=false
# FastAPI calls the handlers.

_CONTRACT = {400: 404, 403: 401}
"""HTTP statuses of refused sockets in wallgame.io's contract: 404 for a wrong game id, 401 for a wrong token."""
HANDSHAKE_WAIT_S = 30.0
"""How long the site waits for the handshake on a socket of the evaluation bar."""
_Feed = TypeVar("_Feed", bound=Outgoing)
RefusalOf = Callable[[Attach, str | None], Awaitable[AttachRejected | None]]
"""Returns why a bot client may not attach with its token, or None; raises Unavailable if the database is busy."""


def socket_routes(
    bots: Bots,
    live_games: LiveGames,
    lists: Lists,
    bars: Bars,
    settings: SiteSettings,
    refusal_of: RefusalOf,
    restrictions: Restrictions,
    who: Who,
) -> APIRouter:
    """Return the routes of all websockets; `safety.guard` checks the origin of the pages that open them."""
    routes = APIRouter()
    _add_games(routes, live_games, settings, restrictions, who)
    _add_bots(routes, bots, settings, refusal_of)
    _add_lists(routes, live_games, lists, restrictions, who)
    _add_bars(routes, bars, restrictions, who)
    return routes


async def _person(socket: WebSocket, who: Who) -> str:
    """Return the person of a socket; "" if it is unknown, since games and lists go on while the database is silent."""
    try:
        return (await who(socket)).person
    except Unavailable:
        return ""


def _add_games(
    routes: APIRouter, live_games: LiveGames, settings: SiteSettings, restrictions: Restrictions, who: Who
) -> None:
    unlimited = settings.safety.exempt()

    def limited_address(socket: WebSocket) -> str:
        address = address_of(socket)
        return "" if address in unlimited else address

    async def entered(socket: WebSocket, game: LiveGame, token: str | None) -> tuple[int | None, str]:
        """Return the side and the person of a socket; raises a LudusError or WebSocketException if it is refused."""
        you = game.side_of(token)
        _must_have_room(game, you, settings)
        person = await _person(socket, who)
        if you is not None and game.seats[you].account_id:
            person = f"account {game.seats[you].account_id}"
        restrictions.must_not_be_banned(person)
        return you, person

    @routes.websocket("/ws/play/{game_id}")
    async def play(socket: WebSocket, game_id: str, token: str | None = None) -> None:
        await socket.accept()
        try:
            game = await live_games.find(game_id, address_of(socket))
            you, person = await entered(socket, game, token)
            watcher = PageWatcher(game, you, token, limited_address(socket), person)
        except LudusError as error:
            await socket.send_text(encode(ErrorMessage(str(error))))
            await socket.close(*close_of(error, "Not here"))
            return
        with restrictions.over(person, watcher.close):
            await _attend(socket, game, watcher)

    @routes.websocket("/ws/games/{game_id}")
    async def games(socket: WebSocket, game_id: str, token: str | None = None) -> None:
        try:
            game = await live_games.find(game_id, address_of(socket))
            you, person = await entered(socket, game, token)
        except LudusError as error:
            status = status_of(error)
            await socket.send_denial_response(PlainTextResponse(str(error), _CONTRACT.get(status, status)))
            return
        await socket.accept()
        watcher = WallgameIoWatcher(game, you, token, limited_address(socket), person)
        with restrictions.over(person, watcher.close):
            await _attend(socket, game, watcher)


def _must_have_room(game: LiveGame, you: int | None, settings: SiteSettings) -> None:
    if you is None and game.presence.num_spectators >= settings.max_watchers:  # players are never refused
        raise WebSocketException(1013, "Too many people are watching this game; try again later.")


async def _attend(socket: WebSocket, game: LiveGame, watcher: PageWatcher | WallgameIoWatcher) -> None:
    """Pass messages between a socket and a game until either closes the connection."""
    if watcher.you is not None and game.seats[watcher.you].host:
        game.opener = address_of(socket)  # kept in memory only, so unknown after a restart

    async def hear(text: str) -> None:
        if len(text) > MAX_BYTES:
            watcher.close(Close(1009, "Message too big"))
            await asyncio.Event().wait()  # until the sending task has closed the socket
        try:
            await watcher.obey(text)
        except LudusError as error:
            watcher.refuse(error)

    await game.come(watcher)
    try:
        await _both(socket, hear, _tell(socket, watcher))
    finally:
        game.go(watcher)


def _add_bots(routes: APIRouter, bots: Bots, settings: SiteSettings, refusal_of: RefusalOf) -> None:
    @routes.websocket("/ws/custom-bot")
    async def custom_bot(socket: WebSocket) -> None:
        await socket.accept()
        link = BotLink(bots, address_of(socket))
        token = bearer_token(socket)
        patience = asyncio.get_running_loop().call_later(
            settings.attach_timeout_s,
            lambda: None if link.attached else link.send(Close(1008, "No attach message")),
        )

        async def hear(text: str) -> None:
            attach = link.stranger_in(text)
            try:
                refusal = await refusal_of(attach, token) if attach else None
            except Unavailable:
                link.send(Close(1013, "Try again later"))
                return
            if refusal:
                link.turn_away(refusal)
            else:
                link.receive(text)

        async def tell() -> None:
            while not isinstance(message := await link.outbox.get(), Close):
                await socket.send_text(encode_for_bot(message).decode())
            await socket.close(message.code, message.reason)

        try:
            await _both(socket, hear, tell())
        finally:
            patience.cancel()
            link.close()


def _add_lists(routes: APIRouter, live_games: LiveGames, lists: Lists, restrictions: Restrictions, who: Who) -> None:
    @routes.websocket("/ws/lobby")
    async def lobby(socket: WebSocket) -> None:
        await socket.accept()
        watcher = lists.enter_lobby()

        def pong(text: str) -> None:
            read_as(PlayPing, text)
            watcher.send(encode(ListPong(live_games.now())))

        await keep_list(socket, watcher, pong, lists.lobby)

    @routes.websocket("/ws/live-games")
    async def running(socket: WebSocket) -> None:
        await socket.accept()
        watcher = lists.enter_live()

        def obey(text: str) -> None:
            message = read_as(ToLive, text).root
            if isinstance(message, WatchBoards):
                watcher.watch(message.games)
            else:
                watcher.send(encode(ListPong(live_games.now())))

        await keep_list(socket, watcher, obey, lists.live)

    async def keep_list(socket: WebSocket, watcher: _Feed, obey: Callable[[str], None], place: set[_Feed]) -> None:
        async def hear(text: str) -> None:
            with contextlib.suppress(BadMessage):
                if len(text) < MAX_BYTES:
                    obey(text)

        try:
            with restrictions.over(await _person(socket, who), watcher.close):
                await _both(socket, hear, _tell(socket, watcher))
        finally:
            place.discard(watcher)


def inbox_routes(desk: LobbyDesk, restrictions: Restrictions, who: Who) -> APIRouter:
    """Return the route of visitors' inboxes: quick pairing and challenges."""
    routes = APIRouter()

    @routes.websocket("/ws/inbox")
    async def inbox(socket: WebSocket) -> None:
        await socket.accept()
        try:
            own = desk.come(await who(socket))
        except LudusError as error:
            await socket.close(*close_of(error, "Not here"))
            return

        async def hear(text: str) -> None:
            if len(text) > MAX_BYTES:
                own.close(Close(1009, "Message too big"))
                return
            await desk.obey(own, text, lambda: who(socket))

        try:
            with restrictions.over(own.key, own.close):
                await _both(socket, hear, _tell(socket, own))
        finally:
            desk.inboxes.go(own)

    return routes


def _add_bars(routes: APIRouter, bars: Bars, restrictions: Restrictions, who: Who) -> None:
    @routes.websocket("/ws/eval/{game_id}")
    async def evaluation(socket: WebSocket, game_id: str) -> None:
        await socket.accept()
        with contextlib.suppress(WebSocketDisconnect):
            wish = await _handshake(socket)
            if wish is None:
                return
            try:
                visitor = await who(socket)
                watcher = await bars.enter(game_id, wish, visitor, address_of(socket))
            except LudusError as error:
                code = error.code if isinstance(error, RejectedError) else "INTERNAL_ERROR"
                await socket.send_text(encode(messages.BarRejected(code, str(error))))
                await socket.close(*close_of(error, "Rejected"))
                return

            async def hear(text: str) -> None:
                if isinstance(_read(text), messages.EvalPing):
                    watcher.note(encode(PongMessage()))

            try:
                with restrictions.over(visitor.person, watcher.close):
                    await _both(socket, hear, _tell(socket, watcher))
            finally:
                await asyncio.shield(bars.leave(watcher))


async def _handshake(socket: WebSocket) -> messages.Handshake | None:
    """Wait for the handshake and return it; if another message or none comes, close the socket and return None."""
    try:
        async with asyncio.timeout(HANDSHAKE_WAIT_S):
            while isinstance(message := _read(await _receive(socket)), messages.EvalPing):
                await socket.send_text(encode(PongMessage()))
    except TimeoutError:
        await socket.close(1008, "No handshake")
        return None
    if message is None:
        await socket.close(1008, "Begin with eval-handshake")
    return message


def _read(text: str) -> messages.EvalMessage | None:
    """Parse a message of the evaluation bar's socket; None if it is invalid or too long."""
    if len(text) > messages.MAX_BYTES:
        return None
    try:
        return read_as(messages.ToBar, text).root
    except BadMessage:
        return None


async def _both(socket: WebSocket, hear: Callable[[str], Awaitable[None]], tell: Coroutine[Any, Any, None]) -> None:
    """Call `hear` with each incoming message while `tell` sends, until either of them ends."""

    async def hear_all() -> None:
        while True:
            await hear(await _receive(socket))

    tasks = [asyncio.create_task(hear_all()), asyncio.create_task(tell)]
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
    """Return the next text message, or "" for a binary message; raises WebSocketDisconnect."""
    message = await socket.receive()
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(message.get("code") or 1005)
    return message.get("text") or ""


async def _tell(socket: WebSocket, outgoing: Outgoing) -> None:
    """Send the queued messages, and close the socket once `outgoing.closing` is set."""
    while True:
        outgoing.wake.clear()
        for text in outgoing.take():
            await socket.send_text(text)
        if outgoing.closing:
            await socket.close(outgoing.closing.code, outgoing.closing.reason)
            return
        await outgoing.wake.wait()
