"""Evaluations by bots on the analysis board."""

import asyncio
import json

import httpx

from ludus.engine.bgs.dummy import DummyMind
from ludus.engine.bgs.engine import Engine
from ludus.protocol.bgs import MAX_LINES
from ludus.site.safety import fair_queue
from ludus.site.settings import JudgeSettings

TOKEN = "official"
AT_ONCE = JudgeSettings().at_once


def lines_told(request):
    """Return an engine's response with lines, one of which ends in an illegal move."""
    lines = [
        {"moves": ["3", "4"], "evaluation": 0.5, "visits": 9},
        {"moves": ["5", "99"], "evaluation": 0.1, "visits": 1},
    ]
    more = {"lines": lines, "ownership": [[0.5] * 9] * 9} if request.get("lines") else {}
    return {
        "type": "evaluate_response",
        "bgsId": request["bgsId"],
        "ply": request["expectedPly"],
        "bestMove": "3",
        "evaluation": 0.25,
        "success": True,
        "error": "",
    } | more


def test_a_position_is_judged_with_lines_that_can_be_played(at_site, scripted_bot, a_bot):
    def script(bot, request):
        return json.dumps(lines_told(request)) if request["type"] == "evaluate_position" else bot.think(request)

    async def scenario(address, _site):
        async with (
            scripted_bot(address, bots=[a_bot(officialToken=TOKEN)], script=script) as bot,
            httpx.AsyncClient(base_url=address, timeout=300) as http,
        ):
            answer = await http.post("/api/study/evaluation", json={"spec": "connect4", "moves": ["4"], "actions": [3]})
            found = answer.json()
            assert (found["evaluation"], found["bestMove"], found["bot"]) == (0.25, "3", "Bo")
            assert [line["actions"] for line in found["lines"]] == [[2, 3], [4]]
            assert [[move["text"] for move in line["moves"]] for line in found["lines"]] == [["3", "4"], ["5"]]
            assert [len(found["ownership"]), len(found["ownership"][0])] == [6, 7], "as large as the board"
            asked = [request["lines"] for request in bot.asked if request["type"] == "evaluate_position"]
            assert asked == [MAX_LINES], "others may want more lines"

    at_site(scenario, official_token=TOKEN)


def test_a_forced_win_is_told_in_moves_on_the_analysis_board(at_site, scripted_bot, a_bot):
    def script(bot, request):
        if request["type"] != "evaluate_position":
            return bot.think(request)
        line = {"moves": ["3"], "evaluation": 1.0, "visits": 9, "proved": True, "winsIn": 2}
        return json.dumps(lines_told(request) | {"evaluation": 1.0, "proved": True, "lines": [line]})

    async def scenario(address, _site):
        async with (
            scripted_bot(address, bots=[a_bot(officialToken=TOKEN)], script=script),
            httpx.AsyncClient(base_url=address, timeout=300) as http,
        ):
            for moves, words in ([], "wins in 2"), (["4"], "loses in 2"):
                answer = await http.post("/api/study/evaluation", json={"spec": "connect4", "moves": moves})
                (line,) = answer.json()["lines"]
                assert (line["winsIn"], line["words"]) == (2, words)

    at_site(scenario, official_token=TOKEN)


def test_many_who_look_at_a_position_ask_once_and_again_when_other_bots_came(at_site, scripted_bot, a_bot):
    asked = []

    def script(bot, request):
        asked.append(request["type"])
        return json.dumps(lines_told(request)) if request["type"] == "evaluate_position" else bot.think(request)

    async def scenario(address, _site):
        async with httpx.AsyncClient(base_url=address, timeout=300) as http:

            async def ask(**line):
                return (await http.post("/api/study/evaluation", json={"spec": "connect4"} | line)).json()

            async with scripted_bot(address, bots=[a_bot(officialToken=TOKEN)], script=script):
                # the same position, by its move and by its action
                answers = await asyncio.gather(ask(moves=["4"]), ask(actions=[3]), ask(moves=["4"]))
                assert answers[0] == answers[1] == answers[2]
                assert await ask(moves=["4"]) == answers[0]
                assert asked.count("evaluate_position") == 1
                await ask(moves=["3"])
                assert asked.count("evaluate_position") == 2
            while "error" not in await ask(moves=["4"]):
                await asyncio.sleep(0.01)  # until the site has noticed that the bot disconnected
            async with scripted_bot(address, bots=[a_bot(officialToken=TOKEN)], script=script):
                assert await ask(moves=["4"]) == answers[0]
                assert asked.count("evaluate_position") == 3

    at_site(scenario, official_token=TOKEN)


def test_lines_beyond_the_queue_limit_are_refused(at_site, scripted_bot, a_bot, monkeypatch):
    held = []

    def script(bot, request):
        if request["type"] != "evaluate_position":
            return bot.think(request)
        held.append(request)  # the test responds at its end
        return None

    async def scenario(address, _site):
        official = scripted_bot(address, bots=[a_bot(officialToken=TOKEN)], script=script)
        async with official as bot, httpx.AsyncClient(base_url=address, timeout=300) as http:

            def ask(column):
                line = {"spec": "connect4", "actions": [column]}
                return asyncio.create_task(http.post("/api/study/evaluation", json=line))

            asked = [ask(column) for column in range(AT_ONCE)]
            while len(held) < AT_ONCE:
                await asyncio.sleep(0.01)
            monkeypatch.setattr(fair_queue, "MAX_OWN", 1)
            more = [ask(AT_ONCE), ask(AT_ONCE + 1)]
            (refused,), (waiting,) = await asyncio.wait(more, return_when=asyncio.FIRST_COMPLETED)
            assert refused.result().status_code == 503
            assert refused.result().json()["error"].endswith("; try again in a few seconds.")
            bot.script = lambda bot, request: (
                json.dumps(lines_told(request)) if "lines" in request else bot.think(request)
            )
            for request in held:
                await bot.send(lines_told(request))
            assert {(await task).status_code for task in [*asked, waiting]} == {200}

    at_site(scenario, official_token=TOKEN, request_timeout_s=30.0)


def test_a_replay_of_go_can_be_asked_whose_each_cell_will_be(at_site, scripted_bot, guest_at):
    board = {"min": 9, "max": 9}
    variants = {
        "standard": {"boardWidth": board, "boardHeight": board, "recommended": [{"boardWidth": 9, "boardHeight": 9}]}
    }
    config = {"botId": "b", "name": "Bo", "username": None, "game": "go", "variants": variants, "officialToken": TOKEN}

    async def scenario(address, _site):
        bot = scripted_bot(address, bots=[config])
        bot.engine = Engine([DummyMind(("go:9x9",))])
        async with bot, httpx.AsyncClient(base_url=address, timeout=300) as http:
            size = {"game": "go", "boardWidth": 9, "boardHeight": 9}
            person = await guest_at(address).open(side=0, config=size)
            for action in (40, 20):
                await person.play(action)
            await person.my_turn()
            await person.say(type="resign")
            await person.over()
            replay = (await http.get(f"/api/archive/{person.id}")).json()
            assert replay["game"]["reason"] == "resignation"
            for number in range(len(replay["moves"]) + 1):
                line = {"spec": replay["game"]["spec"], "setup": replay["setup"]}
                line["moves"] = [move["text"] for move in replay["moves"][:number]]
                ownership = (await http.post("/api/study/evaluation", json=line)).json()["ownership"]
                assert [len(row) for row in ownership] == [9] * 9
                assert all(-1 <= value <= 1 for row in ownership for value in row)

    at_site(scenario, official_token=TOKEN)


def test_what_cannot_be_judged_is_said_in_a_sentence(at_site):
    async def scenario(address, _site):
        async with httpx.AsyncClient(base_url=address, timeout=300) as http:

            async def ask(**line):
                return await http.post("/api/study/evaluation", json=line)

            nobody = await ask(spec="connect4")
            assert (nobody.status_code, "No engine that can judge" in nobody.json()["error"]) == (503, True)
            half = await ask(spec="wallgame:classic:8x8", actions=[0])
            assert (half.status_code, "not complete" in half.json()["error"]) == (400, True)
            over = await ask(spec="tictactoe", moves=["a1", "a2", "b1", "b2", "c1"])
            assert (over.status_code, over.json()["evaluation"]) == (200, 1.0)
            assert (await ask(spec="nothing")).status_code == 400

    at_site(scenario)
