"""Runs one engine process: monitors it, and restarts it when it ends or hangs."""

import asyncio
import logging
import math
import os
import random
from collections.abc import Callable, Coroutine, Sequence
from pathlib import Path
from textwrap import shorten
from typing import Any

from ludus.bot.ending import end, kill
from ludus.bot.pipe import Pipe
from ludus.bot.probe import EngineProbe
from ludus.protocol.registration import MAX_MESSAGE_BYTES, SessionLimits
from ludus.system import apart, started_in

_log = logging.getLogger(__name__)

PROBE_TIMEOUT_S = 900.0
"""Long, since the first start of an engine may compile the rules of its games."""
CLOSING_S = 5.0
LONGEST_PAUSE_S = 60.0
MOST_SHOWN = 300
"""Characters of a command line in messages."""
STEADY_S = 10.0
"""An engine that ran this long is restarted without delay."""
WITHDRAW_S = 15.0
"""How long a restart may take before the engine counts as unhealthy and its bots are withdrawn."""
IDLE_S = 60.0
"""An engine without traffic for this long is probed; also the least interval between probes after failures."""
LOOK_S = 1.0
PLAIN = {"TTY_COMPATIBLE": "0"}
"""Disables rich's live displays: all engines share this terminal and would overwrite each other."""


def pause_before(attempt: int) -> float:
    """Return the seconds to wait before attempt 1, 2, 3, ...: 1, 2, 4, ... up to 60, plus a random 0 to 2."""
    return min(LONGEST_PAUSE_S, 2.0 ** min(attempt - 1, 10)) + random.uniform(0.0, 2.0)


class EngineProcess:
    """An engine process that is kept running; `pipe` is the conversation with the present one."""

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
            changed: called whenever `healthy` or `passed` changes.
            folder: the working directory of the engine (None: that of this process).
        """
        self.command, self._folder = tuple(command), folder
        self.healthy = False
        """Whether its bots may be registered; stays true during a restart of less than `WITHDRAW_S`."""
        self.passed: set[str] = set()
        """The ids of the probed bots that the engine has been able to play as."""
        self.fault = ""
        """Why the engine does not run; empty while it runs and during its first start."""
        self.decided = asyncio.Event()
        """Set when all probes of the first start have ended, or it has failed."""
        self.ready = asyncio.Event()
        """Set while the engine runs and has passed the probes of one bot."""
        self.pipe: Pipe | None = None
        self.answer_s = SessionLimits().answer_timeout_ms / 1000
        """How long the server waits for an answer."""
        self._probes = tuple(probes)
        self._cause = ""  # why this client killed the engine
        self._tried = -math.inf  # time of the last probe
        self._changed = changed
        self._process: asyncio.subprocess.Process | None = None
        self._tasks: set[asyncio.Task[Any]] = set()

    @property
    def name(self) -> str:
        """Return the command line, shortened: an engine with many bots has an option for each."""
        return shorten(" ".join(self.command), MOST_SHOWN, placeholder=" ...")

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
        pipe = self.pipe = Pipe(self._process, self.name)
        beside = [asyncio.create_task(self._probe(pipe)), asyncio.create_task(self._watch(pipe))]
        try:
            await pipe.read()
        finally:
            for task in beside:
                task.cancel()
        was_ready = self.ready.is_set()
        self.ready.clear()
        if not await end(self._process, CLOSING_S):
            self._cause = self._cause or "it closed its output and did not end"
        status, self._process = self._process.returncode, None
        self._fail(self._cause or f"it ended with status {status}")
        pipe.close()
        return was_ready

    async def _watch(self, pipe: Pipe) -> None:
        """Kill the engine if it hangs; probe it when it is idle or has failed."""
        await self.ready.wait()
        heard, looked, silence_s = pipe.heard, pipe.clock(), 0.0
        while True:
            await asyncio.sleep(LOOK_S)
            now = pipe.clock()
            # a late look shows that this process stood still, and maybe the engine too: it counts as two at most
            silence_s = min(now - looked, 2 * LOOK_S) + (silence_s if pipe.heard == heard else 0.0)
            heard, looked = pipe.heard, now
            # probes wait until the engine has loaded or compiled their game; `_probe` limits that time
            limit_s = pipe.limit_s(self.answer_s) if self.decided.is_set() else PROBE_TIMEOUT_S
            if pipe.is_asked and silence_s > limit_s:
                self._give_up(f"it has written nothing for {silence_s:.0f} seconds")
                return
            is_idle = not pipe.is_asked and silence_s > IDLE_S
            if (is_idle or pipe.doubted) and now - self._tried > IDLE_S and self._probes:
                self._tried, pipe.doubted = now, False
                self._begin(self._try(pipe))

    async def _try(self, pipe: Pipe) -> None:
        """Probe the running engine and kill it if it fails; a full engine may refuse the session."""
        probe = next(each for each in self._probes if each.bot_id in self.passed)
        fault = await probe.fault(pipe, may_refuse=True)
        if fault and pipe is self.pipe:
            self._give_up(fault)

    async def _probe(self, pipe: Pipe) -> None:
        """Run all probes of a new process, which also compile and load what its games need.

        The probes of one bot run one after the other, and those of different bots at the same time, since an engine
        with several models may be ready for some of them earlier.
        """
        by_bot: dict[str, list[EngineProbe]] = {}
        for probe in self._probes:
            by_bot.setdefault(probe.bot_id, []).append(probe)
        probing = {asyncio.create_task(_first_fault(probes, pipe)): bot_id for bot_id, probes in by_bot.items()}
        faults: list[str] = []
        try:
            while probing:
                ended, _ = await asyncio.wait(probing, timeout=PROBE_TIMEOUT_S, return_when=asyncio.FIRST_COMPLETED)
                if not ended:
                    self._give_up(f"it did not answer within {PROBE_TIMEOUT_S:g} seconds")
                    return
                for task in ended:
                    bot_id = probing.pop(task)
                    if fault := task.result():
                        faults.append(fault)
                        self.passed.discard(bot_id)
                    else:
                        self._play_as(bot_id)
        finally:
            for task in probing:
                task.cancel()
        if faults and not self.ready.is_set():
            self._give_up(faults[0])
            return
        for fault in faults:
            _log.error("Engine `%s`: %s; its other bots play.", self.name, fault)
        pipe.doubted = False
        self._play_as()
        self.decided.set()

    def _play_as(self, *bots: str) -> None:
        """Note that the engine is ready, and which probed bots it has now been able to play as."""
        self.fault = ""
        self.ready.set()
        if self.healthy and self.passed.issuperset(bots):
            return
        self.healthy = True
        self.passed.update(bots)
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
        if not self.ready.is_set() and self.healthy:
            self.healthy = False
            self._changed()

    async def _cancel_when_ready(self, withdrawal: asyncio.TimerHandle) -> None:
        await self.ready.wait()
        withdrawal.cancel()

    async def _close(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        if process.stdin:
            process.stdin.close()  # engines stop at the end of their input
        await end(process, CLOSING_S)

    def _begin(self, work: Coroutine[Any, Any, Any]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


async def _first_fault(probes: Sequence[EngineProbe], pipe: Pipe) -> str:
    """Run probes one after the other until one finds a fault; return it, or "" if there is none."""
    for probe in probes:
        if fault := await probe.fault(pipe):
            return fault
    return ""
