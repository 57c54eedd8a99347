"""Quick pairing on a real site: two who fit are seated, waits end with their sockets, open seats count too."""

import asyncio

import pytest

from ludus.site.lobby import pool
from ludus.site.safety.settings import SafetySettings

FIVE = {"initialSeconds": 300, "incrementSeconds": 3}
CONFIG = {"game": "connect4", "variant": "standard", "boardWidth": 7, "boardHeight": 6}


@pytest.fixture(autouse=True)
def short_ticks(monkeypatch):
    monkeypatch.setattr(pool, "TICK_S", 0.05)


def test_two_guests_who_fit_are_seated_at_once_and_can_play(at_site, person_at, guest_at):
    async def scenario(address, _site):
        ann, bob = await person_at(address).arrive(), await person_at(address).arrive()
        await ann.seek()
        state = await ann.told("pool")
        assert (state["waiting"], state["others"], state["range"]) == (True, 0, None)
        await bob.seek([None, FIVE])
        seats = [await ann.told("seated"), await bob.told("seated")]
        assert seats[0]["gameId"] == seats[1]["gameId"]
        assert [seat["opponent"] for seat in seats] == [bob.name, ann.name]
        pages = [await guest_at(address).join(seat["gameId"], seat["token"]) for seat in seats]
        states = [await page.until(lambda state: True) for page in pages]
        assert {state["you"] for state in states} == {0, 1}
        assert states[0]["kind"] == "lobby"
        assert states[0]["clock"]["initial"] == 300_000

    at_site(scenario)


def test_those_who_wait_learn_how_many_others_wait_on_their_board(at_site, person_at):
    async def scenario(address, _site):
        ann, bob = await person_at(address).arrive(), await person_at(address).arrive()
        await ann.seek()
        await bob.seek([None])
        assert (await ann.told("pool", lambda state: state["others"] == 1))["waiting"]
        await bob.say("stop")
        assert not (await bob.told("pool", lambda state: not state["waiting"]))["waiting"]
        await ann.told("pool", lambda state: state["others"] == 0)

    at_site(scenario)


def test_a_wait_ends_with_its_socket(at_site, person_at):
    async def scenario(address, site):
        ann, bob = await person_at(address).arrive(), await person_at(address).arrive()
        await ann.seek()
        await ann.told("pool")
        await ann.leave()
        while site.lists.waiting():
            await asyncio.sleep(0.01)
        await bob.seek()
        assert (await bob.told("pool"))["others"] == 0
        assert site.live_games.games == {}

    at_site(scenario)


def test_a_range_is_told_and_widens(at_site, person_at, monkeypatch):
    monkeypatch.setattr("ludus.site.lobby.pairing.WIDENS_EVERY_MS", 20)

    async def scenario(address, _site):
        ann = await person_at(address).arrive()
        await ann.seek(range=100)
        assert (await ann.told("pool"))["range"] == 100
        await ann.told("pool", lambda state: state["range"] >= 200)

    at_site(scenario)


def test_an_open_seat_that_fits_is_taken_for_those_who_wait(at_site, person_at, guest_at):
    async def scenario(address, _site):
        host, ann = guest_at(address), await person_at(address).arrive()
        await ann.seek()
        await ann.told("pool")
        await host.invite(config=CONFIG | {"timeControl": FIVE}, matchType="matchmaking", name="Hosta")
        seat = await ann.told("seated")
        assert (seat["gameId"], seat["opponent"]) == (host.id, "Hosta")
        await host.until(lambda state: state["status"] == "playing")

    at_site(scenario)


def test_an_open_seat_of_another_board_or_time_is_left_alone(at_site, person_at, guest_at):
    async def scenario(address, _site):
        host, ann = guest_at(address), await person_at(address).arrive()
        await host.invite(config=CONFIG | {"timeControl": None}, matchType="matchmaking", name="Hosta")
        await host.until(lambda state: state["status"] == "waiting")
        await ann.seek()
        for _ in range(4):
            assert (await ann.told("pool"))["waiting"]

    at_site(scenario)


def test_a_guest_cannot_wait_for_a_rated_game(at_site, person_at):
    async def scenario(address, _site):
        ann = await person_at(address).arrive()
        await ann.seek(rated=True)
        assert "Only accounts can play rated games" in await ann.refusal()
        await ann.seek(board=CONFIG | {"game": "nothing"})
        assert "no game 'nothing'" in await ann.refusal()

    at_site(scenario)


def test_the_lobby_lists_who_waits(at_site, person_at):
    async def scenario(address, site):
        ann, bob = await person_at(address).arrive(), await person_at(address).arrive()
        await ann.seek([FIVE, None])
        await ann.told("pool")
        (entry,) = site.lists.waiting()
        assert (entry.game, entry.people, len(entry.time_controls)) == ("connect4", 1, 2)
        watcher = site.lists.enter_lobby()
        assert '"people":1' in watcher.take()[0]
        await bob.seek([None])
        await bob.told("seated")
        while not any('"waiting":[]' in text for text in watcher.take()):
            await asyncio.sleep(0.01)

    at_site(scenario)


def test_too_many_people_at_one_address_cannot_wait(at_site, person_at):
    async def scenario(address, _site):
        people = [await person_at(address).arrive() for _ in range(3)]
        for person, time in zip(people, (FIVE, None, FIVE | {"initialSeconds": 60}), strict=True):
            await person.seek([time])
        assert "at your address are waiting" in await people[2].refusal()

    at_site(scenario, safety=SafetySettings(unlimited_addresses=(), max_tables=2))


def test_a_full_site_tells_both_that_no_game_could_be_opened(at_site, person_at, guest_at):
    async def scenario(address, _site):
        await guest_at(address).invite(config=CONFIG)
        ann, bob = await person_at(address).arrive(), await person_at(address).arrive()
        await ann.seek()
        await bob.seek()
        for person in (ann, bob):
            assert "maximum of 1 games" in await person.refusal()
            await person.told("pool", lambda state: not state["waiting"])

    at_site(scenario, max_games=1)
