"""The whole site over HTTP and sockets: limits, people, logs and metrics."""

import asyncio
import contextlib
import json

import httpx
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from ludus.errors import Unavailable
from ludus.site.people.bot_tokens import BotTokens
from ludus.site.safety.limits import RateLimit
from ludus.site.safety.settings import SafetySettings
from ludus.site.services import repeat

pytestmark = pytest.mark.usefixtures("quick_passwords")
RATED = {
    "config": {
        "game": "tictactoe", "variant": "standard", "boardWidth": 3, "boardHeight": 3, "rated": True,
        "timeControl": {"initialSeconds": 60, "incrementSeconds": 0},
    },
    "hostIsPlayer1": True,
}  # fmt: skip


async def person(address, name=None):
    browser = httpx.AsyncClient(base_url=address, timeout=300)
    if name:
        answer = await browser.post("/api/account", json={"name": name, "password": "correct horse"})
        assert answer.status_code == 201, answer.text
    return browser


async def until(browser, path, condition):
    while True:
        answer = (await browser.get(path)).json()
        if condition(answer):
            return answer
        await asyncio.sleep(0.02)


def test_a_rated_game_between_accounts_counts(at_site):
    async def scenario(address, _site):
        ann, bo, guest = await person(address, "Ann"), await person(address, "Bob"), await person(address)
        assert (await guest.post("/api/games", json=RATED)).status_code == 401
        opened = (await ann.post("/api/games", json=RATED)).json()
        join = f"/api/games/{opened['gameId']}/join"
        assert (await guest.post(join, json={})).status_code == 401
        assert (await ann.post(join, json={})).json()["error"].startswith("You already have the other seat")
        joined = (await bo.post(join, json={"displayName": "somebody else"})).json()
        ws = address.replace("http", "ws") + f"/ws/play/{opened['gameId']}?token="
        async with connect(ws + opened["socketToken"]) as first, connect(ws + joined["socketToken"]) as second:
            state = json.loads(await first.recv())
            assert [each["name"] for each in state["players"]] == ["Ann", "Bob"]
            assert (state["rated"], state["timeClass"]) == (True, "bullet")
            for number, socket in enumerate((first, second)):
                await socket.send(json.dumps({"type": "act", "action": number, "ply": number}))
                while json.loads(await socket.recv()).get("ply") != number + 1:
                    pass
            await second.send(json.dumps({"type": "resign"}))
            me = await until(ann, "/api/me", lambda me: me["ratings"])
        assert (me["ratings"][0]["wins"], me["ratings"][0]["timeClass"]) == (1, "bullet")
        assert (await bo.get("/api/people/ann")).json()["ratings"] == me["ratings"]
        for browser in (ann, bo, guest):
            await browser.aclose()

    at_site(scenario)


def test_the_operator_s_routes_answer(at_site):
    async def scenario(address, site):
        async with await person(address) as browser:
            assert (await browser.get("/readyz")).json() == {"status": "ready"}
            assert (await browser.get("/healthz")).json() == {"status": "ok"}
            assert "ludus_games 0.0" in (await browser.get("/metrics")).text
            await site.drain()
            assert (await browser.get("/readyz")).status_code == 503

    at_site(scenario)


@pytest.mark.parametrize(
    "path", ["/ws/custom-bot", "/ws/play/x", "/ws/games/x", "/ws/lobby", "/ws/live-games", "/ws/eval/x", "/ws/none"]
)
def test_no_socket_opens_for_a_page_of_another_site(at_site, path):
    async def scenario(address, _site):
        with pytest.raises(InvalidStatus) as refused:
            await connect(address.replace("http", "ws") + path, origin="http://evil.example")
        assert refused.value.response.status_code == 403

    at_site(scenario)


def test_no_request_of_another_site_s_page_changes_anything(at_site):
    async def scenario(address, _site):
        async with await person(address) as browser:
            for method, path in [
                ("POST", "/api/games"),
                ("POST", "/api/account"),
                ("PUT", "/api/account/settings"),
                ("DELETE", "/api/session"),
            ]:
                answer = await browser.request(method, path, headers={"Origin": "http://evil.example"}, json={})
                assert answer.status_code == 403

    at_site(scenario)


def test_a_flood_ends_its_socket_and_the_site_goes_on(at_site):
    async def scenario(address, _site):
        lobby = address.replace("http", "ws") + "/ws/lobby"
        async with connect(lobby) as flooder, connect(lobby) as other:
            with contextlib.suppress(ConnectionClosed):
                for _ in range(500):
                    await flooder.send('{"type":"ping"}')
                    await asyncio.sleep(0)
                async for _ in flooder:
                    pass
            assert flooder.close_code == 1013
            await other.send('{"type":"ping"}')
            await other.recv()
            assert json.loads(await other.recv())["type"] == "pong"

    at_site(scenario, safety=SafetySettings(messages=RateLimit(20, 1)))


@pytest.mark.parametrize("path", ["/ws/custom-bot", "/ws/lobby", "/ws/live-games"])
def test_random_bytes_on_a_socket_do_no_harm(at_site, path):
    async def scenario(address, site):
        async with connect(address.replace("http", "ws") + path) as socket:
            for nonsense in (
                b"\x00\xff" * 50,
                "\x00",
                "{",
                "[" * 3000,
                '{"type":{}}',
                "null",
                '"x"',
                b"",
                "\ud7ff" * 100,
            ):
                await socket.send(nonsense)
        async with await person(address) as browser:
            assert (await browser.get("/readyz")).status_code == 200
            assert "ludus_errors_total 0.0" in (await browser.get("/metrics")).text

    at_site(scenario)


def test_every_answer_carries_the_headers_also_of_the_page_and_of_errors(at_site):
    async def scenario(address, _site):
        async with await person(address) as browser:
            for path in ("/", "/api/catalogue", "/api/nothing", "/game/x", "/metrics"):
                headers = (await browser.get(path)).headers
                assert "frame-ancestors 'none'" in headers["content-security-policy"]
                assert headers["x-content-type-options"] == "nosniff"
                assert headers["referrer-policy"] == "same-origin"

    at_site(scenario)


async def attach(address, bot, headers=None):
    """Attach a client with a bot, and return what it is told."""
    message = {"type": "attach", "protocolVersion": 3, "clientId": "anns-bots", "bots": [bot]}
    async with connect(address.replace("http", "ws") + "/ws/custom-bot", additional_headers=headers) as socket:
        await socket.send(json.dumps(message | {"client": {"name": "x", "version": "1"}}))
        return json.loads(await socket.recv())


def test_a_claimed_bot_client_attaches_with_its_token_only(at_site, a_bot):
    async def scenario(address, _site):
        assert (await attach(address, a_bot()))["type"] == "attached", "nobody has claimed it yet"
        ann = await person(address, "Ann")
        token = (await ann.post("/api/bot-tokens", json={"clientId": "anns-bots"})).json()["token"]
        for wrong in ({}, {"Authorization": "Bearer x"}, {"Authorization": f"Basic {token}"}):
            refused = await attach(address, a_bot(), wrong)
            assert (refused["type"], refused["code"]) == ("attach-rejected", "INVALID_OFFICIAL_TOKEN")
        assert (await attach(address, a_bot(), {"Authorization": f"Bearer {token}"}))["type"] == "attached"
        figures = (await ann.get("/metrics")).text
        assert "ludus_bot_answer_seconds" in figures
        await ann.aclose()

    at_site(scenario)


def test_a_site_may_take_no_bots_but_its_own_and_those_of_accounts(at_site, a_bot):
    async def scenario(address, _site):
        refused = await attach(address, a_bot())
        assert refused["code"] == "INVALID_OFFICIAL_TOKEN"
        assert refused["message"].startswith("This site requires a token for bots; create one ")
        assert (await attach(address, a_bot(officialToken="s3cret")))["type"] == "attached"

    async def of_accounts(address, _site):
        ann = await person(address, "Ann")
        token = (await ann.post("/api/bot-tokens", json={"clientId": "anns-bots"})).json()["token"]
        assert (await attach(address, a_bot()))["code"] == "INVALID_OFFICIAL_TOKEN"
        assert (await attach(address, a_bot(), {"Authorization": f"Bearer {token}"}))["type"] == "attached"
        await ann.aclose()

    for each in (scenario, of_accounts):
        at_site(each, strangers_bots=False, official_token="s3cret")


def test_a_bot_client_that_nobody_can_judge_now_is_asked_to_come_back(at_site, a_bot, monkeypatch):
    async def refuse(*_asked):
        raise Unavailable("The site's database cannot be read at present; try again.")

    async def scenario(address, _site):
        with monkeypatch.context() as patch:
            patch.setattr(BotTokens, "may_attach", refuse)
            with pytest.raises(ConnectionClosed) as closed:
                await attach(address, a_bot())
            assert (closed.value.rcvd.code, closed.value.rcvd.reason) == (1013, "Try again later")
        assert (await attach(address, a_bot()))["type"] == "attached"

    at_site(scenario)


def test_an_error_does_not_end_repeated_work(caplog):
    caplog.set_level("INFO")
    errors = [Unavailable("The database is busy."), KeyError("a mistake")]
    done = []

    async def work():
        if errors:
            raise errors.pop(0)
        done.append(True)

    async def scenario():
        repeating = asyncio.create_task(repeat(work, 0.001, "Sweeping"))
        async with asyncio.timeout(20):
            while len(done) < 2:
                await asyncio.sleep(0.01)
        repeating.cancel()
        await asyncio.gather(repeating, return_exceptions=True)

    asyncio.run(scenario())
    assert [record.getMessage() for record in caplog.records if record.getMessage().startswith("Sweeping")] == [
        "Sweeping is postponed: The database is busy.",
        "Sweeping failed; it continues.",
    ]
