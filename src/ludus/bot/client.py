"""Connects to a game server, registers bots, and forwards requests to their engines and responses back."""

import asyncio
import contextlib
import logging
from collections.abc import Callable, Coroutine
from importlib.metadata import version
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus, WebSocketException

from ludus.bot.config import BotsFile, socket_address
from ludus.bot.engines import Ask, Engines
from ludus.bot.process import CLOSING_S, pause_before
from ludus.errors import BadInput, BadMessage, Unavailable
from ludus.protocol.bgs import Request, StartGameSession, Unreadable, failure
from ludus.protocol.registration import (
    MAX_ATTACH_BYTES,
    MAX_MESSAGE_BYTES,
    PROTOCOL_VERSION,
    Attach,
    Attached,
    AttachRejected,
    BotConfig,
    ClientInfo,
    Ping,
    Pong,
)
from ludus.protocol.wire import decode_from_server, encode, unreadable

_log = logging.getLogger(__name__)

LASTING_CODES = (
    "NO_BOTS",
    "INVALID_BOT_CONFIG",
    "INVALID_OFFICIAL_TOKEN",
    "DUPLICATE_BOT_ID",
    "PROTOCOL_UNSUPPORTED",
    "INVALID_MESSAGE",
    "BANNED",
)
"""Rejection codes for which a retry is useless."""
REPLACED = "Replaced by new connection"
ATTACH_TIMEOUT_S = 20.0
STEADY_S = 60.0
"""A connection that lasted this long resets the back-off."""
DRAIN_S = 10.0
"""How long a stopped client waits for the answers to open requests."""
LINK_PING_S = 20.0
"""Interval and timeout of the WebSocket's own pings, which detect a dead connection."""
PING_EVERY_S = 30.0
PONG_TIMEOUT_S = 10.0


class _Again(Exception):
    """Raised to attach again on a new connection."""


class BotClient:
    """The bots of one file at one server; `run` returns when stopped and raises when retries are useless."""

    def __init__(
        self,
        file: BotsFile,
        server: str,
        on_attached: Callable[[int], None] | None = None,
        token: str | None = None,
        folder: Path | None = None,
    ) -> None:
        """Prepare a client.

        Args:
            file: the bots and their engines.
            server: address of the server.
            on_attached: called with the number of registered bots after each attach.
            token: the secret of the client id, if an account of the server has claimed that id.
            folder: the folder in which the engines run (None: the working directory).
        """
        self._token = token
        self._file = file
        self._address = socket_address(server)
        self._on_attached = on_attached
        self._engines = Engines(file, folder)
        self._answers: set[asyncio.Task[None]] = set()
        self._stopping = asyncio.Event()
        self._ponged = asyncio.Event()
        self._attached_at: float | None = None  # time at which the current connection attached

    def stop(self) -> None:
        """Stop the client once the open requests are answered; accept no new ones."""
        self._stopping.set()

    def replace(self, file: BotsFile) -> None:
        """Register other bots from now on; running games of bots that stay go on.

        Raises:
            BadInput: a bot needs an engine that the first file did not have, or the file is for another client.
        """
        if (file.client_id, file.official_token) != (self._file.client_id, self._file.official_token):
            raise BadInput("The bots of a running client keep its clientId and its secret.")
        self._engines.replace(file)
        self._file = file

    async def run(self) -> None:
        """Run the engines, and answer the server's requests until stopped.

        Raises:
            BadInput: the server rejects these bots permanently, or no engine can play.
        """
        running = asyncio.create_task(self._engines.run())
        try:
            await self._until_stopped(self._engines.ready())
            await self._serve_for_ever()
        finally:
            running.cancel()
            await asyncio.gather(running, return_exceptions=True)

    async def _until_stopped(self, work: Coroutine[Any, Any, None]) -> None:
        """Run a task, and cancel it when the client is stopped."""
        tasks: list[asyncio.Task[Any]] = [asyncio.create_task(work), asyncio.create_task(self._stopping.wait())]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in tasks:
                task.cancel()
            result, _ = await asyncio.gather(*tasks, return_exceptions=True)
        if isinstance(result, Exception):
            raise result

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
            except ImportError as error:  # a library that only some proxies need
                raise BadInput(
                    f"{self._address}: the proxy set in the environment cannot be used ({error}); add the server to "
                    "no_proxy, or install the missing library."
                ) from error

    async def _serve_once(self) -> None:
        """Attach and answer requests until the connection is lost, the client stops, or the healthy bots change."""
        await self._until_stopped(self._engines.any_able())
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
            able = self._engines.able()
            await self._attach(socket, able)
            work = self._listen(socket), self._attach_again(able), self._keep_pinging(socket), self._stopping.wait()
            tasks = [asyncio.create_task(each) for each in work]
            try:
                done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
                for task in done:
                    task.result()
                if self._answers:  # answer open requests before stopping
                    await asyncio.wait(self._answers, timeout=DRAIN_S)
            finally:
                for task in (*tasks, *self._answers):
                    task.cancel()
                await asyncio.gather(*tasks, *self._answers, return_exceptions=True)
                await self._engines.forget_sessions()

    async def _attach(self, socket: ClientConnection, bots: list[BotConfig]) -> None:
        client = ClientInfo("ludus", version("ludus"))
        attach = encode(Attach(PROTOCOL_VERSION, self._file.client_id, bots, client))
        if len(attach) > MAX_ATTACH_BYTES:
            raise BadInput(f"{len(bots)} bots do not fit into one attach message; split them between two clients.")
        await socket.send(attach.decode())
        async with asyncio.timeout(ATTACH_TIMEOUT_S):
            answer = await self._verdict(socket)
        if isinstance(answer, AttachRejected):
            kind = BadInput if answer.code in LASTING_CODES else Unavailable
            raise kind(f"{self._address} rejects the bots: {answer.code}, {answer.message}")
        self._attached_at = asyncio.get_running_loop().time()
        self._engines.answer_within(answer.limits.answer_timeout_ms / 1000)
        _log.info("Attached at %s, bots: %d.", self._address, len(bots))
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
            _log.error("%s answered `attach` with %s.", self._address, type(answer).__name__)

    async def _listen(self, socket: ClientConnection) -> None:
        try:
            while True:
                text = await socket.recv()
                if question := self._read(text):
                    self._begin(self._answer(question, self._engines.route(question), socket))
        except ConnectionClosed as closed:
            if closed.rcvd and closed.rcvd.code == 1000 and closed.rcvd.reason == REPLACED:
                raise BadInput(
                    f"Another client attached as {self._file.client_id!r}; give one of them another clientId."
                ) from closed
            raise

    def _read(self, text: str | bytes) -> Request | Unreadable | None:
        """Decode a message; return a request to answer, or None if the message needs no answer."""
        try:
            message = decode_from_server(text)
        except BadMessage as error:
            _log.error("%s: %s", self._address, error)
            return unreadable(text if isinstance(text, bytes) else text.encode(), str(error))
        if isinstance(message, Pong):
            self._ponged.set()
        elif isinstance(message, Attached | AttachRejected):
            _log.warning("%s sent an unexpected %s.", self._address, type(message).__name__)
        else:
            return message
        return None

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._answers.add(task)
        task.add_done_callback(self._answers.discard)

    async def _answer(self, question: Request | Unreadable, ask: Ask, socket: ClientConnection) -> None:
        if self._stopping.is_set() and isinstance(question, StartGameSession):
            answer = failure(question, "The bots are leaving")
        else:
            answer = await ask()
        with contextlib.suppress(ConnectionClosed):  # `_listen` reports it
            await socket.send(encode(answer).decode())

    async def _attach_again(self, registered: list[BotConfig]) -> None:
        """Raise _Again when the set of healthy bots differs from the registered ones."""
        await self._engines.others_able(registered)
        raise _Again

    async def _keep_pinging(self, socket: ClientConnection) -> None:
        """Ping the server regularly; raise Unavailable if it stops answering.

        If the first `ping` stays unanswered, the server does not support it, and no more are sent.
        """
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
                    raise Unavailable("the server no longer answers `ping`") from None
                _log.info("%s does not support `ping`; no more pings are sent.", self._address)
                await asyncio.Event().wait()


def _cause(error: Exception) -> str:
    if isinstance(error, InvalidStatus):
        return f"the server answers with HTTP status {error.response.status_code}; is it a Ludus site?"
    if isinstance(error, ConnectionRefusedError):
        return "connection refused; is the site running?"
    if isinstance(error, TimeoutError):
        return "no answer in time"
    if isinstance(error, ConnectionClosed):
        return f"the connection was closed ({error.rcvd.code if error.rcvd else 'without a close code'})"
    return str(error).rstrip(".") or type(error).__name__
