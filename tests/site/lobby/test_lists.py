"""The lists of the lobby: ratings in open seats, and live boards of the running games that a page shows."""

import asyncio
import json

import pytest
from websockets.asyncio.client import connect

from ludus.site.lobby import lists
from ludus.site.messages.incoming import MAX_BOARDS
from ludus.site.messages.people import RatingInfo
from ludus.site.people.ratings import Ratings

CONFIG = {"game": "connect4", "variant": "standard", "boardWidth": 7, "boardHeight": 6}


class Feed:
    """A socket of the running games."""

    def __init__(self, address):
        self.url = address.replace("http", "ws") + "/ws/live-games"

    async def __aenter__(self):
        self.socket = await connect(self.url)
        return self

    async def __aexit__(self, *_):
        await self.socket.close()

    async def watch(self, *games):
        await self.socket.send(json.dumps({"type": "watch", "games": games}))

    async def board(self, where=lambda board: True):
        while True:
            async with asyncio.timeout(20):
                message = json.loads(await self.socket.recv())
            if message["type"] == "board" and where(message["board"]):
                return message["gameId"], message["board"]

    async def boards_before_pong(self):
        """Return the boards that come before the answer to a ping."""
        await self.socket.send('{"type": "ping"}')
        found = []
        while True:
            async with asyncio.timeout(20):
                message = json.loads(await self.socket.recv())
            if message["type"] == "pong":
                return found
            found += [message["gameId"]] if message["type"] == "board" else []


async def two_play(address, guest_at):
    ann, bob = guest_at(address), guest_at(address)
    await ann.invite(config=CONFIG)
    await bob.sit_down(ann.id)
    await ann.my_turn()
    return ann, bob


def test_boards_that_are_watched_follow_their_games(at_site, guest_at, monkeypatch):
    monkeypatch.setattr(lists, "BOARDS_EVERY_S", 0.05)

    async def scenario(address, _site):
        ann, bob = await two_play(address, guest_at)
        async with Feed(address) as feed:
            await feed.watch(ann.id, "no-such-game")
            game_id, board = await feed.board()
            assert (game_id, board["pieces"], board["choices"]) == (ann.id, [], [])
            await ann.play(3)
            assert (await feed.board(lambda board: board["pieces"]))[1]["pieces"][0]["at"] == [5, 3]
            await feed.watch()
            await bob.play(2)
            await asyncio.sleep(0.2)
            assert await feed.boards_before_pong() == []

    at_site(scenario)


def test_boards_come_at_most_once_a_second_however_often_they_are_requested(at_site, guest_at):
    async def scenario(address, _site):
        ann, _ = await two_play(address, guest_at)
        async with Feed(address) as feed:
            await feed.watch(ann.id)
            await feed.board()
            for _ in range(10):
                await feed.watch()
                await feed.watch(ann.id)
            assert await feed.boards_before_pong() == []
            assert (await feed.board())[0] == ann.id

    at_site(scenario)


def test_a_request_for_too_many_boards_is_ignored(at_site, guest_at):
    async def scenario(address, _site):
        ann, _ = await two_play(address, guest_at)
        async with Feed(address) as feed:
            await feed.watch(ann.id, *map(str, range(MAX_BOARDS)))
            await asyncio.sleep(0.1)
            assert await feed.boards_before_pong() == []

    at_site(scenario)


@pytest.mark.usefixtures("quick_passwords")
def test_an_open_seat_shows_the_rating_of_its_host(at_site, person_at, monkeypatch):
    found = [
        RatingInfo("Ann", "connect4:standard", "unlimited", 1623, 80, 9, 5, 0, 4, False),
        RatingInfo("Ann", "connect4:standard", "blitz", 1400, 80, 9, 5, 0, 4, False),
    ]

    async def of(_self, _account):
        return found

    monkeypatch.setattr(Ratings, "of", of)

    async def scenario(address, _site):
        ann, bob = await person_at(address).arrive("Ann"), await person_at(address).arrive()
        for person in (ann, bob):
            body = {"config": CONFIG, "matchType": "matchmaking", "hostDisplayName": person.name}
            await person.ask("POST", "/api/games", body)
        socket = await connect(address.replace("http", "ws") + "/ws/lobby")
        while True:
            async with asyncio.timeout(20):
                seats = json.loads(await socket.recv())["games"]
            ratings = {seat["players"][0]["displayName"]: seat["players"][0].get("rating") for seat in seats}
            if ratings["Ann"]:
                break
        assert ratings == {"Ann": 1623, bob.name: None}
        await socket.close()

    at_site(scenario)
