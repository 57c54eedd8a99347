"""Dials a game server, registers bots, and passes questions to their engines and answers back, for days."""

import asyncio
import contextlib
import logging
from collections.abc import Callable
from importlib.metadata import version
from urllib.parse import urlsplit

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidMessage, InvalidStatus

from ludus.bot.config import BotsFile, FileBot, socket_address
from ludus.bot.process import EngineProcess, Probe, pause_before
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
    Pong,
    Request,
    SessionConfig,
    StartGameSession,
    decode_from_server,
    encode,
    failure,
)

_log = logging.getLogger(__name__)

PASSING_CODES = ("TOO_MANY_CLIENTS", "INTERNAL_ERROR")
"""Rejections that another attempt may overcome."""
ATTACH_TIMEOUT_S = 20.0
FORGET_S = 2.0
"""How long engines may take to end the sessions of a lost connection."""
HEALTH_PAUSE_S = 1.0
"""How long engines may change before the bots are registered anew."""


class _Again(Exception):
    """Attach again."""


class BotClient:
    """The bots of one file at one server; `run` lasts until it is cancelled or can never succeed."""

    def __init__(self, file: BotsFile, server: str, on_attached: Callable[[int], None] | None = None) -> None:
        """Prepare a client.

        Args:
            file: the bots and their engines.
            server: where to dial.
            on_attached: is told how many bots are registered, each time.
        """
        self._file = file
        self._address = socket_address(server)
        self._on_attached = on_attached
        self._engines_changed = asyncio.Event()
        self._engine_of = self._make_engines()
        self._routes: dict[str, EngineProcess] = {}  # by session
        self._answers: set[asyncio.Task[None]] = set()
        self._ever_attached = False

    async def run(self) -> None:
        """Run the engines and serve.

        Raises:
            BadInput: the server refuses these bots, or no engine can play.
            Unavailable: the server cannot be reached at all.
        """
        engines = set(self._engine_of.values())
        tasks = [asyncio.create_task(engine.run()) for engine in engines]
        try:
            await self._first_engines(engines)
            await self._serve_for_ever()
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _first_engines(self, engines: set[EngineProcess]) -> None:
        """Wait until every engine is ready; raise BadInput for one that is not."""
        while any(not engine.healthy for engine in engines):
            await self._engines_changed.wait()
            self._engines_changed.clear()
            for engine in engines:
                if engine.fault:
                    raise BadInput(f"Engine `{engine.name}` cannot play: {engine.fault}.")

    async def _serve_for_ever(self) -> None:
        attempt = 0
        while True:
            try:
                await self._serve_once()
            except _Again:
                attempt = 0
                continue
            except (OSError, InvalidHandshake, InvalidMessage, ConnectionClosed, TimeoutError, Unavailable) as error:
                if not self._ever_attached:
                    raise Unavailable(f"Cannot attach at {self._address}: {_cause(error)}.") from error
                attempt += 1
                pause = pause_before(attempt)
                _log.warning("%s: %s; trying again in %.0f s.", self._address, _cause(error), pause)
                await asyncio.sleep(pause)
            else:
                attempt = 0

    async def _serve_once(self) -> None:
        """Attach and answer until the connection is lost, or until other bots can play than were registered."""
        while not self._able():
            await self._engines_changed.wait()
            self._engines_changed.clear()
        loopback = urlsplit(self._address).hostname in ("localhost", "127.0.0.1", "::1")
        async with connect(
            self._address, compression=None, max_size=4 * MAX_MESSAGE_BYTES, proxy=None if loopback else True
        ) as socket:
            able = self._able()
            await self._attach(socket, able)
            tasks = {
                asyncio.create_task(self._listen(socket)),
                asyncio.create_task(self._watch_engines(able)),
            }
            try:
                done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
                for task in done:
                    task.result()
            finally:
                for task in tasks | self._answers:
                    task.cancel()
                await asyncio.gather(*tasks, *self._answers, return_exceptions=True)
                await self._forget_sessions()

    def _able(self) -> list[BotConfig]:
        """Return the bots whose engines can play."""
        return [bot for bot in self._file.registered_bots() if self._engine_of[bot.bot_id].healthy]

    async def _attach(self, socket: ClientConnection, bots: list[BotConfig]) -> None:
        client = ClientInfo("ludus", version("ludus"))
        await socket.send(encode(Attach(PROTOCOL_VERSION, self._file.client_id, bots, client)).decode())
        async with asyncio.timeout(ATTACH_TIMEOUT_S):
            answer = decode_from_server(await socket.recv())
        if isinstance(answer, AttachRejected):
            kind = Unavailable if answer.code in PASSING_CODES else BadInput
            raise kind(f"{self._address} rejects the bots: {answer.code}, {answer.message}")
        if not isinstance(answer, Attached):
            raise Unavailable(f"{self._address} answers `attach` with {type(answer).__name__}.")
        self._ever_attached = True
        _log.info("Attached at %s with %s.", self._address, ", ".join(bot.bot_id for bot in bots))
        if self._on_attached:
            self._on_attached(len(bots))

    async def _listen(self, socket: ClientConnection) -> None:
        try:
            while True:
                text = await socket.recv()
                try:
                    message = decode_from_server(text)
                except BadMessage as error:
                    _log.error("%s: %s", self._address, error)
                    continue
                if isinstance(message, Attached | AttachRejected | Pong):
                    _log.warning("%s says %s.", self._address, type(message).__name__)
                else:
                    self._route(message, socket)
        except ConnectionClosed as closed:
            if closed.rcvd and closed.rcvd.code == 1000 and "Replaced" in closed.rcvd.reason:
                raise BadInput(
                    f"Another client attached as {self._file.client_id!r}; give one of them another clientId."
                ) from closed
            raise

    def _route(self, request: Request, socket: ClientConnection) -> None:
        """Hand a question to the engine of its session; a session belongs to the engine of its bot."""
        if isinstance(request, StartGameSession):
            engine = self._engine_of.get(request.bot_id)
            if engine:
                self._routes[request.bgs_id] = engine
        else:
            engine = self._routes.get(request.bgs_id)
        if isinstance(request, EndGameSession):
            self._routes.pop(request.bgs_id, None)
        task = asyncio.create_task(self._answer(request, engine, socket))
        self._answers.add(task)
        task.add_done_callback(self._answers.discard)

    async def _answer(self, request: Request, engine: EngineProcess | None, socket: ClientConnection) -> None:
        if engine:
            answer = await engine.ask(request)
        elif isinstance(request, StartGameSession):
            answer = failure(request, f"Bot {request.bot_id} not found")
        else:
            answer = failure(request, f"Session {request.bgs_id} not found")
        with contextlib.suppress(ConnectionClosed):  # the listener notices it
            await socket.send(encode(answer).decode())

    async def _watch_engines(self, registered: list[BotConfig]) -> None:
        while True:
            await self._engines_changed.wait()
            await asyncio.sleep(HEALTH_PAUSE_S)
            self._engines_changed.clear()
            if self._able() != registered:
                raise _Again

    async def _forget_sessions(self) -> None:
        """End what the server has forgotten with the connection."""
        routes, self._routes = self._routes, {}
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(FORGET_S):
                await asyncio.gather(*(engine.ask(EndGameSession(bgs_id)) for bgs_id, engine in routes.items()))

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
