"""One engine: a process of its own that is asked in JSON lines, watched, and started again when it ends or hangs."""

import asyncio
import contextlib
import logging
import random
import secrets
from collections.abc import Callable, Coroutine, Sequence
from typing import Any

from ludus.bot.lane import Lane
from ludus.errors import BadMessage
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
    session_of,
)
from ludus.protocol.session import check_answer

_log = logging.getLogger(__name__)

PROBE_TIMEOUT_S = 300.0
"""The first start of an engine may compile its rules."""
CLOSING_S = 5.0
LONGEST_PAUSE_S = 60.0
STEADY_S = 60.0
"""An engine that has lived so long is started again without delay."""
PATIENCE_S = 9.0
"""How long a question waits for an engine that is being started again; servers wait ten seconds for an answer."""
WITHDRAW_S = 15.0
"""How long an engine may be away before it counts as not healthy, and its bots are withdrawn."""
SILENCE_S = 30.0
"""An engine that was asked and says nothing for so long hangs."""
IDLE_S = 60.0
"""An engine that was not heard for so long is asked something, to see that it lives."""
LOOK_S = 1.0


def pause_before(attempt: int) -> float:
    """Return how many seconds to wait before attempt 1, 2, 3, ...: 1, 2, 4, ... to 60, and up to 2 by chance."""
    return min(LONGEST_PAUSE_S, 2.0 ** min(attempt - 1, 10)) + random.uniform(0.0, 2.0)


class Probe:
    """A game that an engine is tried on before anybody plays it."""

    def __init__(self, bot_id: str, config: SessionConfig) -> None:
        self.bot_id = bot_id
        self.config = config


class EngineProcess:
    """An engine that is kept running; `ask` always returns an answer, if only that there is no engine.

    When it ends, its sessions are rebuilt in the next process as they are asked about, and what was being asked is
    asked once more.
    """

    def __init__(self, command: Sequence[str], probes: Sequence[Probe], changed: Callable[[], None]) -> None:
        """Prepare an engine; `run` starts it.

        Args:
            command: its command line, in parts.
            probes: the games that it must be able to play.
            changed: is called whenever `healthy` has changed.
        """
        self.command = tuple(command)
        self.healthy = False
        """Whether its bots may be offered; an engine that is started again is healthy meanwhile, for a while."""
        self.fault = ""
        """Why it does not run; empty while it does, and before its first start is decided."""
        self._probes = tuple(probes)
        self._cause = ""  # why this client ended it
        self._changed = changed
        self._process: asyncio.subprocess.Process | None = None
        self._ready = asyncio.Event()  # it runs, and has passed its probes
        self._life = 0  # how many processes there were: sessions belong to one of them
        self._lanes: dict[str, Lane] = {}
        self._waiting: dict[str, tuple[Request, asyncio.Future[Response | None]]] = {}
        self._tasks: set[asyncio.Task[Any]] = set()
        self._heard = 0.0  # when it last said something, or was first asked after that

    @property
    def name(self) -> str:
        """Return the command line."""
        return " ".join(self.command)

    # ---- its life ----------------------------------------------------------------------------------------------------

    async def run(self) -> None:
        """Keep the engine running until this is cancelled; then end it."""
        attempt, loop = 0, asyncio.get_running_loop()
        try:
            while True:
                begun = loop.time()
                lived = await self._run_once() and loop.time() - begun >= STEADY_S
                attempt = 0 if lived else attempt + 1
                _log.error("Engine `%s`: %s; it is started again.", self.name, self.fault)
                withdrawal = loop.call_later(WITHDRAW_S, self._withdraw)
                self._begin(self._cancel_when_ready(withdrawal))
                await asyncio.sleep(pause_before(attempt) if attempt else 0.0)
        finally:
            for task in self._tasks:
                task.cancel()
            await self._close()

    async def _run_once(self) -> bool:
        """Start the engine and wait for its end; return whether it was ever ready."""
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
            self._fail(f"the command cannot be run: {error.strerror}")
            return False
        self._life += 1
        beside = [asyncio.create_task(self._probe()), asyncio.create_task(self._watch())]
        try:
            await self._read(self._process)
        finally:
            for task in beside:
                task.cancel()
        was_ready = self._ready.is_set()
        self._ready.clear()
        status = await self._process.wait()
        self._process = None
        self._fail(self._cause or f"it ended with status {status}")
        for _, future in self._waiting.values():
            if not future.done():
                future.set_result(None)
        self._waiting.clear()
        return was_ready

    async def _watch(self) -> None:
        """End the engine if it hangs; ask it something if nobody else does."""
        loop = asyncio.get_running_loop()
        await self._ready.wait()
        while True:
            await asyncio.sleep(LOOK_S)
            silence = loop.time() - self._heard
            if self._waiting and silence > SILENCE_S:
                self._give_up(f"it has not said anything for {silence:.0f} seconds")
                return
            if not self._waiting and silence > IDLE_S and self._probes:
                self._begin(self._try(self._probes[0]))

    async def _probe(self) -> None:
        """Play the first question of every game, which also compiles and loads all that is needed."""
        try:
            async with asyncio.timeout(PROBE_TIMEOUT_S):
                for probe in self._probes:
                    fault = await self._try(probe)
                    if fault:
                        self._give_up(fault)
                        return
        except TimeoutError:
            self._give_up(f"it did not answer within {PROBE_TIMEOUT_S:g} seconds")
            return
        self.fault = ""
        self._ready.set()
        if not self.healthy:
            self.healthy = True
            self._changed()

    async def _try(self, probe: Probe) -> str:
        """Play the first question of a game; return what is wrong with the answers."""
        bgs_id, config = f"probe-{secrets.token_hex(4)}", probe.config
        for request in (
            StartGameSession(bgs_id, probe.bot_id, config),
            EvaluatePosition(bgs_id, 0),
            EndGameSession(bgs_id),
        ):
            answer = await self._exchange(request)
            if answer is None:
                return ""  # it has ended, which is told elsewhere
            if not answer.success:
                board = f"{config.variant} on {config.board_width}x{config.board_height}"
                return f"asked to play {config.game} {board}, it says: {answer.error}"
        return ""

    def _give_up(self, cause: str) -> None:
        self._cause = cause
        if self._process and self._process.returncode is None:
            self._process.kill()

    def _fail(self, fault: str) -> None:
        """Note why it does not run; an engine that has never run is not waited for."""
        self.fault = fault
        if not self.healthy:
            self._changed()

    def _withdraw(self) -> None:
        if not self._ready.is_set() and self.healthy:
            self.healthy = False
            self._changed()

    async def _cancel_when_ready(self, withdrawal: asyncio.TimerHandle) -> None:
        await self._ready.wait()
        withdrawal.cancel()

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

    # ---- what it is asked --------------------------------------------------------------------------------------------

    async def ask(self, request: Request) -> Response:
        """Return the engine's answer; one question of a session is asked at a time, the others wait in their order."""
        lane = self._lanes.setdefault(request.bgs_id, Lane())
        lane.users += 1
        return await asyncio.shield(self._begin(self._ask(lane, request)))  # whoever asked may leave; the answer comes

    async def _ask(self, lane: Lane, request: Request) -> Response:
        async with lane.lock:
            answer = await self._answer(lane, request)
            lane.note(request, answer, self._life)
        lane.users -= 1
        if not lane.users and lane.start is None:
            self._lanes.pop(request.bgs_id, None)
        return answer

    async def _answer(self, lane: Lane, request: Request) -> Response:
        for _ in range(2):  # the second time, the engine may have ended because of this very question
            try:
                async with asyncio.timeout(PATIENCE_S if self.healthy else 0.0):
                    await self._ready.wait()
            except TimeoutError:
                return failure(request, f"The engine is not running: {self.fault or 'it has not started yet'}")
            answer = await lane.carry_over(request, self._life, self._exchange) or await self._exchange(request)
            if answer:
                return answer
        return failure(request, f"The engine ended twice over this: {self.fault}")

    async def _exchange(self, request: Request) -> Response | None:
        """Ask the process that runs now; return None if it ends before it answers."""
        process = self._process
        if process is None or process.stdin is None:
            return None
        loop = asyncio.get_running_loop()
        future: asyncio.Future[Response | None] = loop.create_future()
        if not self._waiting:
            self._heard = loop.time()
        self._waiting[request.bgs_id] = request, future
        with contextlib.suppress(ConnectionError):  # the reader notices that the process has ended
            process.stdin.write(encode(request) + b"\n")
            await process.stdin.drain()
        return await future

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
            self._heard = asyncio.get_running_loop().time()
            if line.strip():
                self._take(line.strip())

    def _take(self, line: bytes) -> None:
        """Hand an answer to who waits for it; a session that gets one that cannot be read need not wait for another."""
        try:
            response = decode_response(line)
        except BadMessage as error:
            _log.error("Engine `%s`: %s", self.name, error)
            request, future = self._waiting.pop(session_of(line) or "", (None, None))
            if request and future and not future.done():
                future.set_result(failure(request, f"The engine's answer cannot be read: {error}"))
            return
        request, future = self._waiting.get(response.bgs_id, (None, None))
        if request is None or future is None:
            _log.error("Engine `%s` answered about session %s unasked.", self.name, response.bgs_id)
            return
        try:
            check_answer(request, response)
        except BadMessage as error:
            _log.error("Engine `%s`: %s", self.name, error)
            return
        del self._waiting[response.bgs_id]
        if not future.done():
            future.set_result(response)

    def _begin(self, work: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task
