"""Dials a game server, registers bots, and passes questions to their engines and answers back, for days."""

import asyncio
import contextlib
import logging
from collections.abc import Callable, Coroutine
from importlib.metadata import version
from typing import Any
from urllib.parse import urlsplit

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus, WebSocketException

from ludus.bot.config import BotsFile, FileBot, socket_address
from ludus.bot.process import CLOSING_S, EngineProcess, Probe, pause_before
from ludus.errors import BadInput, BadMessage, LudusError, Unavailable
from ludus.games.registry import game
from ludus.protocol.bgs import (
    MAX_MESSAGE_BYTES,
    PROTOCOL_VERSION,
    Attach,
    Attached,
    AttachRejected,
    BotConfig,
    ClientInfo,
    EndGameSession,
    Ping,
    Pong,
    Request,
    SessionConfig,
    StartGameSession,
    Unreadable,
    decode_from_server,
    encode,
    failure,
    unreadable,
)

_log = logging.getLogger(__name__)

LASTING_CODES = (
    "NO_BOTS",
    "INVALID_BOT_CONFIG",
    "INVALID_OFFICIAL_TOKEN",
    "DUPLICATE_BOT_ID",
    "PROTOCOL_UNSUPPORTED",
    "INVALID_MESSAGE",
)
"""Rejections that another attempt cannot overcome."""
REPLACED = "Replaced by new connection"
ATTACH_TIMEOUT_S = 20.0
STEADY_S = 60.0
"""A connection that lasted so long was a good one: the next attempt comes soon."""
FORGET_S = 2.0
"""How long engines may take to end the sessions of a lost connection."""
DRAIN_S = 10.0
"""How long answers may take that are owed when the client is stopped."""
LINK_PING_S = 20.0
"""Between two pings of the WebSocket itself, and how long one may go unanswered: a dead connection is noticed."""
PING_EVERY_S = 30.0
PONG_TIMEOUT_S = 10.0


class _Again(Exception):
    """Attach again."""


class BotClient:
    """The bots of one file at one server; `run` lasts until it is stopped, cancelled, or can never succeed."""

    def __init__(
        self, file: BotsFile, server: str, on_attached: Callable[[int], None] | None = None, token: str | None = None
    ) -> None:
        """Prepare a client.

        Args:
            file: the bots and their engines.
            server: where to dial.
            on_attached: is told how many bots are registered, each time.
            token: the secret of the client's name, where an account of the server has claimed it.
        """
        self._token = token
        self._file = file
        self._address = socket_address(server)
        self._on_attached = on_attached
        self._engines_changed = asyncio.Event()
        self._engine_of = self._make_engines()
        self._routes: dict[str, EngineProcess] = {}  # by session
        self._answers: set[asyncio.Task[None]] = set()
        self._stopping = asyncio.Event()
        self._ponged = asyncio.Event()
        self._attached_at: float | None = None  # when this connection was

    def stop(self) -> None:
        """Give the answers that are owed, take no more questions, and end."""
        self._stopping.set()

    async def run(self) -> None:
        """Run the engines and serve.

        Raises:
            BadInput: the server refuses these bots for good, or an engine cannot play.
        """
        engines = set(self._engine_of.values())
        tasks = [asyncio.create_task(engine.run()) for engine in engines]
        try:
            await self._until_stopped(self._first_engines(engines))
            await self._serve_for_ever()
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _until_stopped(self, work: Coroutine[Any, Any, None]) -> None:
        """Do something that the client does not owe anybody when it is stopped."""
        tasks: list[asyncio.Task[Any]] = [asyncio.create_task(work), asyncio.create_task(self._stopping.wait())]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in tasks:
                task.cancel()
            result, _ = await asyncio.gather(*tasks, return_exceptions=True)
        if isinstance(result, Exception):
            raise result

    async def _first_engines(self, engines: set[EngineProcess]) -> None:
        """Wait until every engine is ready; raise BadInput for one that is not."""
        while any(not engine.healthy for engine in engines):
            await self._engines_changed.wait()
            self._engines_changed.clear()
            for engine in engines:
                if engine.fault and not engine.healthy:
                    raise BadInput(f"Engine `{engine.name}` cannot play: {engine.fault}.")

    async def _serve_for_ever(self) -> None:
        attempt, loop = 0, asyncio.get_running_loop()
        while not self._stopping.is_set():
            self._attached_at = None
            try:
                await self._serve_once()
            except _Again:
                attempt = 0
            except (OSError, WebSocketException, TimeoutError, Unavailable) as error:
                lasted = self._attached_at is not None and loop.time() - self._attached_at >= STEADY_S
                attempt = 1 if lasted else attempt + 1
                pause = pause_before(attempt)
                _log.warning("%s: %s; trying again in %.0f s.", self._address, _cause(error), pause)
                await self._until_stopped(asyncio.sleep(pause))

    async def _serve_once(self) -> None:
        """Attach and answer until the connection is lost, the client stopped, or other bots can play than before."""
        await self._until_stopped(self._some_bot())
        if self._stopping.is_set():
            return
        loopback = urlsplit(self._address).hostname in ("localhost", "127.0.0.1", "::1")
        async with connect(
            self._address,
            additional_headers={"Authorization": f"Bearer {self._token}"} if self._token else None,
            compression=None,
            max_size=4 * MAX_MESSAGE_BYTES,
            proxy=None if loopback else True,
            ping_interval=LINK_PING_S,
            ping_timeout=LINK_PING_S,
            close_timeout=CLOSING_S,
        ) as socket:
            able = self._able()
            await self._attach(socket, able)
            work = self._listen(socket), self._watch_engines(able), self._keep_pinging(socket), self._stopping.wait()
            tasks = [asyncio.create_task(each) for each in work]
            try:
                done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
                for task in done:
                    task.result()
                if self._answers:  # the client is stopped
                    await asyncio.wait(self._answers, timeout=DRAIN_S)
            finally:
                for task in (*tasks, *self._answers):
                    task.cancel()
                await asyncio.gather(*tasks, *self._answers, return_exceptions=True)
                await self._forget_sessions()

    async def _some_bot(self) -> None:
        while not self._able():
            await self._engines_changed.wait()
            self._engines_changed.clear()

    def _able(self) -> list[BotConfig]:
        """Return the bots whose engines can play."""
        return [bot for bot in self._file.registered_bots() if self._engine_of[bot.bot_id].healthy]

    async def _attach(self, socket: ClientConnection, bots: list[BotConfig]) -> None:
        client = ClientInfo("ludus", version("ludus"))
        await socket.send(encode(Attach(PROTOCOL_VERSION, self._file.client_id, bots, client)).decode())
        async with asyncio.timeout(ATTACH_TIMEOUT_S):
            answer = await self._verdict(socket)
        if isinstance(answer, AttachRejected):
            kind = BadInput if answer.code in LASTING_CODES else Unavailable
            raise kind(f"{self._address} rejects the bots: {answer.code}, {answer.message}")
        self._attached_at = asyncio.get_running_loop().time()
        _log.info("Attached at %s with %s.", self._address, ", ".join(bot.bot_id for bot in bots))
        if self._on_attached:
            self._on_attached(len(bots))

    async def _verdict(self, socket: ClientConnection) -> Attached | AttachRejected:
        while True:
            try:
                answer = decode_from_server(await socket.recv())
            except BadMessage as error:
                _log.error("%s: %s", self._address, error)
                continue
            if isinstance(answer, Attached | AttachRejected):
                return answer
            _log.error("%s answers `attach` with %s.", self._address, type(answer).__name__)

    async def _listen(self, socket: ClientConnection) -> None:
        try:
            while True:
                text = await socket.recv()
                if question := self._read(text):
                    self._route(question, socket)
        except ConnectionClosed as closed:
            if closed.rcvd and closed.rcvd.code == 1000 and closed.rcvd.reason == REPLACED:
                raise BadInput(
                    f"Another client attached as {self._file.client_id!r}; give one of them another clientId."
                ) from closed
            raise

    def _read(self, text: str | bytes) -> Request | Unreadable | None:
        """Return what the server asks; None if it asks nothing."""
        try:
            message = decode_from_server(text)
        except BadMessage as error:
            _log.error("%s: %s", self._address, error)
            return unreadable(text if isinstance(text, bytes) else text.encode(), str(error))
        if isinstance(message, Pong):
            self._ponged.set()
        elif isinstance(message, Attached | AttachRejected):
            _log.warning("%s says %s.", self._address, type(message).__name__)
        else:
            return message
        return None

    def _route(self, question: Request | Unreadable, socket: ClientConnection) -> None:
        """Hand a question to the engine of its session; a session belongs to the engine of its bot."""
        engine = self._routes.get(question.bgs_id)
        if isinstance(question, StartGameSession):
            former, engine = engine, self._engine_of.get(question.bot_id)
            if former and former is not engine:
                self._begin(self._end(former, question.bgs_id))
            if engine:
                self._routes[question.bgs_id] = engine
        if isinstance(question, EndGameSession):
            self._routes.pop(question.bgs_id, None)
        self._begin(self._answer(question, engine, socket))

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._answers.add(task)
        task.add_done_callback(self._answers.discard)

    async def _answer(
        self, question: Request | Unreadable, engine: EngineProcess | None, socket: ClientConnection
    ) -> None:
        if isinstance(question, Unreadable):
            answer = failure(question, question.error)
        elif self._stopping.is_set() and isinstance(question, StartGameSession):
            answer = failure(question, "The bots are leaving")
        elif engine:
            answer = await engine.ask(question)
        elif isinstance(question, StartGameSession):
            answer = failure(question, f"Bot {question.bot_id} not found")
        else:
            answer = failure(question, f"Session {question.bgs_id} not found")
        with contextlib.suppress(ConnectionClosed):  # the listener notices it
            await socket.send(encode(answer).decode())

    async def _watch_engines(self, registered: list[BotConfig]) -> None:
        while self._able() == registered:
            await self._engines_changed.wait()
            self._engines_changed.clear()
        raise _Again

    async def _keep_pinging(self, socket: ClientConnection) -> None:
        """Ask now and then whether the server still has this client; not all servers know this question."""
        answered = False
        while True:
            await asyncio.sleep(PING_EVERY_S)
            self._ponged.clear()
            await socket.send(encode(Ping()).decode())
            try:
                async with asyncio.timeout(PONG_TIMEOUT_S):
                    await self._ponged.wait()
                answered = True
            except TimeoutError:
                if answered:
                    raise Unavailable("the server does not answer `ping` any more") from None
                _log.info("%s does not know `ping`; it is not asked again.", self._address)
                await asyncio.Event().wait()

    async def _forget_sessions(self) -> None:
        """End what the server has forgotten with the connection."""
        routes, self._routes = self._routes, {}
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(FORGET_S):
                await asyncio.gather(*(self._end(engine, bgs_id) for bgs_id, engine in routes.items()))

    async def _end(self, engine: EngineProcess, bgs_id: str) -> None:
        await engine.ask(EndGameSession(bgs_id))

    def _make_engines(self) -> dict[str, EngineProcess]:
        """Return the engine of each bot; bots with equal commands share one, tried on the games of all of them."""
        bots_of: dict[tuple[str, ...], list[FileBot]] = {}
        for bot in self._file.bots:
            bots_of.setdefault(self._file.command_of(bot), []).append(bot)
        engine_of: dict[str, EngineProcess] = {}
        for command, bots in bots_of.items():
            engine = EngineProcess(command, _probes(bots), self._engines_changed.set)
            engine_of |= {bot.bot_id: engine for bot in bots}
        return engine_of


def _probes(bots: list[FileBot]) -> list[Probe]:
    """Return one game of every kind that these bots recommend."""
    probes: dict[tuple[str, str, int, int], Probe] = {}
    for bot in bots:
        for variant, support in bot.variants.items():
            for size in support.recommended:
                width, height = size.board_width, size.board_height
                config = SessionConfig(variant, width, height, _start_of(bot.game, variant, width, height), bot.game)
                probes.setdefault((bot.game, variant, width, height), Probe(bot.bot_id, config))
    return list(probes.values())


def _start_of(name: str, variant: str, width: int, height: int) -> object:
    """Return the first position as a server would send it; None for games that need none, or are not known here."""
    try:
        found = game(f"{name}:{variant}:{width}x{height}")
        return found.setup(found.start_state())
    except LudusError:
        return None


def _cause(error: Exception) -> str:
    if isinstance(error, InvalidStatus):
        return f"the server answers with HTTP status {error.response.status_code}; is it a Ludus site?"
    if isinstance(error, ConnectionRefusedError):
        return "nothing listens there; is the site running?"
    if isinstance(error, TimeoutError):
        return "no answer in time"
    if isinstance(error, ConnectionClosed):
        return f"the connection was closed ({error.rcvd.code if error.rcvd else 'without a word'})"
    return str(error).rstrip(".") or type(error).__name__
