"""Fixtures: small engine programs, and a bots file that runs them."""

import sys

import pytest

from ludus.bot import engines
from ludus.bot.config import BotsFile, FileBot
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

RACK = VariantSupport(Extent(7, 7), Extent(6, 6), [BoardSize(7, 6)])


@pytest.fixture(autouse=True)
def together(monkeypatch):
    """Register all bots of a file at once, however slowly a busy machine starts their engines."""
    monkeypatch.setattr(engines, "SETTLE_S", 100.0)


@pytest.fixture
def engine_command():
    """Return a function that builds the command of a dummy engine; the code `twist` may replace its `ask`."""
    return lambda twist="": (sys.executable, "-c", ENGINE.format(path=sys.path, twist=twist))


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
