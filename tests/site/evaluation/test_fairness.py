"""Help during a game: who gets evaluations and best moves from the site, and who is told about it."""

import asyncio
import contextlib
import json

import httpx
import pytest
from websockets.asyncio.client import connect

TOKEN = "official"
CONFIG = {"game": "connect4", "variant": "standard", "boardWidth": 7, "boardHeight": 6}
ASK = {"type": "eval-handshake", "variant": "standard", "boardWidth": 7, "boardHeight": 6, "game": "connect4"}


@contextlib.asynccontextmanager
async def bar(address, game_id, token=None, cookies=""):
    """Open an evaluation bar, and yield its socket and the first answer."""
    headers = {"cookie": cookies} if cookies else None
    async with connect(f"{address.replace('http', 'ws')}/ws/eval/{game_id}", additional_headers=headers) as socket:
        await socket.send(json.dumps(ASK | {"gameId": game_id, "token": token}))
        yield socket, json.loads(await socket.recv())


async def history(socket):
    """Return the entries of the next history."""
    while (message := json.loads(await socket.recv()))["type"] != "eval-history":
        pass
    return {entry["ply"]: entry for entry in message["entries"]}


class People:
    """Two browsers of guests, with their cookies, in one game."""

    def __init__(self, address, **config):
        self.address, self.config = address, CONFIG | config

    async def __aenter__(self):
        self.browsers = [httpx.AsyncClient(base_url=self.address, timeout=300) for _ in range(2)]
        ann, bob = self.browsers
        for browser in self.browsers:
            await browser.get("/api/me")
        opened = (await ann.post("/api/games", json={"config": self.config, "hostIsPlayer1": True})).json()
        self.id, self.offer = opened["gameId"], opened["snapshot"]
        self.joined = (await bob.post(f"/api/games/{self.id}/join", json={})).json()
        self.tokens = [opened["hostToken"], self.joined["token"]]
        return self

    async def __aexit__(self, *_):
        for browser in self.browsers:
            await browser.aclose()

    def cookies(self, side):
        return "; ".join(f"{name}={value}" for name, value in self.browsers[side].cookies.items())


@pytest.fixture
def official(scripted_bot, a_bot):
    return lambda address: scripted_bot(address, bots=[a_bot(officialToken=TOKEN)])


def test_between_people_players_see_nothing_and_spectators_all(at_site, official, guest_at):
    async def scenario(address, _site):
        async with official(address), People(address) as people:
            page = await guest_at(address).join(people.id, people.tokens[0])
            for side in (0, 1):
                for how in ({"token": people.tokens[side]}, {"cookies": people.cookies(side)}):
                    async with bar(address, people.id, **how) as (_, answer):
                        assert (answer["type"], answer["code"]) == ("eval-handshake-rejected", "NOT_AGREED")
            state = await page.until(lambda s: s["status"] == "playing")
            assert (state["mayEvaluate"], state["mayHint"], state["withEvaluation"]) == (False, False, False)
            async with bar(address, people.id) as (socket, answer):
                assert answer["type"] == "eval-handshake-accepted"
                assert (await history(socket))[0]["bestMove"]
                await page.until(lambda s: s["evaluating"] == 1)
                await page.act(3)
                await page.until(lambda s: s["ply"] == 1)
                while json.loads(await socket.recv()).get("ply") != 1:
                    pass
                assert page.state["evaluations"] == [None, None], "the spectator's search tells the players nothing"
                for path in (f"/api/games/{people.id}/plies/1", f"/api/games/{people.id}/plies/0"):
                    assert (await people.browsers[0].get(path)).json()["evaluation"] is None
                assert (await people.browsers[0].get(f"/api/archive/{people.id}")).status_code == 404
                async with connect(
                    f"{address.replace('http', 'ws')}/ws/games/{people.id}?token={people.tokens[1]}"
                ) as old:
                    while (message := json.loads(await old.recv()))["type"] != "state":
                        pass
                    assert "evaluation" not in message
            await page.until(lambda s: s["evaluating"] == 0)
            await page.say(type="resign")
            await page.over()
            async with bar(address, people.id, token=people.tokens[0]) as (socket, answer):
                assert (await history(socket))[0]["bestMove"], "after the game everything is open"
            assert (page.state["mayEvaluate"], page.state["mayHint"]) == (True, True)

    at_site(scenario, official_token=TOKEN)


def test_an_agreed_bar_tells_both_players_values_without_best_moves(at_site, official, guest_at):
    async def scenario(address, _site):
        async with official(address), People(address, withEvaluation=True) as people:
            assert people.offer["config"]["withEvaluation"] is True, "the lobby shows it"
            pages = [await guest_at(address).join(people.id, token) for token in people.tokens]
            for page in pages:
                state = await page.until(lambda s: s["status"] == "playing")
                assert (state["withEvaluation"], state["mayEvaluate"], state["mayHint"]) == (True, True, False)
            async with bar(address, people.id, people.tokens[0]) as (socket, answer):
                assert answer["type"] == "eval-handshake-accepted"
                assert [entry["bestMove"] for entry in (await history(socket)).values()] == [""]
                await asyncio.sleep(0.05)
                assert pages[1].state["evaluating"] == 0, "a player is no spectator"
                await pages[0].say(type="resign")
                entries = await history(socket)
                assert all(entry["bestMove"] for entry in entries.values())

    at_site(scenario, official_token=TOKEN)


def test_a_rematch_keeps_the_agreement(at_site, official, guest_at):
    async def scenario(address, site):
        async with official(address), People(address, withEvaluation=True) as people:
            ann, bob = [await guest_at(address).join(people.id, token) for token in people.tokens]
            await ann.say(type="resign")
            await bob.over()
            await ann.say(type="offer", what="rematch")
            await bob.until(lambda s: s["offers"])
            await bob.say(type="accept", what="rematch")
            await bob.told("rematch")
            following = await site.live_games.find(bob.rematch["id"])
            assert following.row.with_evaluation
            async with bar(address, following.id, cookies=people.cookies(0)) as (socket, _):
                assert [entry["bestMove"] for entry in (await history(socket)).values()] == [""]

    at_site(scenario, official_token=TOKEN)


def test_devices_are_forgotten_when_the_game_is_over(at_site, guest_at):
    async def scenario(address, site):
        async with People(address) as people:
            page = await guest_at(address).join(people.id, people.tokens[0])
            row = await site.live_games.store.load(people.id)
            assert all(seat.device_hash for seat in row.seats)
            await page.say(type="resign")
            await page.over()
            row = await site.live_games.store.load(people.id)
            assert [seat.device_hash for seat in row.seats] == [None, None]

    at_site(scenario)


def test_help_is_allowed_against_a_bot(at_site, official, guest_at):
    async def scenario(address, _site):
        async with official(address):
            page = await guest_at(address).open(side=0)
            state = await page.my_turn()
            assert (state["mayEvaluate"], state["mayHint"]) == (True, True)
            async with bar(address, page.id, page.token) as (socket, _):
                assert (await history(socket))[0]["bestMove"]

    at_site(scenario, official_token=TOKEN)


def test_a_wrong_token_is_refused(at_site, official):
    async def scenario(address, _site):
        async with official(address), People(address) as people, bar(address, people.id, "nonsense") as (_, answer):
            assert answer["type"] == "eval-handshake-rejected"

    at_site(scenario, official_token=TOKEN)
