"""The operator's page over HTTP: behind the token, with limited tries, and what each act does to the site."""

import asyncio
import json

import httpx
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from ludus.site.safety.settings import SafetySettings

TOKEN = "0123456789abcdef0123"
STRANGE = {"x-forwarded-for": "192.0.2.7"}
"""A proxy on this machine is trusted, so these headers give a request an address with limits."""


@pytest.fixture
def desk_at(at_site):
    """Return a function that runs `async def (desk, address, site)` at a site with an operator."""

    def run(scenario, **settings):
        async def with_desk(address, site):
            async with httpx.AsyncClient(base_url=address, timeout=60) as http:
                await scenario(Desk(http), address, site)

        at_site(with_desk, operator_token=TOKEN, **settings)

    return run


class Desk:
    def __init__(self, http):
        self.http = http

    async def view(self, token=TOKEN, status=200, **headers):
        answer = await self.http.get("/api/operator", headers={"authorization": f"Bearer {token}"} | headers)
        assert answer.status_code == status, answer.text
        return answer.json()

    async def act(self, act, subject, status=200, why="spam", **more):
        body = {"act": act, "subject": subject, "who": "Olga", "why": why} | more
        headers = {"authorization": f"Bearer {TOKEN}"}
        answer = await self.http.post("/api/operator/acts", json=body, headers=headers)
        assert answer.status_code == status, answer.text
        return answer.json()

    async def visit(self, method, path, status, body=None, **headers):
        """Send a request as a visitor from elsewhere."""
        answer = await self.http.request(method, path, json=body, headers=STRANGE | headers)
        assert answer.status_code == status, answer.text
        return answer


def test_a_wrong_token_is_refused_and_tries_are_limited_for_each_address(desk_at, caplog):
    async def scenario(desk, _address, _site):
        assert (await desk.view("wrong", 403, **STRANGE))["error"] == "This is not the operator's token."
        assert (await desk.http.get("/api/operator", headers=STRANGE)).status_code == 403
        for _ in range(3):
            await desk.view("wrong", 403, **STRANGE)
        assert "Too many wrong tokens" in (await desk.view("wrong", 429, **STRANGE))["error"]
        await desk.view(TOKEN, 429, **STRANGE)
        await desk.view(TOKEN, 200, **{"x-forwarded-for": "192.0.2.8"})
        for _ in range(20):
            await desk.view()

    desk_at(scenario)
    assert "wrong operator's token" in caplog.text
    assert TOKEN not in caplog.text


def test_without_a_configured_token_nobody_is_the_operator(at_site):
    async def scenario(address, _site):
        async with httpx.AsyncClient(base_url=address) as http:
            for headers in ({}, {"authorization": "Bearer"}, {"authorization": "Bearer None"}):
                answer = await http.get("/api/operator", headers=headers)
                assert answer.status_code == 403
                assert "has no operator's token" in answer.json()["error"]

    at_site(scenario)


def test_a_removed_game_ends_without_a_result_and_says_why(desk_at, guest_at):
    async def scenario(desk, address, _site):
        ann = await guest_at(address).invite()
        bob = await guest_at(address).sit_down(ann.id)
        (game,) = (await desk.view())["games"]
        assert (game["id"], game["players"], game["moves"]) == (ann.id, ["Ann", "Bob"], 0)
        await ann.until(lambda state: state["status"] == "playing")
        view = await desk.act("end-game", ann.id, why="A test.")
        assert view["games"] == []
        assert (await bob.over())["result"] == {"winner": None, "reason": "aborted"}
        assert "The operator has ended this game without a result. Reason: A test." in bob.errors
        (act,) = view["acts"]
        assert (act["who"], act["act"], act["why"]) == ("Olga", "end-game", "A test.")
        assert act["subject"] == f"game {ann.id} of Ann and Bob"
        assert act["address"] == "127.0.0.1"
        assert "over already" in (await desk.act("end-game", ann.id, 400))["error"]
        await desk.act("end-game", "none", 404)

    desk_at(scenario)


def test_a_silenced_person_may_play_but_not_chat(desk_at, guest_at):
    async def scenario(desk, address, _site):
        ann = await guest_at(address).invite()
        bob = await guest_at(address).sit_down(ann.id)
        await ann.say(type="chat", text="hello")
        assert (await bob.told("chat"))["text"] == "hello"
        people = (await desk.view())["people"]
        (subject,) = [each["person"] for each in people if each["name"] == "Ann"]
        assert subject.startswith("guest ")
        view = await desk.act("silence", subject, hours=1)
        await ann.say(type="chat", text="again")
        while not any("silenced you in chats until" in error for error in ann.errors):
            await ann.hear()
        await ann.my_turn()
        await ann.act(3)
        await bob.until(lambda state: state["ply"] == 1)
        assert not [each for each in bob.heard if each.get("text") == "again"]
        await desk.act("lift", str(view["restrictions"][0]["id"]))
        await asyncio.sleep(0)
        await ann.say(type="chat", text="sorry")
        assert (await bob.told("chat"))["text"] == "sorry"

    desk_at(scenario)


def test_a_banned_account_is_logged_out_and_gets_one_sentence(desk_at, guest_at, quick_passwords, scripted_bot):
    async def scenario(desk, address, site):
        async with httpx.AsyncClient(base_url=address) as ann:
            body = {"name": "Ann", "password": "correct horse"}
            assert (await ann.post("/api/account", json=body)).status_code == 201
            config = {"game": "connect4", "boardWidth": 7, "boardHeight": 6}
            opened = (await ann.post("/api/games", json={"config": config})).json()
            page = await guest_at(address).join(opened["gameId"], opened["hostToken"])
            await page.hear()
            view = await desk.act("ban", "ann", why="Cheating.", hours=24)
            assert await page.until_closed() == 1008
            assert page.farewell.startswith("The operator has banned you from this site until")
            assert not (await ann.get("/api/me")).json()["account"]
            refused = await ann.post("/api/session", json=body)
            assert refused.status_code == 403
            assert refused.json()["error"].endswith("Reason: Cheating.")
            again = await guest_at(address).join(opened["gameId"], opened["hostToken"])
            assert await again.until_closed() == 1008
            assert again.errors[0].endswith("Reason: Cheating.")
            assert (view["restrictions"][0]["name"], view["restrictions"][0]["kind"]) == ("Ann", "ban")
            assert view["acts"][0]["subject"] == "account Ann for 24 hours"
            await desk.act("lift", str(view["restrictions"][0]["id"]))
            assert (await ann.post("/api/session", json=body)).status_code == 200

    desk_at(scenario)


def test_all_sockets_of_a_banned_account_are_closed_at_once(desk_at, quick_passwords):
    async def scenario(desk, address, _site):
        place = address.replace("http", "ws")
        async with httpx.AsyncClient(base_url=address) as ann:
            assert (
                await ann.post("/api/account", json={"name": "Ann", "password": "correct horse"})
            ).status_code == 201
            cookie = "; ".join(f"{name}={value}" for name, value in ann.cookies.items())
            lists = [f"{place}/ws/{name}" for name in ("inbox", "lobby", "live-games")]
            mine = [await connect(path, additional_headers={"cookie": cookie}) for path in lists]
            others = [await connect(path) for path in lists]
            for socket in [*mine, *others]:
                await socket.send('{"type": "ping"}')  # the answer shows that the site has begun to listen
                while json.loads(await socket.recv())["type"] != "pong":
                    pass
            await desk.act("ban", "ann", why="Cheating.")
            for socket in mine:
                with pytest.raises(ConnectionClosed) as closed:
                    async with asyncio.timeout(20):
                        await socket.recv()
                assert closed.value.rcvd.code == 1008
                assert closed.value.rcvd.reason.startswith("The operator has banned you")
            for socket in others:
                await socket.send('{"type": "ping"}')
                while json.loads(await socket.recv())["type"] != "pong":
                    pass
                await socket.close()

    desk_at(scenario)


def test_a_banned_address_gets_one_sentence_on_pages_requests_and_sockets(desk_at, tmp_path):
    async def scenario(desk, address, _site):
        socket = await connect(f"{address.replace('http', 'ws')}/ws/lobby", additional_headers=STRANGE)
        await socket.recv()
        await desk.act("ban", "192.0.2.7", why="A flood.")
        sentence = "The operator has banned you from this site for good. Reason: A flood."
        with pytest.raises(ConnectionClosed) as closed:
            await socket.recv()
        assert (closed.value.rcvd.code, closed.value.rcvd.reason) == (1008, sentence)
        assert (await desk.visit("GET", "/api/me", 403)).json() == {"error": sentence}
        assert (await desk.visit("POST", "/api/games", 403, {})).json() == {"error": sentence}
        page = await desk.visit("GET", "/game/x", 403, accept="text/html")
        assert sentence in page.text
        assert page.headers["content-type"].startswith("text/html")
        with pytest.raises(InvalidStatus):
            await connect(f"{address.replace('http', 'ws')}/ws/lobby", additional_headers=STRANGE)
        assert (await desk.http.get("/api/me")).status_code == 200
        assert (await desk.visit("GET", "/healthz", 200)).json()["status"] == "ok"

    desk_at(scenario)


@pytest.mark.parametrize(
    ("subject", "status", "told"),
    [
        ("127.0.0.1", 400, "exempt from limits"),
        ("::1", 400, "exempt from limits"),
        ("nobody", 404, "There is no account 'nobody'"),
        ("account nobody", 404, "There is no account"),
        ("guest 1234-x", 400, "Ban the guest's address"),
    ],
)
def test_a_ban_that_makes_no_sense_is_refused_and_not_logged(desk_at, subject, status, told):
    async def scenario(desk, _address, _site):
        assert told in (await desk.act("ban", subject, status))["error"]
        assert (await desk.view())["acts"] == []

    desk_at(scenario)


def test_the_operators_own_address_cannot_be_banned(desk_at):
    async def scenario(desk, _address, _site):
        body = {"act": "ban", "subject": "192.0.2.7", "who": "Olga", "why": "oops"}
        headers = STRANGE | {"authorization": f"Bearer {TOKEN}"}
        answer = await desk.http.post("/api/operator/acts", json=body, headers=headers)
        assert (answer.status_code, answer.json()["error"]) == (400, "This is your own address.")

    desk_at(scenario)


def test_thrown_out_bots_may_not_come_back_until_that_is_lifted(desk_at, scripted_bot):
    async def scenario(desk, address, site):
        async with scripted_bot(address) as bot:
            (client,) = (await desk.view())["bots"]
            assert (client["client"], client["bots"], client["official"]) == ("c1", ["Bo"], False)
            view = await desk.act("remove-bots", "c1", why="It stalls.")
            assert view["bots"] == []
            await bot.socket.wait_closed()
        async with scripted_bot(address) as bot:
            assert bot.verdict["code"] == "BANNED"
            assert bot.verdict["message"].endswith("Reason: It stalls.")
        await desk.act("lift", str(view["restrictions"][0]["id"]))
        async with scripted_bot(address) as bot:
            assert bot.verdict["type"] == "attached"

    desk_at(scenario)


def test_the_sites_own_bots_cannot_be_thrown_out(desk_at, scripted_bot, a_bot):
    async def scenario(desk, address, _site):
        async with scripted_bot(address, bots=[a_bot(officialToken="x" * 20)]):
            assert "own bots" in (await desk.act("remove-bots", "c1", 400))["error"]

    desk_at(scenario, official_token="x" * 20)


def test_health_shows_queues_and_how_busy_the_engines_are(desk_at, scripted_bot, guest_at):
    async def scenario(desk, address, _site):
        async with scripted_bot(address, script=lambda bot, request: None if bot.held else bot.think(request)) as bot:
            bot.held = False
            guest = await guest_at(address).open()
            await guest.my_turn()
            bot.held = True
            await guest.act(3)
            await guest.until(lambda state: state["ply"] == 1)
            while not (view := await desk.view())["bots"][0]["waiting"]:
                await asyncio.sleep(0.01)
            health, client = view["health"], view["bots"][0]
            assert (health["games"], health["trouble"], client["sessions"]) == (1, None, 1)
            assert {"moves", "new games", "loads of games", "positions", "database"} <= health["queues"].keys()
            assert health["sockets"]["play"] == 1
            assert health["moveMs"] >= 0
            assert 0 < client["busy"] <= 1
            figures = (await desk.http.get("/metrics")).text
            assert 'ludus_waiting{queue="moves"} 0.0' in figures
            assert 'ludus_bot_busy{client="c1"}' in figures

    desk_at(scenario, request_timeout_s=30.0)


def test_acts_without_a_reason_or_a_name_are_refused(desk_at):
    async def scenario(desk, _address, _site):
        for change in ({"why": ""}, {"who": ""}, {"who": "x" * 41}, {"hours": 0}, {"act": "dance"}):
            body = {"act": "ban", "subject": "192.0.2.9", "who": "Olga", "why": "spam"} | change
            headers = {"authorization": f"Bearer {TOKEN}"}
            answer = await desk.http.post("/api/operator/acts", content=json.dumps(body), headers=headers)
            assert answer.status_code == 400, change

    desk_at(scenario)


def test_reports_reach_the_operator_with_the_message_that_the_site_has(desk_at, guest_at):
    async def scenario(desk, address, _site):
        ann = await guest_at(address).invite()
        bob = await guest_at(address).sit_down(ann.id)
        await ann.say(type="chat", text="You are a fool.")
        line = (await bob.told("chat"))["line"]
        body = {"gameId": ann.id, "line": line, "why": "Insults."}
        assert (await desk.http.post("/api/reports", json=body)).status_code == 201
        assert (await desk.http.post("/api/reports", json={"gameId": ann.id, "side": 0})).status_code == 201
        reports = (await desk.view())["reports"]
        assert [(each["name"], each["text"], each["why"], each["gameId"]) for each in reports] == [
            ("Ann", "", "", ann.id),
            ("Ann", "You are a fool.", "Insults.", ann.id),
        ]
        assert reports[0]["subject"].startswith("guest ")
        view = await desk.act("close-report", str(reports[0]["id"]))
        assert len(view["reports"]) == 1
        for wrong in ({"gameId": ann.id, "line": 99}, {"gameId": ann.id}, {"name": "nobody"}, {}):
            assert (await desk.http.post("/api/reports", json=wrong)).status_code in (400, 404)

    desk_at(scenario, safety=SafetySettings())


def test_blocked_people_cannot_join_each_others_games(at_site):
    config = {"game": "connect4", "boardWidth": 7, "boardHeight": 6}

    async def scenario(address, _site):
        async with httpx.AsyncClient(base_url=address) as ann, httpx.AsyncClient(base_url=address) as bob:
            keys = [(await each.get("/api/me")).json()["key"] for each in (ann, bob)]
            assert keys[0] != keys[1]
            blocked = await ann.post("/api/me/blocks", json={"key": keys[1], "name": "Bob"})
            assert blocked.json() == {"people": [{"key": keys[1], "name": "Bob"}]}
            for host, guest in ((ann, bob), (bob, ann)):
                opened = (await host.post("/api/games", json={"config": config})).json()
                refused = await guest.post(f"/api/games/{opened['gameId']}/join", json={})
                assert refused.status_code == 403
                assert refused.json()["error"] == "You cannot play with this person. Choose another game."
            assert (await ann.delete(f"/api/me/blocks/{keys[1]}")).json() == {"people": []}
            assert (await bob.post(f"/api/games/{opened['gameId']}/join", json={})).status_code == 200

    at_site(scenario)
