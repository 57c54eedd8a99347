"""Runs one engine process: sends requests as JSON lines, monitors it, and restarts it when it ends or hangs."""

import asyncio
import logging
import math
import os
import random
from collections.abc import Callable, Coroutine, Sequence
from pathlib import Path
from typing import Any

from ludus.bot.ending import end, kill
from ludus.bot.lane import SessionLane
from ludus.bot.pipe import Pipe
from ludus.bot.probe import EngineProbe
from ludus.protocol.bgs import EvaluatePosition, Request, Response, failure
from ludus.protocol.registration import MAX_MESSAGE_BYTES
from ludus.system import apart, started_in

_log = logging.getLogger(__name__)

PROBE_TIMEOUT_S = 300.0
"""Long, since the first start of an engine may compile the rules of its games."""
CLOSING_S = 5.0
LONGEST_PAUSE_S = 60.0
STEADY_S = 60.0
"""An engine that ran this long is restarted without delay."""
PATIENCE_S = 9.0
"""How long a request waits for an engine that is restarting; servers wait ten seconds for a response."""
WITHDRAW_S = 15.0
"""How long a restart may take before the engine counts as unhealthy and its bots are withdrawn."""
SILENCE_S = 30.0
"""An engine with an open request and no output for this long counts as hung."""
IDLE_S = 60.0
"""An engine without traffic for this long is probed; also the least interval between probes after failures."""
LOOK_S = 1.0
PLAIN = {"TTY_COMPATIBLE": "0"}
"""Disables rich's live displays: all engines share this terminal and would overwrite each other."""


def pause_before(attempt: int) -> float:
    """Return the seconds to wait before attempt 1, 2, 3, ...: 1, 2, 4, ... up to 60, plus a random 0 to 2."""
    return min(LONGEST_PAUSE_S, 2.0 ** min(attempt - 1, 10)) + random.uniform(0.0, 2.0)


class EngineProcess:
    """An engine that is kept running; `ask` always returns a response, a failure if the engine is not running.

    After a restart, each session is rebuilt at its next request, and the requests in progress are sent once more.
    """

    def __init__(
        self,
        command: Sequence[str],
        probes: Sequence[EngineProbe],
        changed: Callable[[], None],
        folder: Path | None = None,
    ) -> None:
        """Prepare an engine; `run` starts it.

        Args:
            command: the command line as a list of arguments.
            probes: games that the engine must be able to play.
            changed: called whenever `healthy` changes.
            folder: the working directory of the engine (None: that of this process).
        """
        self.command, self._folder = tuple(command), folder
        self.healthy = False
        """Whether its bots may be registered; stays true during a restart of less than `WITHDRAW_S`."""
        self.fault = ""
        """Why the engine does not run; empty while it runs and during its first start."""
        self.decided = asyncio.Event()
        """Set when the first start has succeeded or failed."""
        self._probes = tuple(probes)
        self._cause = ""  # why this client killed the engine
        self._doubted = False  # whether an evaluation failed since the last probe
        self._tried = -math.inf  # time of the last probe
        self._changed = changed
        self._process: asyncio.subprocess.Process | None = None
        self._pipe: Pipe | None = None
        self._ready = asyncio.Event()  # the engine runs and has passed its probes
        self._life = 0  # number of processes started so far; each session is in one of them
        self._lanes: dict[str, SessionLane] = {}
        self._tasks: set[asyncio.Task[Any]] = set()

    @property
    def name(self) -> str:
        """Return the command line."""
        return " ".join(self.command)

    # ---- start, watch, restart ---------------------------------------------------------------------------------------

    async def run(self) -> None:
        """Keep the engine running until cancelled; then stop it."""
        attempt, loop = 0, asyncio.get_running_loop()
        try:
            while True:
                begun = loop.time()
                lived = await self._run_once() and loop.time() - begun >= STEADY_S
                attempt = 0 if lived else attempt + 1
                _log.error("Engine `%s`: %s; restarting it.", self.name, self.fault)
                withdrawal = loop.call_later(WITHDRAW_S, self._withdraw)
                self._begin(self._cancel_when_ready(withdrawal))
                await asyncio.sleep(pause_before(attempt) if attempt else 0.0)
        finally:
            for task in self._tasks:
                task.cancel()
            await self._close()

    async def _run_once(self) -> bool:
        """Start the engine and wait until it ends; return whether it became ready."""
        self._cause = ""
        try:
            self._process = await asyncio.create_subprocess_exec(
                *started_in(self._folder, self.command),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                limit=2 * MAX_MESSAGE_BYTES,
                env=os.environ | PLAIN,
                cwd=self._folder,
                **apart(),  # only the client receives Ctrl-C; it then stops its engines
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
        """Kill the engine if it hangs; probe it when it is idle or has failed."""
        await self._ready.wait()
        while True:
            await asyncio.sleep(LOOK_S)
            silence_s = pipe.silence_s
            if pipe.is_asked and silence_s > SILENCE_S:
                self._give_up(f"it has written nothing for {silence_s:.0f} seconds")
                return
            is_idle = not pipe.is_asked and silence_s > IDLE_S
            if (is_idle or self._doubted) and pipe.clock() - self._tried > IDLE_S and self._probes:
                self._tried, self._doubted = pipe.clock(), False
                self._begin(self._try(pipe))

    async def _try(self, pipe: Pipe) -> None:
        """Probe the running engine and kill it if it fails; a full engine may refuse the session."""
        fault = await self._probes[0].fault(pipe.exchange, may_refuse=True)
        if fault and pipe is self._pipe:
            self._give_up(fault)

    async def _probe(self) -> None:
        """Run all probes of a new process, which also compile and load what its games need."""
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
        """Record why the engine does not run; its first start is then decided."""
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
            process.stdin.close()  # engines stop at the end of their input
        await end(process, CLOSING_S)

    # ---- requests ----------------------------------------------------------------------------------------------------

    async def ask(self, request: Request) -> Response:
        """Send a request and return the response; requests of one session are sent singly, in order."""
        lane = self._lanes.setdefault(request.bgs_id, SessionLane())
        lane.users += 1
        return await asyncio.shield(
            self._begin(self._ask(lane, request))
        )  # the caller may be cancelled, the request not

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
        for _ in range(2):  # retry once: the engine may have ended because of this request
            try:
                async with asyncio.timeout(PATIENCE_S if self.healthy else 0.0):
                    await self._ready.wait()
            except TimeoutError:
                return failure(request, f"The engine is not running: {self.fault or 'it has not started yet'}")
            answer = await lane.carry_over(request, self._life, self._exchange) or await self._exchange(request)
            if answer:
                return answer
        return failure(request, f"The engine ended twice during this request: {self.fault}")

    async def _exchange(self, request: Request) -> Response | None:
        """Send a request to the running process; return None if there is none or it ends first."""
        return await self._pipe.exchange(request) if self._pipe else None

    def _begin(self, work: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task
