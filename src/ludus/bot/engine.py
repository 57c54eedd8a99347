"""One engine of a bots file: its processes, and the sessions that they share."""

import asyncio
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from typing import Any

from ludus.bot.lane import SessionLane
from ludus.bot.pipe import Pipe
from ludus.bot.process import EngineProcess
from ludus.protocol.bgs import Request, Response, failure

PATIENCE_S = 20.0
"""How long a request waits while no process is ready; longer than `WITHDRAW_S`, so that a server learns that the bots
are withdrawn rather than that a request failed."""
LIMITS_S = (5.0, 600.0)
"""Bounds of the limit that a server announces."""


class BotEngine:
    """The processes of one command; `ask` always returns a response, a failure if no process is ready.

    Each session is in one process.  If that process ends or is killed because it hangs, the open request goes to
    another one that is ready, or waits for the restart; the session is rebuilt there first.
    """

    def __init__(self, processes: Sequence[EngineProcess]) -> None:
        """Prepare an engine of equal processes, at least one; `run` of each process starts it."""
        self.processes = processes
        self._lanes: dict[str, SessionLane] = {}
        self._asked: set[asyncio.Task[Any]] = set()

    @property
    def command(self) -> tuple[str, ...]:
        """Return the command line as arguments."""
        return self.processes[0].command

    @property
    def name(self) -> str:
        """Return the command line."""
        return self.processes[0].name

    @property
    def healthy(self) -> bool:
        """Return whether its bots may be registered."""
        return any(process.healthy for process in self.processes)

    def plays_as(self, bots: Collection[str]) -> bool:
        """Return whether one of its healthy processes has passed the probes of all these bots."""
        return any(process.healthy and process.passed.issuperset(bots) for process in self.processes)

    @property
    def fault(self) -> str:
        """Return why no process runs; empty if there is no reason."""
        return self.processes[0].fault

    async def decided(self) -> None:
        """Wait until the probes of the first start of a process have ended, or it has failed."""
        await _first(process.decided for process in self.processes)

    @property
    def is_decided(self) -> bool:
        """Return whether the probes of the first start of a process have ended, or it has failed."""
        return any(process.decided.is_set() for process in self.processes)

    def answer_within(self, seconds: float) -> None:
        """Kill a process whose evaluation takes longer than this, the limit of the server."""
        for process in self.processes:
            process.answer_s = min(max(seconds, LIMITS_S[0]), LIMITS_S[1])

    async def ask(self, request: Request) -> Response:
        """Send a request and return the response; requests of one session are sent singly, in order."""
        lane = self._lanes.setdefault(request.bgs_id, SessionLane())
        lane.users += 1
        task = asyncio.create_task(self._ask(lane, request))
        self._asked.add(task)
        task.add_done_callback(self._asked.discard)
        return await asyncio.shield(task)  # the caller may be cancelled, the request not

    def close(self) -> None:
        """Cancel the requests that wait for an answer."""
        for task in self._asked:
            task.cancel()

    async def _ask(self, lane: SessionLane, request: Request) -> Response:
        async with lane.lock:
            answer = await self._answer(lane, request)
        lane.users -= 1
        if not lane.users and lane.start is None:
            self._lanes.pop(request.bgs_id, None)
        return answer

    async def _answer(self, lane: SessionLane, request: Request) -> Response:
        for _ in range(2):  # retry once: the process may have ended because of this request
            try:
                async with asyncio.timeout(PATIENCE_S if self.healthy else 0.0):
                    pipe = await self._pipe_of(lane)
            except TimeoutError:
                return failure(request, f"The engine is not running: {self.fault or 'it has not started yet'}")
            answer = await lane.carry_over(request, pipe) or await pipe.exchange(request)
            if answer:
                lane.note(request, answer, pipe)
                return answer
        return failure(request, f"The engine ended twice during this request: {self.fault}")

    async def _pipe_of(self, lane: SessionLane) -> Pipe:
        """Return the conversation with the process of a session, or else with the ready one that has the fewest."""
        while True:
            ready = [process.pipe for process in self.processes if process.ready.is_set() and process.pipe]
            if lane.pipe and lane.pipe in ready:
                return lane.pipe
            if ready:
                sessions = Counter(lane.pipe for lane in self._lanes.values())
                return min(ready, key=lambda pipe: sessions[pipe])
            await _first(process.ready for process in self.processes)


async def _first(events: Iterable[asyncio.Event]) -> None:
    """Wait until one of several events is set."""
    waits = [asyncio.create_task(event.wait()) for event in events]
    try:
        await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for wait in waits:
            wait.cancel()
