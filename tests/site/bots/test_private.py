"""Private bots: only the account that the bot names can see and play it, and no list shows its games."""

import asyncio
import contextlib

import httpx
import pytest

pytestmark = pytest.mark.usefixtures("quick_passwords")

RACK = {"game": "connect4", "boardWidth": 7, "boardHeight": 6}
PASSWORD = "correct horse"


@contextlib.asynccontextmanager
async def account(address, name):
    """Register an account, and yield an HTTP client that is logged in."""
    async with httpx.AsyncClient(base_url=address) as http:
        answer = await http.post("/api/account", json={"name": name, "password": PASSWORD})
        assert answer.status_code == 201, answer.text
        yield http


async def seen(http):
    """Return the bots' ids in the catalogue, the list of bots, and the list of recommended bots."""
    games = (await http.get("/api/catalogue")).json()["games"]
    listed = {bot["id"] for game in games for bot in game["bots"]}
    matching = (await http.get("/api/bots?game=connect4")).json()["bots"]
    recommended = (await http.get("/api/bots/recommended?game=connect4")).json()["bots"]
    return [sorted(listed), sorted(bot["id"] for bot in matching), sorted(each["bot"]["id"] for each in recommended)]


async def play(http, bot="c1:b"):
    return await http.post("/api/bots/play", json={"botId": bot, "config": RACK, "hostIsPlayer1": True})


def test_only_its_account_sees_and_plays_a_private_bot(at_site, scripted_bot, a_bot, guest_at):
    bots = [a_bot(username="aDA", name="Deep"), a_bot(botId="all")]

    async def scenario(address, site):
        async with (
            scripted_bot(address, bots=bots) as client,
            account(address, "Ada") as ada,
            account(address, "Bob") as bob,
            httpx.AsyncClient(base_url=address) as guest,
        ):
            assert client.verdict["type"] == "attached"
            assert await seen(ada) == [["c1:all", "c1:b"]] * 3
            for other in (bob, guest):
                assert await seen(other) == [["c1:all"]] * 3
                refused, unknown = await play(other), await play(other, "c1:nobody")
                assert refused.status_code == unknown.status_code == 404
                assert refused.json()["error"].replace("c1:b", "") == unknown.json()["error"].replace("c1:nobody", "")
                match = {"botIds": ["c1:all", "c1:b"], "config": RACK}
                assert (await other.post("/api/bots/match", json=match)).status_code == 404
            assert "c1:b" not in (await guest.get("/healthz")).text
            named = {"config": RACK, "hostDisplayName": "Deep"}
            assert (await guest.post("/api/games", json=named)).status_code == 201, (
                "a refusal would reveal the bot's name"
            )

            placed = (await play(ada)).json()
            page = await guest_at(address).join(placed["gameId"], placed["token"])
            assert page.state is None
            state = await page.play(3)
            assert (state["kind"], state["players"][1]["name"]) == ("bot", "Deep")
            await page.my_turn()
            assert site.live_games.games[placed["gameId"]].seats[1].bot == "c1:b"

    at_site(scenario)


def test_games_with_a_private_bot_are_unlisted_and_have_rematches(at_site, scripted_bot, a_bot, guest_at):
    async def scenario(address, site):
        async with (
            scripted_bot(address, bots=[a_bot(username="Ada")]),
            account(address, "Ada") as ada,
            httpx.AsyncClient(base_url=address) as guest,
        ):
            heard = site.lists.enter_live()
            heard.take()
            placed = (await play(ada)).json()
            page = await guest_at(address).join(placed["gameId"], placed["token"])
            await page.play(3)
            await page.my_turn()
            await page.say(type="resign")
            await page.over()
            await page.say(type="offer", what="rematch")
            await page.until(lambda state: state["rematch"])
            while site.live_games.games[page.state["rematch"]].writing:
                await asyncio.sleep(0.01)
            assert site.live_games.games[page.state["rematch"]].row.kind == "private"
            assert (await guest.get("/api/games/live")).json()["games"] == []
            assert (await guest.get("/api/archive")).json()["total"] == 0
            assert heard.take() == []
            replay = await guest.get(f"/api/archive/{placed['gameId']}")
            assert replay.status_code == 200, "the game's link works for everybody"

    at_site(scenario)


@pytest.mark.parametrize("name", ["Ada", "Bob"])
def test_attaching_a_private_bot_does_not_reveal_whether_the_account_exists(at_site, scripted_bot, a_bot, name):
    async def scenario(address, _site):
        async with account(address, "Ada"), scripted_bot(address, bots=[a_bot(username=name)]) as client:
            assert client.verdict["type"] == "attached"

    at_site(scenario)
