"""Abuse by bots, people and odd requests, which the site refuses."""

import asyncio
import base64
import hashlib
import json
import sqlite3
import threading
import time
from contextlib import AsyncExitStack, asynccontextmanager

import httpx
import msgspec
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from ludus.site.database.database import database_url
from ludus.site.safety.limits import RateLimit
from ludus.site.safety.settings import SafetySettings

CONFIG = {"game": "connect4", "boardWidth": 7, "boardHeight": 6}
STRANGER = {"x-forwarded-for": "203.0.113.9"}
PASSWORD = "correct horse"


def visitor(address, **options):
    return httpx.AsyncClient(base_url=address, timeout=300, **options)


@asynccontextmanager
async def members(address, *names):
    """Register accounts; yield their HTTP clients."""
    async with AsyncExitStack() as stack:
        clients = [await stack.enter_async_context(visitor(address)) for _ in names]
        for client, name in zip(clients, names, strict=True):
            answer = await client.post("/api/account", json={"name": name, "password": PASSWORD})
            assert answer.status_code == 201, answer.text
        yield clients


# ---- bots ------------------------------------------------------------------------------------------------------------


def test_a_token_for_an_official_client_id_does_not_block_the_official_client(at_site, scripted_bot, a_bot):
    async def scenario(address, _site):
        async with members(address, "Mallory") as (mallory,):
            assert (await mallory.post("/api/bot-tokens", json={"clientId": "ludus"})).status_code == 201
        async with scripted_bot(address, "ludus", [a_bot(officialToken="secret")]) as bot:
            assert bot.verdict["type"] == "attached"
        async with scripted_bot(address, "ludus", [a_bot(officialToken="wrong")]) as bot:
            assert bot.verdict["type"] == "attach-rejected"

    at_site(scenario, official_token="secret")


def test_the_client_id_of_a_disconnected_official_client_stays_reserved(at_site, scripted_bot, a_bot):
    async def scenario(address, _site):
        async with scripted_bot(address, "ludus", [a_bot(officialToken="secret")]) as bot:
            assert bot.verdict["type"] == "attached"
        async with scripted_bot(address, "ludus") as impostor:
            assert impostor.verdict["type"] == "attach-rejected"

    at_site(scenario, official_token="secret")


@pytest.mark.parametrize("move", ["4\0", "4" * 401])
def test_a_move_that_a_database_cannot_store_is_refused(at_site, scripted_bot, guest_at, fresh_url, move):
    def script(bot, question):
        answer = json.loads(bot.think(question))
        if question["type"] == "evaluate_position":
            answer["bestMove"] = move
        return json.dumps(answer)

    async def scenario(address, _site):
        async with scripted_bot(address, "stranger", script=script):
            guest = await guest_at(address).open(bot="stranger:b", side=1)
            ended = await guest.over()
            assert (ended["result"]["winner"], ended["moves"], ended["evaluations"]) == (1, [], [None])
            async with visitor(address) as other:
                assert (await other.post("/api/games", json={"config": CONFIG})).status_code == 201
                assert (await other.get("/readyz")).json()["status"] != "not ready"

    at_site(scenario, url=fresh_url)


@pytest.mark.parametrize("name", ["x\0y", "x" * 201])
def test_a_client_id_that_a_database_cannot_store_is_rejected(at_site, scripted_bot, fresh_url, name):
    async def scenario(address, _site):
        async with scripted_bot(address, name) as bot:
            assert bot.verdict["type"] == "attach-rejected"

    at_site(scenario, url=fresh_url)


# ---- tables ----------------------------------------------------------------------------------------------------------


def test_the_number_of_unfinished_games_per_address_is_limited(at_site, scripted_bot):
    few = SafetySettings(max_tables=3)

    async def scenario(address, _site):
        async with (
            visitor(address, headers=STRANGER) as greedy,
            visitor(address, headers={"x-forwarded-for": "203.0.113.10"}) as other,
            scripted_bot(address),
        ):
            wishes = [greedy.post("/api/games", json={"config": CONFIG}) for _ in range(6)]
            answers = await asyncio.gather(*wishes)
            assert sorted(answer.status_code for answer in answers) == [201] * 3 + [429] * 3
            refused = next(answer for answer in answers if answer.status_code == 429)
            assert refused.json()["error"].startswith("Your address has its maximum of 3 unfinished games")
            for path, body in (("play", {"botId": "c1:b"}), ("match", {"botIds": ["c1:b", "c1:b"]})):
                answer = await greedy.post(f"/api/bots/{path}", json=body | {"config": CONFIG})
                assert answer.status_code == 429
            assert (await other.post("/api/games", json={"config": CONFIG})).status_code == 201
            opened = next(answer.json() for answer in answers if answer.status_code == 201)
            await greedy.post(f"/api/games/{opened['gameId']}/abort", json={"token": opened["hostToken"]})
            assert (await greedy.post("/api/games", json={"config": CONFIG})).status_code == 201

    at_site(scenario, safety=few)


FEW = SafetySettings(new_games=RateLimit(most=2, per_s=1 / 60))


def test_the_rate_of_new_games_per_address_is_limited(at_site):
    async def scenario(address, _site):
        async with (
            visitor(address, headers=STRANGER) as greedy,
            visitor(address, headers={"x-forwarded-for": "203.0.113.10"}) as other,
            visitor(address) as own,
        ):
            for _ in range(2):
                opened = (await greedy.post("/api/games", json={"config": CONFIG})).json()
                await greedy.post(f"/api/games/{opened['gameId']}/abort", json={"token": opened["hostToken"]})
            refused = await greedy.post("/api/games", json={"config": CONFIG})
            assert (refused.status_code, 50 < int(refused.headers["retry-after"]) <= 61) == (429, True)
            assert refused.json()["error"].startswith("Too many games were opened from your address; try again in")
            for client in (other, own, own, own):
                assert (await client.post("/api/games", json={"config": CONFIG})).status_code == 201

    at_site(scenario, safety=FEW)


def test_rematches_count_towards_the_limit_of_the_hosts_address_even_after_eviction(at_site, scripted_bot):
    async def called_off(address, game_id, token):
        """Cancel a game, request a rematch, and return the response."""
        socket = f"{address.replace('http', 'ws')}/ws/play/{game_id}?token={token}"
        async with connect(socket, additional_headers=STRANGER) as table:
            for message in ({"type": "abort"}, {"type": "offer", "what": "rematch"}):
                await table.send(json.dumps(message))
            while (told := json.loads(await table.recv()))["type"] not in ("rematch", "notice"):
                pass
        return told

    async def scenario(address, site):
        async with scripted_bot(address), visitor(address, headers=STRANGER) as greedy:
            opened = (await greedy.post("/api/bots/play", json={"botId": "c1:b", "config": CONFIG})).json()
            second = (await called_off(address, opened["gameId"], opened["token"]))["id"]
            game = site.live_games.games[second]
            while game.id in site.live_games.games:  # as soon as all of it is written
                await site.live_games.evict(game)
                await asyncio.sleep(0.01)
            told = await called_off(address, second, opened["token"])
            assert told["message"].startswith("The rematch could not be opened. Too many games")

    at_site(scenario, safety=FEW)


# ---- people ----------------------------------------------------------------------------------------------------------


def test_a_name_that_a_database_cannot_store_is_refused(at_site, fresh_url):
    async def scenario(address, _site):
        async with visitor(address) as client:
            body = {"config": CONFIG, "hostDisplayName": "a\0b"}
            assert (await client.post("/api/games", json=body)).status_code == 400
            assert (await client.post("/api/games", json={"config": CONFIG})).status_code == 201

    at_site(scenario, url=fresh_url)


def test_spellings_of_one_name_share_its_login_limit(at_site):
    def wide(name):
        return "".join(chr(ord(letter) - 0x21 + 0xFF01) for letter in name)

    async def scenario(address, _site):
        async with members(address, "Annabel"), visitor(address, headers=STRANGER) as client:
            for number in range(12):
                answer = await client.post("/api/session", json={"name": "annabel", "password": f"wrong {number}"})
            assert answer.status_code == 429
            answer = await client.post("/api/session", json={"name": wide("annabel"), "password": PASSWORD})
            assert answer.status_code == 429

    at_site(scenario)


def test_a_rematch_with_a_deleted_account_does_not_stop_the_ratings(at_site, guest_at):
    async def pair(address, one, other):
        body = {"config": CONFIG | {"rated": True}, "hostIsPlayer1": True}
        opened = (await one.post("/api/games", json=body)).json()
        joined = (await other.post(f"/api/games/{opened['gameId']}/join", json={})).json()
        first = await guest_at(address).join(opened["gameId"], opened["hostToken"])
        return first, await guest_at(address).join(opened["gameId"], joined["token"])

    async def finish(first, second):
        await first.play(0)
        await second.play(1)
        await first.say(type="resign")
        await first.over()
        await second.over()

    async def rematch(address, first, second):
        await first.say(type="offer", what="rematch")
        await second.until(lambda state: state["offers"])
        await second.say(type="accept", what="rematch")
        game_id = (await first.told("rematch"))["id"]
        again = [await guest_at(address).join(game_id, person.token) for person in (first, second)]
        states = [await person.until(lambda _state: True) for person in again]
        return again if states[0]["you"] == 0 else again[::-1]

    async def scenario(address, site):
        async with members(address, "Alice1", "Bobby1", "Carol1", "David1") as (alice, bobby, carol, david):
            players = await pair(address, alice, bobby)
            await finish(*players)
            assert (await bobby.request("DELETE", "/api/account", json={"password": PASSWORD})).status_code == 200
            await finish(*await rematch(address, *players))
            await finish(*await pair(address, carol, david))
            for _ in range(50):
                if (await carol.get("/api/me")).json()["ratings"]:
                    break
                await asyncio.sleep(0.1)
            assert (await carol.get("/api/me")).json()["ratings"]
            assert await site.services.people().ratings.settle() == 0

    at_site(scenario)


# ---- chat ------------------------------------------------------------------------------------------------------------


CHAT = {
    "play": {"type": "chat", "text": "buy"},
    "games": {"type": "chat-message", "channel": "audience", "text": "buy"},
}


async def is_heard(address, kind, game_id, headers):
    """Send a chat message on a new socket, and return whether it was broadcast."""
    async with connect(f"{address.replace('http', 'ws')}/ws/{kind}/{game_id}", additional_headers=headers) as socket:
        await socket.send(json.dumps(CHAT[kind]))
        while True:
            told = json.loads(await socket.recv())["type"]
            if told in ("chat", "chat-message", "chat-error", "error"):
                return told in ("chat", "chat-message")


@pytest.mark.parametrize(("kind", "other"), [("play", "games"), ("games", "play")])
def test_chat_of_spectators_is_limited_by_address_not_by_socket(at_site, guest_at, kind, other):
    async def scenario(address, _site):
        ann = await guest_at(address).invite()
        heard = [await is_heard(address, kind, ann.id, STRANGER) for _ in range(7)]
        assert heard == [True] * 5 + [False] * 2
        assert not await is_heard(address, other, ann.id, STRANGER)
        assert await is_heard(address, kind, ann.id, {"x-forwarded-for": "203.0.113.10"})
        await ann.say(type="chat", text="who are you all?")
        while (await ann.told("chat"))["side"] is None:
            pass

    at_site(scenario, safety=SafetySettings(chat=RateLimit(most=5, per_s=1 / 600)))


# ---- requests --------------------------------------------------------------------------------------------------------


def test_arbitrary_requests_get_an_error_message(at_site):
    async def chunks():
        for _ in range(100):
            yield b"x" * 1000

    async def scenario(address, _site):
        async with visitor(address) as client:
            long = {"page": "000000001" + "0" * 20}
            for answer, status in (
                (await client.get("/api/archive", params=long), 400),
                (await client.get("/api/ratings", params=long), 400),
                (await client.patch("/api/me"), 405),
                (await client.post("/api/games", content=chunks()), 413),
            ):
                assert answer.status_code == status
                assert answer.json()["error"]

    at_site(scenario)


def test_a_link_with_an_impossible_date_is_refused(at_site):
    body = msgspec.msgpack.encode(["tictactoe", None, ["a", "b"], 0, "x", 2**62, 0, b""])
    told = bytes((1, 0)) + body
    link = base64.urlsafe_b64encode(told + hashlib.sha256(told).digest()[:4]).rstrip(b"=").decode()

    async def scenario(address, _site):
        async with visitor(address) as client:
            for path in ("/api/shared", "/api/shared/text"):
                assert (await client.post(path, json={"link": link})).status_code == 400

    at_site(scenario)


@pytest.mark.full
def test_a_locked_database_does_not_prevent_the_site_from_stopping(at_site, tmp_path):
    lock = sqlite3.connect(tmp_path / "site.sqlite3", isolation_level=None, check_same_thread=False)
    asked: list[float] = []
    letting_go = threading.Timer(25.0, lambda: lock.execute("ROLLBACK"))

    async def scenario(_address, _site):
        await asyncio.sleep(0.5)
        lock.execute("BEGIN IMMEDIATE")
        letting_go.start()
        asked.append(time.monotonic())

    at_site(scenario, url=database_url(tmp_path))
    assert time.monotonic() - asked[0] < 20.0
    letting_go.cancel()
    lock.close()


@pytest.mark.parametrize("kind", ["play", "games"])
def test_players_can_connect_despite_many_spectators(at_site, guest_at, kind):
    async def scenario(address, site):
        person = await guest_at(address).invite()
        sockets = f"{address.replace('http', 'ws')}/ws/{kind}/{person.id}"
        async with connect(sockets):
            while not site.live_games.games[person.id].presence.num_spectators:
                await asyncio.sleep(0.01)
            if kind == "play":
                async with connect(sockets) as refused:
                    with pytest.raises(ConnectionClosed) as closed:
                        await refused.recv()
                    assert closed.value.rcvd.code == 1013
            else:
                with pytest.raises(InvalidStatus):
                    await connect(sockets)
            async with connect(f"{sockets}?token={person.token}") as again:
                assert json.loads(await again.recv())["type"] in ("state", "welcome")

    at_site(scenario, max_watchers=1)
