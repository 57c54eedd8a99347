"""The engines of a file start in its order, a few at a time."""

import asyncio

from ludus.bot import engines


class Starting:
    """An engine that starts, and is ready when the test says so."""

    started: list[str]

    def __init__(self, command, _probes, changed):
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
        self._changed()
        await asyncio.Event().wait()


def test_engines_start_in_order_as_many_at_a_time_as_there_are_processors(monkeypatch, bots_file):
    monkeypatch.setattr(engines, "EngineProcess", Starting)
    monkeypatch.setattr(engines.os, "cpu_count", lambda: 2)
    Starting.started = []

    async def scenario():
        found = engines.Engines(bots_file(a=["one"], b=["two"], c=["three"], d=["three"]))
        running = asyncio.create_task(found.run())
        await asyncio.sleep(0.05)
        assert Starting.started == ["one", "two"]
        assert found.able() == []
        found._engine_of["b"].decided.set()
        await asyncio.sleep(0.05)
        assert Starting.started == ["one", "two", "three"]
        for bot in "ad":
            found._engine_of[bot].decided.set()
        await found.ready()
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)

    asyncio.run(scenario())
