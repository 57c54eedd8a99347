"""The list of one's own unfinished games, on any device, and how an account takes its seat on another device."""

import asyncio
import logging

import httpx
import pytest

BOARD = {"game": "tictactoe", "boardWidth": 3, "boardHeight": 3}
PASSWORD = "correct horse"


@pytest.fixture(autouse=True)
def _quick(quick_passwords):
    """Hash passwords quickly."""


async def ask(http, method, path, status=200, **body):
    answer = await http.request(method, path, json=body or None)
    assert answer.status_code == status, answer.text
    return answer.json()


async def register(http, name):
    await ask(http, "POST", "/api/account", 201, name=name, password=PASSWORD)


async def log_in(http, name):
    await ask(http, "POST", "/api/session", name=name, password=PASSWORD)


async def begun(address, guest_at, ann, name="Bob"):
    """Return the pages of Ann, who moves first, and of a guest in a new game that Ann opened."""
    opened = await ask(ann, "POST", "/api/games", 201, config=BOARD, hostIsPlayer1=True)
    first = await guest_at(address).join(opened["gameId"], opened["hostToken"])
    return first, await guest_at(address).sit_down(opened["gameId"], name)


async def evict(site, *pages):
    for page in pages:
        await page.socket.close()
    game = site.live_games.games[pages[0].id]
    while game.id in site.live_games.games:  # as soon as both have disconnected and all writes are done
        await site.live_games.evict(game)
        await asyncio.sleep(0.01)


def test_an_account_lists_its_unfinished_games_including_evicted_ones(at_site, guest_at):
    async def scenario(address, site):
        async with httpx.AsyncClient(base_url=address) as ann, httpx.AsyncClient(base_url=address) as phone:
            await register(ann, "Ann")
            await log_in(phone, "Ann")
            assert await ask(phone, "GET", "/api/me/games") == {"games": []}
            waiting = await ask(ann, "POST", "/api/games", 201, config=BOARD, hostIsPlayer1=False)
            first, second = await begun(address, guest_at, ann)
            newer, older = (await ask(phone, "GET", "/api/me/games"))["games"]
            assert older["id"] == waiting["gameId"]
            assert (older["status"], older["opponent"], older["you"], older["toPlay"]) == ("waiting", None, 1, None)
            assert newer == {
                "id": first.id,
                "game": "tictactoe",
                "variant": "standard",
                "boardWidth": 3,
                "boardHeight": 3,
                "rated": False,
                "status": "playing",
                "opponent": "Bob",
                "you": 0,
                "toPlay": 0,
                "numMoves": 0,
                "deadline": None,
            }
            await first.play(4)
            await evict(site, first, second)
            found = (await ask(phone, "GET", "/api/me/games"))["games"][0]
            assert (found["id"], found["toPlay"], found["numMoves"]) == (first.id, 1, 1)
            again = await guest_at(address).join(first.id, first.token)
            await again.say(type="resign")
            await again.over()
            assert [game["id"] for game in (await ask(phone, "GET", "/api/me/games"))["games"]] == [older["id"]]

    at_site(scenario)


def test_a_guest_lists_the_games_for_whose_seats_it_has_tokens(at_site, guest_at):
    async def scenario(address, _site):
        async with httpx.AsyncClient(base_url=address) as ann, httpx.AsyncClient(base_url=address) as guest:
            await register(ann, "Ann")
            first, second = await begun(address, guest_at, ann)
            other, _ = await begun(address, guest_at, ann, "Eve")
            shown = {first.id: second.token, other.id: "wrong", "nothing": second.token}
            found = (await ask(guest, "POST", "/api/me/games", tokens=shown))["games"]
            assert [(game["id"], game["you"], game["opponent"]) for game in found] == [(first.id, 1, "Ann")]
            both = (await ask(ann, "POST", "/api/me/games", tokens={first.id: first.token}))["games"]
            assert {game["id"]: game["you"] for game in both} == {first.id: 0, other.id: 0}
            assert (await ask(guest, "POST", "/api/me/games", tokens={}))["games"] == []
            await ask(guest, "GET", "/api/me/games", 401)
            await ask(guest, "POST", "/api/me/games", 400, tokens={str(each): "x" for each in range(51)})

    at_site(scenario)


def test_an_account_continues_a_game_on_another_device_with_a_new_token(at_site, guest_at, caplog):
    async def scenario(address, site):
        async with httpx.AsyncClient(base_url=address) as ann, httpx.AsyncClient(base_url=address) as phone:
            await register(ann, "Ann")
            first, second = await begun(address, guest_at, ann)
            await first.play(4)
            await evict(site, first, second)
            await log_in(phone, "Ann")
            seat = await ask(phone, "POST", f"/api/me/seats/{first.id}")
            assert (seat["gameId"], seat["playerId"], seat["token"]) == (first.id, 1, seat["socketToken"])
            bob = await guest_at(address).join(first.id, second.token)
            there = await guest_at(address).join(first.id, seat["token"])
            await bob.play(0)
            await there.play(1)
            assert (await there.until(lambda s: s["ply"] == 3))["you"] == 0
            assert await (await guest_at(address).join(first.id, first.token)).until_closed() == 1008
            await evict(site, there, bob)
            again = await guest_at(address).join(first.id, seat["token"])
            assert (await again.until(lambda s: s["ply"] == 3))["you"] == 0
            assert seat["token"] not in str([each.getMessage() for each in caplog.records if "ludus" in each.name])

    caplog.set_level(logging.DEBUG)
    at_site(scenario)


def test_the_new_token_of_a_seat_is_valid_in_the_rematch(at_site, guest_at):
    async def scenario(address, _site):
        async with httpx.AsyncClient(base_url=address) as ann:
            await register(ann, "Ann")
            first, second = await begun(address, guest_at, ann)
            await second.until(lambda s: s["status"] == "playing")
            seat = await ask(ann, "POST", f"/api/me/seats/{first.id}")
            await second.say(type="resign")
            await first.over()
            await first.say(type="offer", what="rematch")
            await second.until(lambda s: s["offers"])
            await second.say(type="accept", what="rematch")
            following = (await second.told("rematch"))["id"]
            there = await guest_at(address).join(following, seat["token"])
            assert (await there.until(lambda s: True))["you"] == 1

    at_site(scenario)


def test_only_the_account_of_a_seat_gets_a_new_token(at_site, guest_at):
    async def scenario(address, site):
        async with (
            httpx.AsyncClient(base_url=address) as ann,
            httpx.AsyncClient(base_url=address) as eve,
            httpx.AsyncClient(base_url=address) as guest,
        ):
            await register(ann, "Ann")
            await register(eve, "Eve")
            first, second = await begun(address, guest_at, ann)
            path = f"/api/me/seats/{first.id}"
            assert (await ask(eve, "POST", path, 403))["error"] == "You have no seat in this game."
            await ask(guest, "POST", path, 401)  # although the other seat is a guest's
            await ask(ann, "POST", "/api/me/seats/nothing", 404)
            assert (await ann.get(path)).status_code in (404, 405)
            foreign = await ann.post(path, headers={"origin": "https://elsewhere.example"})
            assert foreign.status_code == 403
            await ask(ann, "DELETE", "/api/session")
            await ask(ann, "POST", path, 401)
            await log_in(ann, "Ann")
            await ask(ann, "DELETE", "/api/account", password=PASSWORD)
            await ask(ann, "POST", path, 401)
            await register(ann, "Ann")
            await ask(ann, "POST", path, 403)  # another account of the same name
            assert site.live_games.games[first.id].side_of(first.token) == 0
            assert site.live_games.games[first.id].side_of(second.token) == 1

    at_site(scenario)


def test_an_account_with_both_seats_gets_the_one_to_move(at_site, guest_at):
    async def scenario(address, _site):
        async with httpx.AsyncClient(base_url=address) as ann:
            await register(ann, "Ann")
            opened = await ask(ann, "POST", "/api/games", 201, config=BOARD, hostIsPlayer1=True)
            path = f"/api/me/seats/{opened['gameId']}"
            assert (await ask(ann, "POST", path))["playerId"] == 1
            await ask(ann, "POST", f"/api/games/{opened['gameId']}/join")
            seat = await ask(ann, "POST", path)
            assert seat["playerId"] == 1
            page = await guest_at(address).join(opened["gameId"], seat["token"])
            await page.play(4)
            assert (await ask(ann, "POST", path))["playerId"] == 2

    at_site(scenario)
