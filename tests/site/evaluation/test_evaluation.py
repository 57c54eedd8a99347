"""The evaluation bar over sockets: all plies, one bot session for all watchers, takebacks, replays, refusals."""

import asyncio
import contextlib
import json

import httpx
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from ludus.site.database.records import Evaluation
from ludus.site.evaluation import bar
from ludus.site.safety.settings import SafetySettings

pytestmark = pytest.mark.usefixtures("quick_passwords")
TOKEN = "official"
CONFIG = {"game": "connect4", "variant": "standard", "boardWidth": 7, "boardHeight": 6}
ASK = {"type": "eval-handshake", "variant": "standard", "boardWidth": 7, "boardHeight": 6, "game": "connect4"}


class Bar:
    """A client with an open evaluation bar."""

    def __init__(self, address, game_id, headers=None, **changes):
        self.headers = headers
        self.url = f"{address.replace('http', 'ws')}/ws/eval/{game_id}"
        self.ask = ASK | {"gameId": game_id} | changes
        self.entries, self.heard, self.best, self.histories = {}, [], {}, []

    async def __aenter__(self):
        self.socket = await connect(self.url, additional_headers=self.headers)
        await self.socket.send(json.dumps(self.ask))
        return self

    async def __aexit__(self, *_):
        await self.socket.close()

    async def hear(self):
        message = json.loads(await self.socket.recv())
        self.heard.append(message["type"])
        if message["type"] == "eval-history":
            self.entries = {}
            self.histories.append([entry["ply"] for entry in message["entries"]])
        for entry in message.get("entries", [message] if message["type"] == "eval-update" else []):
            self.entries[entry["ply"]] = entry["evaluation"]
            self.best[entry["ply"]] = entry["bestMove"]
        return message

    async def until(self, plies):
        while set(self.entries) != set(range(plies + 1)) or not self.histories:
            await self.hear()
        return self


class Friends:
    """Two people in a game without clocks."""

    def __init__(self, address, moves=()):
        self.address, self.moves = address, moves

    async def __aenter__(self):
        async with httpx.AsyncClient(base_url=self.address, timeout=300) as http:
            opened = (await http.post("/api/games", json={"config": CONFIG, "hostIsPlayer1": True})).json()
            self.id = opened["gameId"]
            joined = (await http.post(f"/api/games/{self.id}/join", json={})).json()
        play = f"{self.address.replace('http', 'ws')}/ws/play/{self.id}?token="
        self.sockets = [await connect(play + seat["socketToken"]) for seat in (opened, joined)]
        self.ply = 0
        for column in self.moves:
            await self.play(column)
        return self

    async def __aexit__(self, *_):
        for socket in self.sockets:
            await socket.close()

    async def play(self, column):
        await self.say(self.ply % 2, {"type": "act", "action": column, "ply": self.ply}, self.ply + 1)

    async def say(self, side, message, ply, **wanted):
        await self.sockets[side].send(json.dumps(message))
        while True:
            state = json.loads(await self.sockets[side].recv())
            if state.get("ply") == ply and all(state[key] == value for key, value in wanted.items()):
                break
        self.ply, self.state = ply, state


@pytest.fixture
def official(scripted_bot, a_bot):
    return lambda address, **options: scripted_bot(address, bots=[a_bot(officialToken=TOKEN)], **options)


def test_a_game_between_people_is_evaluated_from_ply_0_once_for_all_watchers(at_site, official):
    async def scenario(address, _site):
        async with (
            official(address) as bot,
            Friends(address, (3, 3)) as game,
            Bar(address, game.id) as first,
            Bar(address, game.id) as second,
        ):
            await first.until(2)
            await second.until(2)
            await game.play(2)
            await asyncio.gather(first.until(3), second.until(3))
            assert first.entries == second.entries
            assert first.heard[:2] == ["eval-handshake-accepted", "eval-pending"]
            assert first.histories[0] == [0, 1, 2], "a client that waits for the history gets all of it"
            asked = [each for each in bot.questions if each.startswith("evaluate")]
            assert asked == ["evaluate 2", "evaluate 0", "evaluate 1", "evaluate 3"], "the present position first"
            assert game.state["evaluations"] == [None] * 4, "who does not open the bar is not told"
            assert game.state["evaluating"] == 2, "but that somebody has"

    at_site(scenario, official_token=TOKEN)


def test_a_takeback_is_survived(at_site, official):
    async def scenario(address, _site):
        async with official(address), Friends(address, (3, 3)) as game, Bar(address, game.id) as bar:
            await bar.until(2)
            await game.say(1, {"type": "offer", "what": "takeback"}, 2)
            await game.say(0, {"type": "accept", "what": "takeback"}, 1)
            while bar.heard.count("eval-history") < 2:
                await bar.hear()
            await bar.until(1)
            game.ply = 1
            await game.play(5)
            await bar.until(2)

    at_site(scenario, official_token=TOKEN)


def test_what_is_found_while_a_takeback_is_being_written_is_not_kept(at_site, monkeypatch):
    async def scenario(address, site):
        store, go_on, taken_back = site.live_games.store, asyncio.Event(), asyncio.Event()
        async with Friends(address, (3,) * 6 + (2,) * 4) as friends:
            game, save = await site.live_games.find(friends.id), store.save

            async def slow(*change):
                await save(*change)
                taken_back.set()
                await go_on.wait()

            game.note_evaluation(10, Evaluation(0.5, "c4"))
            await friends.say(1, {"type": "offer", "what": "takeback"}, 10)
            monkeypatch.setattr(store, "save", slow)
            await friends.sockets[0].send(json.dumps({"type": "accept", "what": "takeback"}))
            await taken_back.wait()
            game.note_evaluation(10, Evaluation(0.25, "c4"))
            game.note_evaluation(1, Evaluation(0.75, "d2"))
            await asyncio.sleep(0.05)
            go_on.set()
            while 1 not in (kept := await store.evaluations(friends.id)):
                await asyncio.sleep(0.01)
            assert (kept, [*game.evaluations]) == ({1: Evaluation(0.75, "d2")}, [1])

    at_site(scenario)


def test_a_game_against_a_bot_is_judged_in_a_session_of_the_judge(at_site, official):
    async def scenario(address, _site):
        async with official(address) as bot, httpx.AsyncClient(base_url=address, timeout=300) as http:
            wish = {"botId": "c1:b", "config": CONFIG, "hostIsPlayer1": False}
            opened = (await http.post("/api/bots/play", json=wish)).json()
            async with Bar(address, opened["gameId"]) as bar:
                await bar.until(1)
            mine = [each for each in bot.asked if each["type"] == "evaluate_position" and "lines" in each]
            assert {each["expectedPly"] for each in mine} == {0, 1}
            assert all(each["visits"] == 800 and each["seconds"] <= 0.25 for each in mine), "its budget is its own"
            played = [each for each in bot.asked if each["bgsId"] == opened["gameId"]]
            assert [each["type"] for each in played].count("evaluate_position") == 1, (
                "the bot is asked for its moves only"
            )

    at_site(scenario, official_token=TOKEN)


def test_a_replay_is_evaluated_and_all_is_kept(at_site, official):
    async def scenario(address, site):
        async with Friends(address, (3, 3, 2)) as game:
            await game.say(0, {"type": "resign"}, 3, status="over")
        async with official(address) as bot:
            async with Bar(address, game.id) as bar:
                await bar.until(3)
            asked = len(bot.asked)
            async with Bar(address, game.id) as again:
                await again.until(3)
                assert again.heard == ["eval-handshake-accepted", "eval-history"]
            assert len(bot.asked) == asked, "nothing is asked twice"
        assert set(await site.live_games.store.evaluations(game.id)) == {0, 1, 2, 3}

    at_site(scenario, official_token=TOKEN)


def test_a_bar_that_has_been_filled_leaves_its_place_to_others_though_it_stays_open(at_site, official, monkeypatch):
    monkeypatch.setattr(bar, "MAX_ANALYSTS", 1)

    async def scenario(address, _site):
        async with official(address), Friends(address, (3, 3, 2)) as first, Friends(address, (3,)) as second:
            for game, ply in ((first, 3), (second, 1)):
                await game.say(0, {"type": "resign"}, ply, status="over")
            async with Bar(address, first.id) as filled:
                await filled.until(3)
                async with Bar(address, second.id) as other:
                    assert (await other.hear())["type"] == "eval-handshake-accepted"
                    await other.until(1)

    at_site(scenario, official_token=TOKEN)


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"variant": "classic"}, "UNSUPPORTED_VARIANT"),
        ({"boardWidth": 8}, "UNSUPPORTED_VARIANT"),
        ({"game": "wallgame"}, "UNSUPPORTED_VARIANT"),
        ({}, "NO_BOT"),
    ],
)
def test_a_handshake_is_refused_with_its_code(at_site, changes, code):
    async def scenario(address, _site):
        async with Friends(address) as game, Bar(address, game.id, **changes) as bar:
            message = await bar.hear()
            assert (message["type"], message["code"]) == ("eval-handshake-rejected", code)
            assert message["message"].endswith(".")
            with pytest.raises(ConnectionClosed) as closed:
                await bar.hear()
            assert closed.value.rcvd.code == 1008

    at_site(scenario)


async def evaluated(site, game_id):
    """Return how many evaluation bars listen to a game."""
    return sum(
        isinstance(getattr(each, "__self__", None), bar.Bar) for each in (await site.live_games.find(game_id)).listeners
    )


def test_no_bar_stays_behind_after_a_refused_handshake(at_site, official):
    async def scenario(address, site):
        async with Friends(address, (3,)) as game:
            for _ in range(3):
                async with Bar(address, game.id) as refused:
                    assert (await refused.hear())["code"] == "NO_BOT"
            assert not await evaluated(site, game.id)
            async with official(address) as bot:
                await game.say(0, {"type": "resign"}, 1, status="over")
                async with Bar(address, game.id) as open_bar:
                    await open_bar.until(1)
                    assert await evaluated(site, game.id) == 1
                while site.services.bars:
                    await asyncio.sleep(0.01)
                assert not await evaluated(site, game.id)
                asked = [each for each in bot.questions if each.startswith("evaluate")]
                assert sorted(asked) == ["evaluate 0", "evaluate 1"], "no other bar asks when the game ends"

    at_site(scenario, official_token=TOKEN)


def test_no_more_games_are_evaluated_than_there_may_be(at_site, official, guest_at, monkeypatch):
    monkeypatch.setattr(bar, "MAX_ANALYSTS", 0)

    async def scenario(address, _site):
        async with official(address):
            person = await guest_at(address).open(side=0)
            async with Bar(address, person.id) as watched:
                refused = await watched.hear()
                assert (refused["type"], refused["code"]) == ("eval-handshake-rejected", "NO_BOT")
                assert "Too many games" in refused["message"]

    at_site(scenario, official_token=TOKEN)


def test_one_address_has_so_many_games_judged_and_leaves_bots_to_others(at_site, official):
    near, far = {"x-forwarded-for": "203.0.113.9"}, {"x-forwarded-for": "203.0.113.10"}

    async def scenario(address, site):
        async with official(address), contextlib.AsyncExitStack() as stack:
            games = [await stack.enter_async_context(Friends(address)) for _ in range(5)]

            async def verdict(number, headers):
                opened = await stack.enter_async_context(Bar(address, games[number].id, headers))
                return await opened.hear(), opened

            _, first = await verdict(0, near)
            assert (await verdict(1, near))[0]["type"] == "eval-handshake-accepted"
            refused, _ = await verdict(2, near)
            told = "2 games are already being evaluated for your address; close one first."
            assert (refused["code"], refused["message"]) == ("NO_BOT", told)
            assert (await verdict(2, far))[0]["type"] == "eval-handshake-accepted"
            assert (await verdict(2, near))[0]["type"] == "eval-handshake-accepted", "somebody else has it judged"
            for number in range(3, 5):
                assert (await verdict(number, None))[0]["type"] == "eval-handshake-accepted"
            await first.socket.close()
            while len(site.services.bars) > 4:
                await asyncio.sleep(0.01)
            assert (await verdict(0, near))[0]["type"] == "eval-handshake-accepted"

    at_site(scenario, official_token=TOKEN, safety=SafetySettings(max_analyses=2))


def test_a_game_that_waits_for_its_second_player_is_not_judged(at_site, official):
    async def scenario(address, _site):
        async with official(address) as bot, httpx.AsyncClient(base_url=address, timeout=300) as http:
            opened = (await http.post("/api/games", json={"config": CONFIG})).json()
            async with Bar(address, opened["gameId"]) as early:
                refused = await early.hear()
                assert (refused["code"], refused["message"][:23]) == ("NO_BOT", "The game has not begun;")
            await http.post(f"/api/games/{opened['gameId']}/join", json={})
            assert not bot.asked
            async with Bar(address, opened["gameId"]) as bar:
                await bar.until(0)

    at_site(scenario, official_token=TOKEN)


def test_there_is_no_bar_without_a_game(at_site):
    async def scenario(address, _site):
        async with Bar(address, "nothing") as bar:
            assert (await bar.hear())["code"] == "GAME_NOT_FOUND"

    at_site(scenario)


def test_the_players_of_a_rated_game_see_no_evaluation_while_it_lasts(at_site, official):
    async def scenario(address, _site):
        async with official(address), contextlib.AsyncExitStack() as stack:
            ann, bo = [
                await stack.enter_async_context(httpx.AsyncClient(base_url=address, timeout=300)) for _ in range(2)
            ]
            for browser, name in ((ann, "Ann"), (bo, "Bob")):
                await browser.post("/api/account", json={"name": name, "password": "correct horse"})
            refused = await ann.post("/api/games", json={"config": CONFIG | {"rated": True, "withEvaluation": True}})
            assert refused.status_code == 400
            opened = (await ann.post("/api/games", json={"config": CONFIG | {"rated": True}})).json()
            await bo.post(f"/api/games/{opened['gameId']}/join", json={})
            cookies = "; ".join(f"{name}={value}" for name, value in bo.cookies.items())
            for who in ({"token": opened["hostToken"]}, {"headers": {"cookie": cookies}}):
                async with Bar(address, opened["gameId"], **who) as bar:
                    assert (await bar.hear())["code"] == "RATED_PLAYER"
            async with Bar(address, opened["gameId"]) as spectator:
                await spectator.until(0)

    at_site(scenario, official_token=TOKEN)


def test_a_silent_bot_is_told_and_the_socket_stays(at_site, official):
    def silent(bot, request):
        return None if request["type"] == "evaluate_position" else bot.think(request)

    async def scenario(address, _site):
        async with official(address, script=silent), Friends(address) as game, Bar(address, game.id) as bar:
            while "eval-error" not in bar.heard:
                message = await bar.hear()
            assert message["code"] == "TIMEOUT"
            await bar.socket.send('{"type":"ping"}')
            assert [(await bar.hear())["type"] for _ in range(2)] == ["eval-history", "pong"]

    at_site(scenario, official_token=TOKEN, request_timeout_s=0.1)


@pytest.mark.parametrize(
    "nonsense", ["", "{", "null", "x" * 5000, '{"type":"eval-handshake"}', b"\x00\xff", "[" * 4000]
)
def test_a_socket_that_does_not_begin_with_a_handshake_is_closed(at_site, nonsense):
    async def scenario(address, _site):
        async with connect(address.replace("http", "ws") + "/ws/eval/x") as socket:
            await socket.send(nonsense)
            with pytest.raises(ConnectionClosed) as closed:
                await socket.recv()
            assert closed.value.rcvd.code == 1008

    at_site(scenario)
