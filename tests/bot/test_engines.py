"""The engines of a bots file start in the file's order, a limited number at a time, and are probed with its games."""

import asyncio

import pytest

from ludus.bot import engines
from ludus.bot.config import FileBot
from ludus.protocol.registration import BoardSize, Extent, VariantSupport


class Starting:
    """A fake engine process that becomes healthy when the test sets `decided`."""

    started: list[str]

    def __init__(self, command, probes, changed, _folder):
        self.command, self.probes, self.passed = command, probes, set()
        self.name, self.healthy, self.fault, self.decided, self._changed = (
            command[0],
            False,
            "",
            asyncio.Event(),
            changed,
        )

    async def run(self):
        Starting.started.append(self.name)
        await self.decided.wait()
        self.healthy = True
        self.passed.update(probe.bot_id for probe in self.probes)
        self._changed()
        await asyncio.Event().wait()


@pytest.mark.parametrize(
    ("variant", "widths", "heights", "recommended", "tried"),
    [
        ("standard", (7, 7), (6, 6), [(7, 6)], [(7, 6)]),
        ("freestyle", (12, 12), (10, 10), [], [(12, 10)]),
        ("classic", (5, 9), (4, 8), [], [(5, 4)]),
    ],
    ids=["recommended", "of one size", "of a range"],
)
def test_an_engine_is_probed_with_every_recommended_board_size(variant, widths, heights, recommended, tried):
    support = VariantSupport(Extent(*widths), Extent(*heights), [BoardSize(*size) for size in recommended])
    game = "connect4" if variant == "standard" else "wallgame"
    bot = FileBot(bot_id="a", name="A", username=None, variants={variant: support}, game=game, engine="a")
    probes = [*engines._probes([bot]).values()]
    assert [(probe.config.variant, probe.config.board_width, probe.config.board_height) for probe in probes] == [
        (variant, *size) for size in tried
    ]
    assert (probes[0].config.initial_state is None) == (game == "connect4")


def test_engines_start_in_order_one_per_processor_at_a_time(monkeypatch, bots_file):
    monkeypatch.setattr(engines, "EngineProcess", Starting)
    monkeypatch.setattr(engines, "usable_cores", lambda: 2)
    Starting.started = []

    async def scenario():
        found = engines.Engines(bots_file(a=["one"], b=["two"], c=["three"], d=["three"]))
        running = asyncio.create_task(found.run())
        await asyncio.sleep(0.05)
        assert Starting.started == ["one", "two"]
        assert found.able() == []
        found._engine_of["b"].processes[0].decided.set()
        await asyncio.sleep(0.05)
        assert Starting.started == ["one", "two", "three"]
        for bot in "ad":
            found._engine_of[bot].processes[0].decided.set()
        await found.ready()
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)

    asyncio.run(scenario())
