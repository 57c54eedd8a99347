"""The door, with a site behind it that says yes to everything."""

import asyncio

import httpx
import pytest

from ludus.site.operations.metrics import SiteMetrics
from ludus.site.safety.guard import Guard
from ludus.site.safety.headers import HEADERS
from ludus.site.safety.limits import RateLimit
from ludus.site.safety.settings import SafetySettings

HOME = "http://home"


async def echo(scope, receive, send):
    """Answer every request with its body, and every message of a socket with itself."""
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.accept"})
        while (message := await receive())["type"] == "websocket.receive":
            await send({"type": "websocket.send", "text": message["text"]})
        return
    body = b""
    while (message := await receive())["type"] == "http.request":
        body += message["body"]
        if not message.get("more_body"):
            break
    await send({"type": "http.response.start", "status": 200, "headers": [(b"Referrer-Policy", b"no-such-thing")]})
    await send({"type": "http.response.body", "body": body})


def guard(app=echo, allowed=(), **settings):
    metrics = SiteMetrics()
    guarded = Guard(
        app, settings=SafetySettings(**settings), allowed_origins=allowed, metrics=metrics, clock=lambda: 0.0
    )
    guarded.figures = metrics
    return guarded


def ask(guarded, method="GET", path="/", address="192.0.2.1", headers=None, content=b"", times=1):
    async def asked():
        transport = httpx.ASGITransport(guarded, client=(address, 1))
        async with httpx.AsyncClient(transport=transport, base_url=HOME) as http:
            return [await http.request(method, path, headers=headers, content=content) for _ in range(times)]

    return asyncio.run(asked())


class Socket:
    """A socket's far end, scripted."""

    def __init__(self, guarded, texts=(), address="192.0.2.1", path="/ws/play/1", headers=(), stuck=False):
        self.scope = {"type": "websocket", "path": path, "client": (address, 1)}
        self.scope["headers"] = [(b"host", b"home"), *((k.encode(), v.encode()) for k, v in headers)]
        self.guarded, self.stuck = guarded, stuck
        self.inbox = [{"type": "websocket.connect"}, *({"type": "websocket.receive", "text": text} for text in texts)]
        self.sent = []

    async def receive(self):
        return self.inbox.pop(0) if self.inbox else {"type": "websocket.disconnect", "code": 1000}

    async def send(self, message):
        if self.stuck and message["type"] == "websocket.send":
            await asyncio.Event().wait()
        self.sent.append(message)

    async def run(self):
        await self.guarded(self.scope, self.receive, self.send)
        return self.sent

    @property
    def closed_with(self):
        return next((message["code"] for message in self.sent if message["type"] == "websocket.close"), None)


def test_every_answer_tells_browsers_what_they_may_do():
    (answer,) = ask(guard())
    for name, value in HEADERS.items():
        assert answer.headers[name] == value
    assert "script-src 'self';" in answer.headers["content-security-policy"]


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH"])
@pytest.mark.parametrize(
    "headers",
    [{"origin": "http://evil"}, {"origin": "null"}, {"sec-fetch-site": "cross-site"}, {"sec-fetch-site": "same-site"}],
)
def test_pages_of_other_sites_change_nothing(method, headers):
    (answer,) = ask(guard(), method, headers=headers)
    assert answer.status_code == 403


@pytest.mark.parametrize("headers", [{}, {"origin": HOME}, {"origin": HOME, "sec-fetch-site": "same-origin"}])
def test_the_site_s_own_page_and_programs_may(headers):
    (answer,) = ask(guard(), "POST", headers=headers, content=b"yes")
    assert (answer.status_code, answer.content) == (200, b"yes")


def test_an_allowed_page_may_although_it_is_another_site_s():
    headers = {"origin": "http://friend", "sec-fetch-site": "cross-site"}
    assert ask(guard(allowed=("http://friend",)), "POST", headers=headers)[0].status_code == 200


def test_a_body_that_is_too_long_is_refused_whatever_it_says():
    (honest,) = ask(guard(max_body_bytes=10), "POST", content=b"x" * 11)
    assert honest.status_code == 413
    for length in ("-1", "1e9", "ten"):
        assert ask(guard(), "POST", headers={"content-length": length})[0].status_code == 413


def test_a_game_s_text_may_be_longer_than_other_bodies():
    guarded = guard(max_body_bytes=10, max_text_bytes=20)
    assert ask(guarded, "POST", path="/api/read", content=b"x" * 20)[0].status_code == 200
    assert ask(guarded, "POST", path="/api/read", content=b"x" * 21)[0].status_code == 413
    assert ask(guarded, "POST", path="/api/shared", content=b"x" * 11)[0].status_code == 413


def test_too_many_requests_are_told_when_to_come_back():
    answers = ask(guard(requests=RateLimit(2, 0.25)), times=3)
    assert [answer.status_code for answer in answers] == [200, 200, 429]
    assert answers[-1].headers["retry-after"] == "5"
    assert answers[-1].json() == {"error": "Too many requests from your address; try again in a few seconds."}
    assert answers[-1].headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize(
    "path",
    [
        "/api/session",
        "/api/account",
        "/api/account/password",
        "/api/shared",
        "/api/read",
        "/api/bot-tokens",
        "/api/me/seats/abc",
    ],
)
def test_costly_requests_are_counted_apart(path):
    guarded = guard(costly=RateLimit(1, 1))
    assert [each.status_code for each in ask(guarded, "POST", path, times=2)] == [200, 429]
    assert ask(guarded, "GET", "/api/archive")[0].status_code == 200


@pytest.mark.parametrize(
    "path",
    [
        "/api/study",
        "/api/study/evaluation",
        "/api/study/kit",
        "/api/study/arrange",
        "/api/shared/plies/7",
        "/api/puzzles/chess/abcdefghijkl",
    ],
)
def test_lines_of_analysis_boards_are_counted_apart(path):
    guarded = guard(study=RateLimit(1, 1), costly=RateLimit(1, 1))
    assert [each.status_code for each in ask(guarded, "POST", path, times=2)] == [200, 429]
    assert ask(guarded, "POST", "/api/session")[0].status_code == 200


@pytest.mark.parametrize("path", ["/api/study", "/api/shared/plies/7"])
def test_a_hand_may_hurry_through_a_game(path):
    assert {each.status_code for each in ask(guard(), "POST", path, times=80)} == {200}


@pytest.mark.parametrize("address", ["127.0.0.1", "::1", "::ffff:127.0.0.1", "2001:db8:1:2::7", "2001:db8:1:2::8"])
def test_exempt_addresses_are_not_counted_however_they_are_written_nor_are_those_of_their_household(address):
    exempt = ("::ffff:127.0.0.1", "::1", "2001:db8:1:2::7")
    guarded = guard(requests=RateLimit(1, 1), max_sockets=0, unlimited_addresses=exempt)
    assert ask(guarded, address=address, times=3)[-1].status_code == 200
    socket = Socket(guarded, ["x"], address=address)
    asyncio.run(socket.run())
    assert socket.closed_with is None


def test_the_neighbours_of_an_exempt_household_are_counted():
    guarded = guard(requests=RateLimit(1, 1), unlimited_addresses=("2001:db8:1:2::7",))
    assert ask(guarded, address="2001:db8:1:3::7", times=3)[-1].status_code == 429


def test_this_machine_and_those_who_look_after_it_are_not_counted():
    assert ask(guard(requests=RateLimit(1, 1)), address="127.0.0.1", times=3)[-1].status_code == 200
    assert ask(guard(requests=RateLimit(1, 1)), path="/healthz", times=3)[-1].status_code == 200


@pytest.mark.parametrize("origin", ["http://evil", "null", "http://home.evil", "https://", "http://[", ""])
def test_sockets_of_other_sites_pages_are_turned_away_before_they_are_open(origin):
    socket = Socket(guard(), headers=[("origin", origin)])
    assert asyncio.run(socket.run()) == [{"type": "websocket.close", "code": 1008}]


def test_a_flood_is_cut_off_and_others_go_on():
    guarded = guard(messages=RateLimit(10, 1))
    flooder, other = Socket(guarded, ["x"] * 50), Socket(guarded, ["x"] * 5, address="192.0.2.2")
    asyncio.run(flooder.run())
    asyncio.run(other.run())
    assert flooder.closed_with == 1013
    assert len([message for message in flooder.sent if message["type"] == "websocket.send"]) == 10
    assert other.closed_with is None
    assert b'ludus_refused_total{why="flood"} 1.0' in guarded.figures.text()


def test_a_flood_over_many_sockets_is_cut_off_too():
    guarded = guard(messages=RateLimit(10, 0.001))
    sockets = [Socket(guarded, ["x"] * 9) for _ in range(6)]
    for socket in sockets:
        asyncio.run(socket.run())
    assert [socket.closed_with for socket in sockets] == [None, None, None, None, 1013, 1013]


def test_a_bot_client_may_say_more_than_a_page():
    guarded = guard(messages=RateLimit(1, 1))
    assert asyncio.run(bot.run()) if (bot := Socket(guarded, ["x"] * 100, path="/ws/custom-bot")) else None
    assert bot.closed_with is None


def test_one_address_has_so_many_sockets_and_no_more():
    async def scenario():
        guarded = guard(max_sockets=2)
        doors = [asyncio.Event() for _ in range(3)]

        async def wait_behind(socket, door):
            receive = socket.receive

            async def later():
                await door.wait()
                return await receive()

            socket.receive = receive if door.is_set() else later
            return await socket.run()

        first = [asyncio.create_task(wait_behind(Socket(guarded), door)) for door in doors[:2]]
        await asyncio.sleep(0)
        third = Socket(guarded)
        await third.run()
        assert third.closed_with == 1013
        other = Socket(guarded, address="192.0.2.2")
        await other.run()
        assert other.closed_with is None
        for door in doors:
            door.set()
        await asyncio.gather(*first)
        again = Socket(guarded)
        await again.run()
        assert again.closed_with is None

    asyncio.run(scenario())


def test_sockets_that_are_opened_too_fast_are_turned_away_as_requests_are():
    guarded = guard(requests=RateLimit(2, 0.001))
    sockets = [Socket(guarded) for _ in range(3)]
    other = Socket(guarded, address="192.0.2.2")
    for socket in (*sockets, other):
        asyncio.run(socket.run())
    assert [socket.closed_with for socket in (*sockets, other)] == [None, None, 1013, None]
    assert b'ludus_refused_total{why="rate"} 1.0' in guarded.figures.text()
    assert ask(guarded)[0].status_code == 429


def test_whoever_reads_too_slowly_is_given_up():
    guarded = guard(slow_reader_s=0.01)
    socket = Socket(guarded, ["x"], stuck=True)
    with pytest.raises(OSError, match="reads too slowly"):  # what a server raises for a client that is gone
        asyncio.run(socket.run())
    assert socket.closed_with == 1013
    assert b'ludus_refused_total{why="slow"} 1.0' in guarded.figures.text()


def test_open_sockets_are_counted_by_kind():
    async def watching(scope, receive, send):
        assert b'ludus_sockets{kind="eval"} 1.0' in guarded.figures.text()

    guarded = guard(watching)
    asyncio.run(Socket(guarded, path="/ws/eval/x").run())
    assert b'ludus_sockets{kind="eval"} 0.0' in guarded.figures.text()
