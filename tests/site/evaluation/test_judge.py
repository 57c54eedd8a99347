"""The judge: the strongest engine, a budget of its own, one search for all who ask, and bots that play come first."""

import asyncio
import json

import httpx
import pytest

from ludus.protocol.bgs import SessionConfig
from ludus.site.evaluation import judge as judging
from ludus.site.evaluation import sessions
from ludus.site.evaluation.judgement import Asked, JudgeError
from ludus.site.settings import JudgeSettings

TOKEN = "official"
BOARD = SessionConfig("standard", 7, 6, None, "connect4")
START = Asked(BOARD)


class Deepening:
    """An engine whose searches make a number of visits a slice, up to those that are wanted."""

    def __init__(self, step=200, most=10**6, pause_s=0.0):
        self.step, self.most, self.pause_s, self.visits, self.asked = step, most, pause_s, {}, []

    def __call__(self, bot, request):
        if request["type"] != "evaluate_position" or "lines" not in request:
            return bot.think(request)
        self.asked.append(request)
        name = request["bgsId"], request["expectedPly"]
        self.visits[name] = min(request["visits"], self.visits.get(name, 0) + self.step, self.most)
        found = {"evaluation": 1.0, "bestMove": "4", "lines": [], "visits": self.visits[name], "proved": False}
        answer = {"type": "evaluate_response", "bgsId": name[0], "ply": name[1], "success": True, "error": ""} | found
        asyncio.get_running_loop().call_later(0.13 + self.pause_s, lambda: asyncio.ensure_future(bot.send(answer)))
        return None


@pytest.fixture
def judged_by(at_site, scripted_bot, a_bot):
    """Return a function that runs `async def (judge, bot, site)` with one official engine."""

    def run(scenario, script=None, **settings):
        async def at_address(address, site):
            async with scripted_bot(address, bots=[a_bot(officialToken=TOKEN)], script=script) as bot:
                await scenario(site.services.judge, bot, site)

        at_site(at_address, official_token=TOKEN, **settings)

    return run


def test_a_search_goes_on_slice_by_slice_to_its_budget(judged_by):
    engine = Deepening(step=300)

    async def scenario(judge, _bot, _site):
        found = await judge.judge(START, "")
        assert (found.visits, found.judge, len(engine.asked)) == (800, "Bo", 3)
        assert found.evaluation == judging.SURE, "only a proved win is exactly 1"
        assert all(request["seconds"] <= judging.SLICE_S and request["visits"] == 800 for request in engine.asked)

    judged_by(scenario, engine)


def test_a_search_ends_with_its_time_and_is_not_repeated(judged_by):
    engine = Deepening(step=10)

    async def scenario(judge, _bot, _site):
        found = await judge.judge(START, "")
        asked = len(engine.asked)
        assert found.visits == 10 * asked < 800
        assert await judge.judge(START, "") == found
        assert len(engine.asked) == asked, "its time has been spent"
        deeper = await judge.judge(START, "", visits=5000)
        assert deeper.visits > found.visits, "who wants more goes on with the same search"

    judged_by(scenario, engine, judge=JudgeSettings(seconds=0.4))


def test_all_who_look_at_a_position_share_one_search_and_its_result(judged_by):
    engine = Deepening(step=800)

    async def scenario(judge, _bot, _site):
        found = await asyncio.gather(*(judge.judge(START, f"192.0.2.{number}") for number in range(20)))
        assert all(each == found[0] for each in found)
        assert (await judge.judge(START, "192.0.2.99"), len(engine.asked)) == (found[0], 1)
        assert judge.known(START) == found[0]

    judged_by(scenario, engine)


def test_an_engine_that_stops_by_itself_is_not_asked_again(judged_by):
    engine = Deepening(most=100)
    engine.pause_s = -0.13

    async def scenario(judge, _bot, _site):
        found = await judge.judge(START, "")
        assert (found.visits, found.is_final, len(engine.asked)) == (100, True, 1)
        assert await judge.judge(START, "", visits=20_000) == found

    judged_by(scenario, engine)


def test_nobody_who_waits_means_no_search(judged_by):
    engine = Deepening(step=1)

    async def scenario(judge, _bot, _site):
        waiting = [asyncio.create_task(judge.judge(Asked(BOARD, (column,)), "")) for column in "123"]
        while len({request["bgsId"] for request in engine.asked}) < 2:
            await asyncio.sleep(0.01)
        for task in waiting:
            task.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)
        while judge.num_waiting:
            await asyncio.sleep(0.01)
        asked = len(engine.asked)
        await asyncio.sleep(0.3)
        assert len(engine.asked) == asked <= 4, "the third was never begun, the others end with their slice"
        assert judge.known(Asked(BOARD, ("3",))) is None

    judged_by(scenario, engine)


def test_the_next_position_goes_on_in_the_same_session(judged_by):
    engine = Deepening(step=800)

    async def scenario(judge, bot, _site):
        for moves in ((), ("4",), ("4", "4")):
            await judge.judge(Asked(BOARD, moves), "")
        assert bot.questions == ["start", "evaluate 0", "apply 0 4", "evaluate 1", "apply 1 4", "evaluate 2"]
        await judge.judge(Asked(BOARD, ("3",)), "")
        assert bot.questions[-3:] == ["start", "apply 0 3", "evaluate 1"], "another line has a session of its own"

    judged_by(scenario, engine)


def test_sessions_end_some_time_after_their_last_search(judged_by, monkeypatch):
    monkeypatch.setattr(sessions, "IDLE_S", 0.05)

    async def scenario(judge, bot, _site):
        await judge.judge(START, "")
        while bot.questions[-1] != "end":
            await asyncio.sleep(0.01)

    judged_by(scenario, Deepening(step=800))


def test_bots_that_play_are_answered_before_the_judge_searches(judged_by, guest_at):
    held = []

    def script(bot, request):
        if request["type"] == "evaluate_position" and "lines" not in request:
            held.append(request)
            return None
        return bot.think(request)

    async def scenario(judge, bot, site):
        address = bot.address
        await guest_at(address).open(side=1)  # the bot is to move, and does not answer yet
        while not held:
            await asyncio.sleep(0.01)
        judging_it = asyncio.create_task(judge.judge(START, ""))
        await asyncio.sleep(0.2)
        assert not [request for request in bot.asked if "lines" in request]
        await bot.send(bot.think(held[0]))
        await judging_it

    judged_by(scenario, script)


def test_the_strongest_official_engine_judges_whoever_plays(at_site, scripted_bot, a_bot):
    async def scenario(address, site):
        judge = site.services.judge
        with pytest.raises(JudgeError, match="No engine that can judge this board is connected"):
            await judge.judge(START, "")
        private = a_bot(botId="p", name="Private", username="ann", analysis=True)
        async with scripted_bot(address, client_id="stranger", bots=[a_bot(listOrder=9), private]):
            assert judge.chosen(BOARD) is None, "bots of others judge only if they are registered for it"
        strangers = [a_bot(botId="a", name="Analyst", analysis=True), private]
        async with scripted_bot(address, client_id="stranger", bots=strangers):
            assert judge.chosen(BOARD).bot.name == "Analyst"
            levels = [
                a_bot(botId=str(rank), name=name, listOrder=rank, visits=visits, officialToken=TOKEN)
                for rank, name, visits in ((1, "Pip", 30), (6, "Wally", 300), (6, "Walter", 5000), (3, "Remy", 16))
            ]
            levels[2] |= {"botId": "7"}
            async with scripted_bot(address, client_id="own", bots=levels) as bot:
                assert judge.chosen(BOARD).bot.name == "Walter"
                assert (await judge.judge(START, "")).judge == "Walter"
                assert bot.asked[0]["botId"] == "7"
                assert bot.asked[1]["visits"] == 5000, "as many as for a move of its own"

    at_site(scenario, official_token=TOKEN)


def test_a_lost_engine_is_said_and_its_results_are_forgotten(judged_by, scripted_bot, a_bot):
    async def scenario(judge, bot, site):
        before = await judge.judge(START, "")
        assert judge.known(START) == before
        await bot.socket.close()
        while judge.chosen(BOARD):
            await asyncio.sleep(0.01)
        assert judge.known(START) is None
        async with scripted_bot(bot.address, bots=[a_bot(name="Another", officialToken=TOKEN)]):
            assert judge.known(START) is None
            assert (await judge.judge(START, "")).judge == "Another"

    judged_by(scenario)


def test_the_site_tells_lines_and_deepens_on_request(judged_by):
    engine = Deepening(step=100)

    async def scenario(_judge, bot, _site):
        async with httpx.AsyncClient(base_url=bot.address, timeout=300) as http:

            async def ask(**more):
                return (await http.post("/api/study/evaluation", json={"spec": "connect4"} | more)).json()

            assert [(await ask(visits=visits))["visits"] for visits in (100, 300)] == [100, 300]
            assert "error" in await ask(lines=6)
            assert json.dumps(await ask(visits=0)).count("visits") == 1, "a sentence about the field"

    judged_by(scenario, engine)


@pytest.mark.parametrize("steps", range(12))
def test_who_is_cancelled_while_the_judge_stops_is_cancelled(judged_by, steps):
    async def scenario(judge, bot, _site):
        waiting = asyncio.create_task(judge.judge(START, ""))
        while not bot.asked:
            await asyncio.sleep(0.01)
        stopping = asyncio.create_task(judge.close())
        for _ in range(steps):
            await asyncio.sleep(0)
        if waiting.cancel():
            await asyncio.wait({waiting})
            assert waiting.cancelled()
        else:
            assert "given up" in str(waiting.exception())
        await stopping

    judged_by(scenario, lambda _bot, _request: None)
