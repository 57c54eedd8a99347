"""One engine: a process of its own that is asked in JSON lines, started again when it ends, and probed before use."""

import asyncio
import contextlib
import logging
import random
import secrets
from collections import deque
from collections.abc import Callable, Sequence

from ludus.errors import BadMessage, LudusError, Unavailable
from ludus.protocol.bgs import (
    MAX_MESSAGE_BYTES,
    EndGameSession,
    EvaluatePosition,
    Request,
    Response,
    SessionConfig,
    StartGameSession,
    decode_response,
    encode,
    failure,
)

_log = logging.getLogger(__name__)

PROBE_TIMEOUT_S = 300.0
"""The first start of an engine may compile its rules."""
CLOSING_S = 5.0
LONGEST_PAUSE_S = 60.0


def pause_before(attempt: int) -> float:
    """Return how many seconds to wait before attempt 1, 2, 3, ...: 1, 2, 4, ... to 60, and up to 2 by chance."""
    return min(LONGEST_PAUSE_S, 2.0 ** min(attempt - 1, 10)) + random.uniform(0.0, 2.0)


class Probe:
    """A game that an engine is tried on before anybody plays it."""

    def __init__(self, bot_id: str, config: SessionConfig) -> None:
        self.bot_id = bot_id
        self.config = config


class EngineProcess:
    """An engine that is kept running; `ask` always returns an answer, if only that there is no engine."""

    def __init__(self, command: Sequence[str], probes: Sequence[Probe], changed: Callable[[], None]) -> None:
        """Prepare an engine; `run` starts it.

        Args:
            command: its command line, in parts.
            probes: the games that it must be able to play.
            changed: is called whenever `healthy` has changed.
        """
        self.command = tuple(command)
        self.healthy = False
        self.fault = ""
        """Why it is not healthy; empty while it is, and before its first start is decided."""
        self._probes = tuple(probes)
        self._cause = ""  # why this client ended it
        self._changed = changed
        self._process: asyncio.subprocess.Process | None = None
        self._waiting: dict[str, deque[tuple[Request, asyncio.Future[Response]]]] = {}

    @property
    def name(self) -> str:
        """Return the command line."""
        return " ".join(self.command)

    async def run(self) -> None:
        """Keep the engine running until this is cancelled; then end it."""
        attempt = 0
        try:
            while True:
                healthy_before = await self._run_once()
                attempt = 1 if healthy_before else attempt + 1
                _log.error("Engine `%s`: %s; it is started again.", self.name, self.fault)
                await asyncio.sleep(pause_before(attempt))
        finally:
            await self._close()

    async def _run_once(self) -> bool:
        """Start the engine and wait for its end; return whether it was healthy."""
        self._cause = ""
        try:
            self._process = await asyncio.create_subprocess_exec(
                *self.command,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                limit=2 * MAX_MESSAGE_BYTES,
                start_new_session=True,  # Ctrl-C is the client's to hear, which then ends its engines
            )
        except OSError as error:
            self._set_health(healthy=False, fault=f"the command cannot be run: {error.strerror}")
            return False
        probing = asyncio.create_task(self._probe())
        try:
            await self._read(self._process)
        finally:
            probing.cancel()
        was_healthy = self.healthy
        status = await self._process.wait()
        self._process = None
        self._set_health(healthy=False, fault=self._cause or f"it ended with status {status}")
        for session in list(self._waiting.values()):
            for request, future in session:
                if not future.done():
                    future.set_result(failure(request, f"The engine ended with status {status}"))
        self._waiting.clear()
        return was_healthy

    async def _read(self, process: asyncio.subprocess.Process) -> None:
        assert process.stdout, "opened as a pipe"
        while True:
            try:
                line = await process.stdout.readline()
            except ValueError:
                _log.error("Engine `%s` wrote a line that is too long.", self.name)
                continue
            if not line:
                return
            if line.strip():
                self._take(line.strip())

    def _take(self, line: bytes) -> None:
        try:
            response = decode_response(line)
        except BadMessage as error:
            _log.error("Engine `%s`: %s", self.name, error)
            return
        waiting = self._waiting.get(response.bgs_id)
        if not waiting:
            _log.error("Engine `%s` answered about session %s unasked.", self.name, response.bgs_id)
            return
        _, future = waiting.popleft()
        if not waiting:
            del self._waiting[response.bgs_id]
        if not future.done():
            future.set_result(response)

    async def ask(self, request: Request) -> Response:
        """Return the engine's answer; requests of one session are answered in their order."""
        process = self._process
        if process is None or process.stdin is None:
            return failure(request, f"The engine is not running: {self.fault or 'it has not started yet'}")
        future: asyncio.Future[Response] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(request.bgs_id, deque()).append((request, future))
        with contextlib.suppress(ConnectionError):  # the reader notices that the process has ended
            process.stdin.write(encode(request) + b"\n")
            await process.stdin.drain()
        return await future

    async def _probe(self) -> None:
        """Play the first question of every game, which also compiles and loads all that is needed."""
        try:
            async with asyncio.timeout(PROBE_TIMEOUT_S):
                for probe in self._probes:
                    await self._try(probe)
        except TimeoutError:
            self._give_up(f"it did not answer within {PROBE_TIMEOUT_S:g} seconds")
        except LudusError as error:
            self._give_up(str(error))
        else:
            self._set_health(healthy=True, fault="")

    async def _try(self, probe: Probe) -> None:
        bgs_id = f"probe-{secrets.token_hex(4)}"
        for request in (
            StartGameSession(bgs_id, probe.bot_id, probe.config),
            EvaluatePosition(bgs_id, 0),
            EndGameSession(bgs_id),
        ):
            answer = await self.ask(request)
            if not answer.success:
                config = probe.config
                raise Unavailable(
                    f"asked to play {config.game} {config.variant} on {config.board_width}x{config.board_height}, "
                    f"it says: {answer.error}"
                )

    def _give_up(self, cause: str) -> None:
        self._cause = cause
        if self._process and self._process.returncode is None:
            self._process.kill()

    def _set_health(self, *, healthy: bool, fault: str) -> None:
        self.healthy, self.fault = healthy, fault
        self._changed()

    async def _close(self) -> None:
        process, self._process = self._process, None
        if process is None or process.returncode is not None:
            return
        if process.stdin:
            process.stdin.close()  # the end of its input ends an engine
        try:
            await asyncio.wait_for(process.wait(), CLOSING_S)
        except TimeoutError:
            process.kill()
            await process.wait()
