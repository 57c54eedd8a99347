"""An evaluation bar whose analyst failed starts a new one at the next move."""

import asyncio

from ludus.site.evaluation import bar as bar_module
from ludus.site.evaluation.bar import Bar
from ludus.site.evaluation.choice import NO_JUDGE
from ludus.site.evaluation.judge import SiteJudge
from ludus.site.evaluation.judgement import JudgeError


def room(_address):
    """Allow any address another analyst."""


def test_after_a_lost_connection_the_next_move_brings_an_analyst_back(with_hall, monkeypatch):
    begun = []

    class Failing:
        def __init__(self, *_):
            begun.append(self)

        def wake(self):
            pass

        async def run(self):
            if len(begun) == 1:
                raise JudgeError("BOT_DISCONNECTED", "The engine that judges lost its connection.")
            await asyncio.Event().wait()

    async def scenario(scene):
        monkeypatch.setattr(bar_module, "Analyst", Failing)
        game = (await scene.of_two())[0].game
        bar = Bar(game, None, "", room)
        watcher = bar.watch()
        bar.begin("")
        while bar.analyses:
            await asyncio.sleep(0)
        assert any("lost its connection" in text for text in watcher.take())
        for ply in range(2):
            await game.do(lambda table, now, ply=ply: table.act(ply, 3, ply, now))
            assert (bar.analyses, len(begun)) == (True, 2), "and one is enough"
        await bar.close()

    with_hall(scenario)


def test_without_a_bot_the_bar_says_so(with_hall):
    async def scenario(scene):
        game = (await scene.of_two())[0].game
        bar = Bar(game, SiteJudge(scene.live_games._bots), "", room)
        watcher = bar.watch()
        bar.begin("")
        while bar.analyses:
            await asyncio.sleep(0)
        assert any(NO_JUDGE in text for text in watcher.take())
        await bar.close()

    with_hall(scenario)
