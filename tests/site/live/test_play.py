"""Games of a guest against a scripted bot over real sockets; every fault of the bot ends the game with a result."""

import asyncio
import json
from itertools import cycle

import httpx
import pytest

from ludus.site.database.records import Evaluation


def test_a_game_is_played_to_its_end_and_the_bot_is_asked_for_its_moves_only(at_site, scripted_bot, guest_at):
    async def scenario(address, _site):
        async with scripted_bot(address) as bot:
            guest = await guest_at(address).open(side=0)
            for column in cycle([0, 1, 2, 3, 4, 5, 6]):
                state = await guest.my_turn()
                if state["status"] == "over":
                    break
                choices = [choice["action"] for choice in state["board"]["choices"]]
                if column in choices:
                    await guest.play(column)
            state = await guest.over()
            assert state["result"]["reason"] in ("four in a line", "board full")
            assert [move["ply"] for move in state["moves"]] == list(range(1, state["ply"] + 1))
            assert [move["player"] for move in state["moves"]] == [n % 2 for n in range(state["ply"])]
            assert state["evaluations"][:-1] == [None] * state["ply"], "the opponent is no judge"
            assert state["board"]["choices"] == []
            assert [(player["name"], player["kind"]) for player in state["players"]] == [
                ("Guest", "person"),
                ("Bo", "bot"),
            ]
            while "end" not in bot.questions:
                await asyncio.sleep(0.01)
            expected = ["start"]
            for ply, move in enumerate(state["moves"][:-1]):
                expected += [f"apply {ply} {move['text']}", *[f"evaluate {ply + 1}"] * (ply % 2 == 0)]
            assert bot.questions == [*expected, "end"]
            assert bot.engine.num_sessions == 0

    at_site(scenario)


def test_a_game_tells_how_strong_its_bot_is(at_site, scripted_bot, a_bot, guest_at):
    told = {"strength": "7 kyu \u00b1 1", "strengthSource": "Measured in 200 games."}

    async def scenario(address, _site):
        async with scripted_bot(address, bots=[a_bot(**told)]):
            state = await (await guest_at(address).open(side=0)).my_turn()
            person, bot = state["players"]
            assert {name: bot[name] for name in told} == told
            assert (person["strength"], person["strengthSource"]) == ("", "")

    at_site(scenario)


def test_the_bot_moves_first_if_the_guest_is_second(at_site, scripted_bot, guest_at):
    async def scenario(address, _site):
        async with scripted_bot(address):
            guest = await guest_at(address).open(side=1)
            state = await guest.my_turn()
            assert (state["you"], state["ply"], len(state["moves"])) == (1, 1, 1)
            assert not state["canTakeback"]

    at_site(scenario)


def costly(change):
    """Return a script that applies `change` to the answer for ply 1, and answers everything else correctly."""

    def script(bot, request):
        if request["type"] == "evaluate_position" and request["expectedPly"] == 1:
            return change(json.loads(bot.think(request)))
        return bot.think(request)

    return script


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda answer: answer | {"bestMove": "9"}, "Bo answered with a move that may not be played: '9'"),
        (lambda answer: answer | {"bestMove": ""}, "Bo answered with a move that may not be played: ''"),
        (lambda answer: answer | {"bestMove": "Zz9"}, "Bo answered with a move that may not be played: 'Zz9'"),
        (lambda answer: answer | {"success": False, "error": "out of memory"}, "Bo reported an error"),
        (lambda answer: answer | {"evaluation": 7}, "Bo sent an answer that cannot be read"),
        (lambda answer: answer | {"bestMove": 4}, "Bo sent an answer that cannot be read"),
        (lambda _answer: None, "Bo did not answer within 0.4 seconds"),
        (lambda answer: answer | {"ply": 5}, "Bo did not answer within 0.4 seconds"),
        (lambda answer: answer | {"bgsId": "other"}, "Bo did not answer within 0.4 seconds"),
        (lambda answer: {"type": "move_applied"} | {k: answer[k] for k in ("bgsId", "ply", "success")},
         "Bo did not answer within 0.4 seconds"),
    ],
    ids=["off the board", "empty", "unreadable", "failure", "out of range", "wrong type", "silence", "wrong ply",
         "another session", "another answer"],
)  # fmt: skip
def test_an_invalid_answer_forfeits_the_game_and_affects_no_other(at_site, scripted_bot, guest_at, change, reason):
    async def scenario(address, site):
        async with scripted_bot(address, script=costly(change)):
            guest = await guest_at(address).open(side=0)
            await guest.play(3)
            state = await guest.over()
            assert state["result"] == {"winner": 0, "reason": reason}
            assert site.live_games.num_playing == 0
            other = await guest_at(address).open(side=1)
            assert (await other.my_turn())["status"] == "playing"

    at_site(
        scenario, request_timeout_s=0.4 if "0.4" in reason else 30.0
    )  # a busy machine must not look like a silent bot


def test_an_answer_after_the_timeout_is_ignored(at_site, scripted_bot, guest_at):
    async def scenario(address, _site):
        late = []

        def script(bot, request):
            if request["type"] == "evaluate_position" and request["expectedPly"] == 1:
                late.append(bot.think(request))
                return None
            return bot.think(request)

        async with scripted_bot(address, script=script) as bot:
            guest = await guest_at(address).open(side=0)
            await guest.play(3)
            over = await guest.over()
            await bot.send(late[0])
            following = await guest_at(address).open(side=1)
            await following.my_turn()
            watcher = await guest_at(address).join(guest.id)
            state = await watcher.over()
            assert (state["ply"], state["result"]) == (over["ply"], over["result"])

    at_site(scenario, request_timeout_s=0.2)


def test_a_bot_that_fails_to_start_a_session_forfeits_the_game(at_site, scripted_bot, guest_at, caplog):
    def script(_bot, request):
        return {"type": "game_session_started", "bgsId": request["bgsId"], "success": False, "error": "no such size"}

    async def scenario(address, _site):
        async with scripted_bot(address, script=script):
            guest = await guest_at(address).open(side=0)
            assert (await guest.over())["result"] == {"winner": 0, "reason": "Bo reported an error"}

    at_site(scenario)
    assert "no such size" in caplog.text


def test_a_move_before_the_start_of_the_bots_session_is_sent_after_it(at_site, scripted_bot, guest_at):
    async def scenario(address, _site):
        gate = asyncio.Event()

        async with scripted_bot(address) as bot:
            think = bot.think
            held = []
            bot.script = lambda _bot, request: held.append(request) if not gate.is_set() else think(request)
            guest = await guest_at(address).open(side=0)
            await guest.play(3)
            assert guest.state["thinking"]
            assert bot.questions in ([], ["start"])
            while not held:
                await asyncio.sleep(0.01)
            gate.set()
            await bot.send(think(held[0]))
            await guest.my_turn()
            assert bot.questions[:3] == ["start", "apply 0 4", "evaluate 1"]

    at_site(scenario)


def test_a_takeback_removes_both_moves_and_restarts_the_bots_session(at_site, scripted_bot, guest_at):
    async def scenario(address, _site):
        async with scripted_bot(address) as bot:
            guest = await guest_at(address).open(side=0)
            await guest.play(3)
            await guest.my_turn()
            first = [move["text"] for move in guest.state["moves"]]
            await guest.play(2)
            state = await guest.until(lambda s: s["ply"] == 4)
            assert state["canTakeback"]
            while len(bot.questions) < 7:
                await asyncio.sleep(0.01)
            bot.asked.clear()
            await guest.say(type="offer", what="takeback")
            state = await guest.until(lambda s: s["ply"] == 2)
            assert [move["text"] for move in state["moves"]] == first
            assert len(state["evaluations"]) == 3
            await guest.play(0)
            await guest.my_turn()
            again = ["end", "start", f"apply 0 {first[0]}", f"apply 1 {first[1]}", "apply 2 1", "evaluate 3"]
            assert bot.questions[:6] == again
            assert len({request["bgsId"] for request in bot.asked}) == 1

    at_site(scenario)


def test_a_takeback_during_the_bots_search_removes_only_the_guests_move(at_site, scripted_bot, guest_at):
    async def scenario(address, _site):
        held = []

        def script(bot, request):
            if request["type"] == "evaluate_position" and request["expectedPly"] == 1 and not held:
                held.append(bot.think(request))
                return None
            return bot.think(request)

        async with scripted_bot(address, script=script) as bot:
            guest = await guest_at(address).open(side=0)
            await guest.play(3)
            while not held:
                await asyncio.sleep(0.01)
            await guest.say(type="offer", what="takeback")
            await guest.until(lambda s: s["ply"] == 0)
            await guest.play(5)
            await bot.send(held[0])
            state = await guest.my_turn()
            assert state["moves"][0]["text"] == "6"
            assert (state["ply"], state["status"]) == (2, "playing")

    at_site(scenario)


def test_a_stale_or_illegal_message_is_answered_with_an_error_and_changes_nothing(at_site, scripted_bot, guest_at):
    async def scenario(address, _site):
        async with scripted_bot(address):
            guest = await guest_at(address).open(side=0)
            await guest.my_turn()
            for message in (
                {"type": "act", "action": 3, "ply": 7},
                {"type": "act", "action": 99, "ply": 0},
                {"type": "act", "action": 3, "ply": 0, "extra": 1},
                {"type": "act", "action": "3", "ply": 0},
                {"type": "dance"},
                {"type": "offer", "what": "takeback"},
                {"type": "offer", "what": "rematch"},
                [],
            ):
                told = len(guest.errors)
                await guest.socket.send(json.dumps(message))
                while len(guest.errors) == told:
                    await guest.hear()
            assert guest.errors[0] == "The position has changed meanwhile. Look at the board again."
            assert "may not be played" in guest.errors[1]
            assert "extra" in guest.errors[2]
            assert guest.errors[5] == "You have no move to take back."
            assert guest.errors[6] == "The game is not over yet. Offer a rematch afterwards."
            assert (await guest.play(3))["ply"] == 1

    at_site(scenario)


def test_repeated_rematch_offers_open_one_game_with_sides_swapped(at_site, scripted_bot, guest_at):
    async def scenario(address, site):
        async with scripted_bot(address):
            guest = await guest_at(address).open(side=0)
            await guest.my_turn()
            await guest.say(type="resign")
            assert (await guest.over())["result"] == {"winner": 1, "reason": "resignation"}
            for _ in range(2):
                await guest.say(type="offer", what="rematch")
            rematch = await guest.told("rematch")
            assert (await guest.until(lambda s: s["rematch"]))["rematch"] == rematch["id"]
            following = await guest_at(address).join(rematch["id"], guest.token)
            state = await following.my_turn()
            assert (state["you"], state["score"]) == (1, [1, 0])
            assert site.live_games.num_playing == 1

    at_site(scenario)


def test_spectators_see_every_move_and_cannot_act(at_site, scripted_bot, guest_at):
    async def scenario(address, _site):
        async with scripted_bot(address):
            guest = await guest_at(address).open(side=0)
            watcher = await guest_at(address).join(guest.id)
            await guest.play(3)
            state = await watcher.until(lambda s: s["ply"] >= 1)
            assert (state["you"], state["board"]["choices"], state["canTakeback"]) == (None, [], False)
            await watcher.act(0)
            while not watcher.errors:
                await watcher.hear()
            assert "Only the players" in watcher.errors[0]
            thief = await guest_at(address).join(guest.id, "guessed")
            assert await thief.until_closed() == 1008
            assert "opens no seat" in thief.errors[0]

    at_site(scenario)


def test_a_bot_that_its_client_no_longer_offers_forfeits_and_other_bots_play_on(at_site, scripted_bot, guest_at, a_bot):
    async def scenario(address, _site):
        async with scripted_bot(address, bots=[a_bot(botId="kept"), a_bot(botId="dropped")]):
            kept = await guest_at(address).open(side=0, bot="c1:kept")
            dropped = await guest_at(address).open(side=0, bot="c1:dropped")
            for guest in (kept, dropped):
                await guest.play(3)
                await guest.my_turn()
            async with scripted_bot(address, bots=[a_bot(botId="kept")]) as bot:
                assert (await dropped.over())["result"]["winner"] == 0
                await kept.play(2)
                assert (await kept.until(lambda s: s["ply"] == 4))["status"] == "playing"
                assert bot.questions[0] == "start"
                refused = {"botId": "c1:dropped", "config": {"game": "connect4", "boardWidth": 7, "boardHeight": 6}}
                answer = await kept.ask("POST", "/api/bots/play", refused, 404)
                assert "reconnecting" in answer["error"]

    at_site(scenario)


def test_earlier_positions_can_be_requested(at_site, scripted_bot, guest_at):
    async def scenario(address, site):
        async with scripted_bot(address), httpx.AsyncClient(base_url=address) as http:
            guest = await guest_at(address).open(side=0)
            await guest.play(3)
            await guest.my_turn()
            site.live_games.games[guest.id].note_evaluation(1, Evaluation(0.5, "4"))
            for ply in range(3):
                found = (await http.get(f"/api/games/{guest.id}/plies/{ply}")).json()
                assert len(found["board"]["pieces"]) == ply
                assert found["evaluation"] == (0.5 if ply else None), "the latest that is known"
            for ply in ("3", "-1", "x", "99999999999999999999"):
                answer = await http.get(f"/api/games/{guest.id}/plies/{ply}")
                assert (answer.status_code, "plies 0 to 2" in answer.json()["error"]) == (404, True)

    at_site(scenario)


def test_the_site_opens_at_most_max_games_at_a_time(at_site, scripted_bot, guest_at):
    async def scenario(address, _site):
        async with scripted_bot(address), httpx.AsyncClient(base_url=address) as http:
            guest = await guest_at(address).open(side=0)
            await guest_at(address).open(side=0)
            body = {"botId": "c1:b", "config": {"game": "connect4", "boardWidth": 7, "boardHeight": 6}}
            answer = await http.post("/api/bots/play", json=body)
            assert (answer.status_code, "maximum of 2 games" in answer.json()["error"]) == (503, True)
            await guest.my_turn()
            await guest.say(type="resign")
            await guest.over()
            assert (await http.post("/api/bots/play", json=body)).status_code == 201

    at_site(scenario, max_games=2)


def test_a_message_that_is_too_long_closes_the_socket_but_not_the_game(at_site, scripted_bot, guest_at):
    async def scenario(address, _site):
        async with scripted_bot(address):
            guest = await guest_at(address).open(side=0)
            await guest.my_turn()
            await guest.socket.send("x" * 70_000)
            assert await guest.until_closed() == 1009
            again = await guest_at(address).join(guest.id, guest.token)
            assert (await again.play(3))["ply"] == 1

    at_site(scenario)
