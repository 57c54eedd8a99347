"""Fixtures: small engine programs, and a bots file that runs them."""

import asyncio
import sys

import pytest

from ludus.bot import engines
from ludus.bot.config import BotsFile, FileBot
from ludus.bot.engine import BotEngine
from ludus.bot.probe import EngineProbe
from ludus.bot.process import EngineProcess
from ludus.protocol.bgs import SessionConfig
from ludus.protocol.registration import BoardSize, Extent, VariantSupport

ENGINE = """
import sys
sys.path[:0] = {path!r}
from ludus.engine.bgs.engine import Engine
from ludus.engine.bgs.dummy import DummyMind
from ludus.engine.bgs.lines import answer_lines
engine = Engine([DummyMind(("connect4",))])
ask = engine.ask
{twist}
answer_lines(lambda post: engine, sys.stdin.buffer, sys.stdout.buffer)
"""

CONNECT4 = SessionConfig("standard", 7, 6, game="connect4")
RACK = VariantSupport(Extent(7, 7), Extent(6, 6), [BoardSize(7, 6)])


@pytest.fixture(autouse=True)
def together(monkeypatch):
    """Register all bots of a file at once, however slowly a busy machine starts their engines."""
    monkeypatch.setattr(engines, "SETTLE_S", 100.0)


@pytest.fixture
def engine_command():
    """Return a function that builds the command of a dummy engine; the code `twist` may replace its `ask`."""
    return lambda twist="": (sys.executable, "-c", ENGINE.format(path=sys.path, twist=twist))


def run_engine(command, scenario, probes=None, folder=None, processes=1):
    """Start an engine, and run `scenario(engine, changed)` while it runs."""

    async def run():
        changed = asyncio.Event()
        probes_of = [EngineProbe("b", CONNECT4)] if probes is None else probes
        engine = BotEngine([EngineProcess(command, probes_of, changed.set, folder) for _ in range(processes)])
        running = [asyncio.create_task(each.run()) for each in engine.processes]
        try:
            async with asyncio.timeout(240):
                await changed.wait()
                changed.clear()
                await scenario(engine, changed)
        finally:
            engine.close()
            for task in running:
                task.cancel()
            await asyncio.gather(*running, return_exceptions=True)
        assert all(each._process is None for each in engine.processes)

    asyncio.run(run())


@pytest.fixture
def with_engine():
    """Return a function that runs a scenario beside an engine."""
    return run_engine


@pytest.fixture
def bots_file():
    """Return a function that builds a bots file of Connect Four bots from their ids and commands."""

    def make(**commands):
        bots = [
            FileBot(
                bot_id=bot_id, name=bot_id.title(), variants={"standard": RACK}, game="connect4", engine=list(command)
            )
            for bot_id, command in commands.items()
        ]
        return BotsFile(bots=bots, client_id="c1")

    return make
