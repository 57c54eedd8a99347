"""The engines of one bots file: starts them, probes them with the bots' games, and routes sessions to them."""

import asyncio
import contextlib
from collections.abc import Callable, Coroutine
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from ludus.bot.config import BotsFile, FileBot
from ludus.bot.engine import BotEngine
from ludus.bot.probe import EngineProbe
from ludus.bot.process import EngineProcess
from ludus.cores import usable_cores
from ludus.errors import BadInput, LudusError
from ludus.games.registry import game
from ludus.protocol.bgs import EndGameSession, Request, Response, SessionConfig, StartGameSession, Unreadable, failure
from ludus.protocol.registration import BoardSize, BotConfig

SETTLE_S = 5.0
"""How long a ready engine waits for starting ones, so that one attach registers all of their bots."""
FORGET_S = 2.0
"""Time limit for ending the sessions of a lost connection."""

Ask = Callable[[], Coroutine[Any, Any, Response]]
"""Sends a request to its engine and returns the response."""


class _BoardSize(NamedTuple):
    """A board that an engine is probed with."""

    game: str
    variant: str
    width: int
    height: int


class Engines:
    """The engine of each bot, and the engine of each session."""

    def __init__(self, file: BotsFile, folder: Path | None = None) -> None:
        """Prepare the engines, which run in `folder` (None: the working directory); `run` starts them."""
        self._file, self._folder = file, folder
        self._probes_of: dict[tuple[str, ...], dict[_BoardSize, EngineProbe]] = {}  # by command
        self._changed = asyncio.Event()
        self._engine_of = self._made()
        self._all = list(dict.fromkeys(self._engine_of.values()))
        self._endings: set[asyncio.Task[None]] = set()  # for sessions that moved to another bot
        self._routes: dict[str, BotEngine] = {}  # by session

    def replace(self, file: BotsFile) -> None:
        """Register other bots from now on, played by the engines that already run.

        Raises:
            BadInput: a bot needs an engine that the first file did not have; nothing has changed then.
        """
        running = {engine.command: engine for engine in self._all}
        for bot in file.bots:
            if file.command_of(bot) not in running:
                raise BadInput(f"Bot {bot.bot_id!r} needs another engine; start the client again with these bots.")
        self._file = file
        self._engine_of = {bot.bot_id: running[file.command_of(bot)] for bot in file.bots}
        self._changed.set()

    async def run(self) -> None:
        """Keep the engines running until cancelled; then stop them.

        They start in the order of the file, at most one process per processor at a time, since starting may compile.
        """
        starting, tasks = asyncio.Semaphore(usable_cores()), list[asyncio.Task[None]]()

        async def start(process: EngineProcess) -> None:
            async with starting:
                tasks.append(asyncio.create_task(process.run()))
                await process.decided.wait()

        by_turn = zip(*(engine.processes for engine in self._all), strict=True)  # one of each engine first
        tasks += [asyncio.create_task(start(process)) for turn in by_turn for process in turn]
        try:
            await asyncio.Event().wait()
        finally:
            for engine in self._all:
                engine.close()
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def ready(self) -> None:
        """Wait for the first healthy engine; raise BadInput if every engine fails to start."""
        while not self.able() and not self._decided():
            await self._change()
        await self._settled()
        if not self.able():
            raise BadInput(f"Engine `{self._all[0].name}` cannot play: {self._all[0].fault}.")

    def answer_within(self, seconds: float) -> None:
        """Replace processes that need longer than this for an evaluation; the server would not wait for the answer."""
        for engine in self._all:
            engine.answer_within(seconds)

    def able(self) -> list[BotConfig]:
        """Return the bots that their engines can play now."""
        return [bot for bot in self._file.registered_bots() if self._is_able(bot)]

    def _is_able(self, bot: BotConfig) -> bool:
        """Return whether an engine is healthy, and has passed the probes of those boards of a bot that it probes."""
        engine = self._engine_of[bot.bot_id]
        probes = self._probes_of[engine.command]
        return engine.plays_as({probes[board].bot_id for board in _boards(bot) if board in probes})

    async def any_able(self) -> None:
        """Wait until at least one bot can play."""
        while not self.able():
            await self._change()

    async def others_able(self, bots: list[BotConfig]) -> None:
        """Wait until the bots that can play differ from `bots`."""
        while self.able() == bots:
            await self._change()
            await self._settled()

    def _decided(self) -> bool:
        """Return whether the first start of every engine has succeeded or failed."""
        return all(engine.is_decided for engine in self._all)

    async def _settled(self) -> None:
        """Wait up to `SETTLE_S` for engines that start for the first time."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(SETTLE_S):
                for engine in self._all:
                    await engine.decided()

    def route(self, question: Request | Unreadable) -> Ask:
        """Choose the engine of a request; return a function that sends it.

        Call this in the order in which requests arrive.
        """
        engine = self._routes.get(question.bgs_id)
        if isinstance(question, StartGameSession):
            former, engine = engine, self._engine_of.get(question.bot_id)
            if former and former is not engine:
                ending = asyncio.create_task(self._end(former, question.bgs_id))
                self._endings.add(ending)
                ending.add_done_callback(self._endings.discard)
            if engine:
                self._routes[question.bgs_id] = engine
        if isinstance(question, EndGameSession):
            self._routes.pop(question.bgs_id, None)
        return partial(self._answer, question, engine)

    async def forget_sessions(self) -> None:
        """End the sessions of a lost connection."""
        routes, self._routes = self._routes, {}
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(FORGET_S):
                await asyncio.gather(
                    *(self._end(engine, bgs_id) for bgs_id, engine in routes.items()),
                    *self._endings,
                    return_exceptions=True,
                )

    async def _answer(self, question: Request | Unreadable, engine: BotEngine | None) -> Response:
        if isinstance(question, Unreadable):
            return failure(question, question.error)
        if engine:
            return await engine.ask(question)
        if isinstance(question, StartGameSession):
            return failure(question, f"Bot {question.bot_id} not found")
        return failure(question, f"Session {question.bgs_id} not found")

    async def _end(self, engine: BotEngine, bgs_id: str) -> None:
        await engine.ask(EndGameSession(bgs_id))

    async def _change(self) -> None:
        """Wait until the health of an engine or the list of bots changes."""
        await self._changed.wait()
        self._changed.clear()

    def _made(self) -> dict[str, BotEngine]:
        """Create the engine of each bot; bots with equal commands share one, which is probed with all their games."""
        bots_of: dict[tuple[str, ...], list[FileBot]] = {}
        for bot in self._file.bots:
            bots_of.setdefault(self._file.command_of(bot), []).append(bot)
        engine_of: dict[str, BotEngine] = {}
        for command, bots in bots_of.items():
            probes = self._probes_of[command] = _probes(bots)
            tried = [*probes.values()]
            engine = BotEngine(
                [
                    EngineProcess(command, tried, self._changed.set, self._folder)
                    for _ in range(self._file.engine_processes)
                ]
            )
            engine_of |= {bot.bot_id: engine for bot in bots}
        return engine_of


def _probes(bots: list[FileBot]) -> dict[_BoardSize, EngineProbe]:
    """Return a probe for each board of these bots, as the first bot that plays it."""
    probes: dict[_BoardSize, EngineProbe] = {}
    for bot in bots:
        for board in _boards(bot):
            if board not in probes:
                start = _start_of(board)
                config = SessionConfig(board.variant, board.width, board.height, start, board.game)
                probes[board] = EngineProbe(bot.bot_id, config)
    return probes


def _boards(bot: BotConfig) -> list[_BoardSize]:
    """Return every board size that a bot recommends, or the smallest of a variant for which it recommends none."""
    found: list[_BoardSize] = []
    for variant, support in bot.variants.items():
        smallest = BoardSize(support.board_width.min, support.board_height.min)
        for size in support.recommended or [smallest]:
            found.append(_BoardSize(bot.game, variant, size.board_width, size.board_height))
    return found


def _start_of(board: _BoardSize) -> object:
    """Return the start position as a server would send it; None for games without one and for unknown games."""
    try:
        found = game(f"{board.game}:{board.variant}:{board.width}x{board.height}")
        return found.setup(found.start_state())
    except LudusError:
        return None
