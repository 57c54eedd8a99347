"""One engine process: asked in JSON lines, watched, and restarted when it ends or hangs."""

import asyncio
import logging
import math
import os
import random
from collections.abc import Callable, Coroutine, Sequence
from typing import Any

from ludus.bot.ending import end, kill
from ludus.bot.lane import SessionLane
from ludus.bot.pipe import Pipe
from ludus.bot.probe import EngineProbe
from ludus.protocol.bgs import EvaluatePosition, Request, Response, failure
from ludus.protocol.registration import MAX_MESSAGE_BYTES

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
"""An engine that was not heard for so long is asked something, to see that it lives; one that fails, as often."""
LOOK_S = 1.0
PLAIN = {"TTY_COMPATIBLE": "0"}
"""Lets rich take the terminal for none: engines share this client's, and pictures would write over each other."""


def pause_before(attempt: int) -> float:
    """Return how many seconds to wait before attempt 1, 2, 3, ...: 1, 2, 4, ... to 60, and up to 2 by chance."""
    return min(LONGEST_PAUSE_S, 2.0 ** min(attempt - 1, 10)) + random.uniform(0.0, 2.0)


class EngineProcess:
    """An engine that is kept running; `ask` always returns an answer, if only that there is no engine.

    When it ends, its sessions are rebuilt in the next process as they are asked about, and what was being asked is
    asked once more.
    """

    def __init__(self, command: Sequence[str], probes: Sequence[EngineProbe], changed: Callable[[], None]) -> None:
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
        self.decided = asyncio.Event()
        """Set once it is known whether its first start went well."""
        self._probes = tuple(probes)
        self._cause = ""  # why this client ended it
        self._doubted = False  # whether it has failed to evaluate a position since it was last tried
        self._tried = -math.inf  # when that was
        self._changed = changed
        self._process: asyncio.subprocess.Process | None = None
        self._pipe: Pipe | None = None
        self._ready = asyncio.Event()  # it runs, and has passed its probes
        self._life = 0  # how many processes there were: sessions belong to one of them
        self._lanes: dict[str, SessionLane] = {}
        self._tasks: set[asyncio.Task[Any]] = set()

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
                env=os.environ | PLAIN,
                start_new_session=True,  # Ctrl-C is the client's to hear, which then ends its engines
            )
        except OSError as error:
            self._fail(f"the command cannot be run: {error.strerror}")
            return False
        self._life += 1
        self._pipe = Pipe(self._process, self.name)
        beside = [asyncio.create_task(self._probe()), asyncio.create_task(self._watch(self._pipe))]
        try:
            await self._pipe.read()
        finally:
            for task in beside:
                task.cancel()
        was_ready = self._ready.is_set()
        self._ready.clear()
        if not await end(self._process, CLOSING_S):
            self._cause = self._cause or "it closed its output and did not end"
        status, self._process = self._process.returncode, None
        self._fail(self._cause or f"it ended with status {status}")
        self._pipe.close()
        return was_ready

    async def _watch(self, pipe: Pipe) -> None:
        """End the engine if it hangs; probe it while it is idle."""
        await self._ready.wait()
        while True:
            await asyncio.sleep(LOOK_S)
            silence_s = pipe.silence_s
            if pipe.is_asked and silence_s > SILENCE_S:
                self._give_up(f"it has not said anything for {silence_s:.0f} seconds")
                return
            is_idle = not pipe.is_asked and silence_s > IDLE_S
            if (is_idle or self._doubted) and pipe.clock() - self._tried > IDLE_S and self._probes:
                self._tried, self._doubted = pipe.clock(), False
                self._begin(self._try(pipe))

    async def _try(self, pipe: Pipe) -> None:
        """Probe the engine again and end it if it fails; a full engine may refuse the session."""
        fault = await self._probes[0].fault(pipe.exchange, may_refuse=True)
        if fault and pipe is self._pipe:
            self._give_up(fault)

    async def _probe(self) -> None:
        """Ask the first question of every game, which also compiles and loads what is needed."""
        try:
            async with asyncio.timeout(PROBE_TIMEOUT_S):
                for probe in self._probes:
                    fault = await probe.fault(self._exchange)
                    if fault:
                        self._give_up(fault)
                        return
        except TimeoutError:
            self._give_up(f"it did not answer within {PROBE_TIMEOUT_S:g} seconds")
            return
        self.fault, self._doubted = "", False
        self._ready.set()
        self.decided.set()
        if not self.healthy:
            self.healthy = True
            self._changed()

    def _give_up(self, cause: str) -> None:
        self._cause = cause
        if self._process:
            kill(self._process)

    def _fail(self, fault: str) -> None:
        """Note why it does not run, and that its first start is decided."""
        self.fault = fault
        self.decided.set()
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
        if process is None:
            return
        if process.stdin:
            process.stdin.close()  # the end of its input ends an engine
        await end(process, CLOSING_S)

    # ---- what it is asked --------------------------------------------------------------------------------------------

    async def ask(self, request: Request) -> Response:
        """Return the engine's answer; one question of a session is asked at a time, the others wait in their order."""
        lane = self._lanes.setdefault(request.bgs_id, SessionLane())
        lane.users += 1
        return await asyncio.shield(self._begin(self._ask(lane, request)))  # whoever asked may leave; the answer comes

    async def _ask(self, lane: SessionLane, request: Request) -> Response:
        async with lane.lock:
            answer = await self._answer(lane, request)
            lane.note(request, answer, self._life)
        self._doubted |= isinstance(request, EvaluatePosition) and not answer.success
        lane.users -= 1
        if not lane.users and lane.start is None:
            self._lanes.pop(request.bgs_id, None)
        return answer

    async def _answer(self, lane: SessionLane, request: Request) -> Response:
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
        return await self._pipe.exchange(request) if self._pipe else None

    def _begin(self, work: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task
