"""The guard in front of an application that accepts everything."""

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
    """Return every request's body, and echo every socket message."""
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
    """A scripted socket client."""

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


def test_every_response_has_the_security_headers():
    (answer,) = ask(guard())
    for name, value in HEADERS.items():
        assert answer.headers[name] == value
    assert "script-src 'self' 'wasm-unsafe-eval';" in answer.headers["content-security-policy"]


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH"])
@pytest.mark.parametrize(
    "headers",
    [{"origin": "http://evil"}, {"origin": "null"}, {"sec-fetch-site": "cross-site"}, {"sec-fetch-site": "same-site"}],
)
def test_unsafe_requests_of_other_sites_are_refused(method, headers):
    (answer,) = ask(guard(), method, headers=headers)
    assert answer.status_code == 403


@pytest.mark.parametrize("headers", [{}, {"origin": HOME}, {"origin": HOME, "sec-fetch-site": "same-origin"}])
def test_unsafe_requests_of_the_own_page_and_of_programs_are_allowed(headers):
    (answer,) = ask(guard(), "POST", headers=headers, content=b"yes")
    assert (answer.status_code, answer.content) == (200, b"yes")


def test_unsafe_requests_of_an_allowed_origin_are_allowed():
    headers = {"origin": "http://friend", "sec-fetch-site": "cross-site"}
    assert ask(guard(allowed=("http://friend",)), "POST", headers=headers)[0].status_code == 200


def test_a_body_that_is_too_long_is_refused_despite_its_content_length():
    (honest,) = ask(guard(max_body_bytes=10), "POST", content=b"x" * 11)
    assert honest.status_code == 413
    for length in ("-1", "1e9", "ten"):
        assert ask(guard(), "POST", headers={"content-length": length})[0].status_code == 413


def test_the_text_of_a_game_may_be_longer_than_other_bodies():
    guarded = guard(max_body_bytes=10, max_text_bytes=20)
    assert ask(guarded, "POST", path="/api/read", content=b"x" * 20)[0].status_code == 200
    assert ask(guarded, "POST", path="/api/read", content=b"x" * 21)[0].status_code == 413
    assert ask(guarded, "POST", path="/api/shared", content=b"x" * 11)[0].status_code == 413


def test_refused_requests_get_a_retry_time():
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
def test_costly_requests_have_their_own_limit(path):
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
def test_requests_of_analysis_boards_have_their_own_limit(path):
    guarded = guard(study=RateLimit(1, 1), costly=RateLimit(1, 1))
    assert [each.status_code for each in ask(guarded, "POST", path, times=2)] == [200, 429]
    assert ask(guarded, "POST", "/api/session")[0].status_code == 200


@pytest.mark.parametrize("path", ["/api/study", "/api/shared/plies/7"])
def test_stepping_through_a_game_quickly_is_within_the_limit(path):
    assert {each.status_code for each in ask(guard(), "POST", path, times=80)} == {200}


@pytest.mark.parametrize("address", ["127.0.0.1", "::1", "::ffff:127.0.0.1", "2001:db8:1:2::7", "2001:db8:1:2::8"])
def test_exempt_addresses_and_their_networks_have_no_limit(address):
    exempt = ("::ffff:127.0.0.1", "::1", "2001:db8:1:2::7")
    guarded = guard(requests=RateLimit(1, 1), max_sockets=0, unlimited_addresses=exempt)
    assert ask(guarded, address=address, times=3)[-1].status_code == 200
    socket = Socket(guarded, ["x"], address=address)
    asyncio.run(socket.run())
    assert socket.closed_with is None


def test_neighbouring_networks_of_an_exempt_address_have_limits():
    guarded = guard(requests=RateLimit(1, 1), unlimited_addresses=("2001:db8:1:2::7",))
    assert ask(guarded, address="2001:db8:1:3::7", times=3)[-1].status_code == 429


def test_this_machine_and_monitoring_have_no_limit():
    assert ask(guard(requests=RateLimit(1, 1)), address="127.0.0.1", times=3)[-1].status_code == 200
    assert ask(guard(requests=RateLimit(1, 1)), path="/healthz", times=3)[-1].status_code == 200


@pytest.mark.parametrize("origin", ["http://evil", "null", "http://home.evil", "https://", "http://[", ""])
def test_sockets_of_other_sites_are_refused_before_the_handshake(origin):
    socket = Socket(guard(), headers=[("origin", origin)])
    assert asyncio.run(socket.run()) == [{"type": "websocket.close", "code": 1008}]


def test_a_socket_with_too_many_messages_is_closed_and_others_stay_open():
    guarded = guard(messages=RateLimit(10, 1))
    flooder, other = Socket(guarded, ["x"] * 50), Socket(guarded, ["x"] * 5, address="192.0.2.2")
    asyncio.run(flooder.run())
    asyncio.run(other.run())
    assert flooder.closed_with == 1013
    assert len([message for message in flooder.sent if message["type"] == "websocket.send"]) == 10
    assert other.closed_with is None
    assert b'ludus_refused_total{why="flood"} 1.0' in guarded.figures.text()


def test_too_many_messages_over_several_sockets_are_refused():
    guarded = guard(messages=RateLimit(10, 0.001))
    sockets = [Socket(guarded, ["x"] * 9) for _ in range(6)]
    for socket in sockets:
        asyncio.run(socket.run())
    assert [socket.closed_with for socket in sockets] == [None, None, None, None, 1013, 1013]


def test_a_bot_client_may_send_more_messages_than_a_page():
    guarded = guard(messages=RateLimit(1, 1))
    assert asyncio.run(bot.run()) if (bot := Socket(guarded, ["x"] * 100, path="/ws/custom-bot")) else None
    assert bot.closed_with is None


def test_the_number_of_sockets_per_address_is_limited():
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


def test_new_sockets_count_towards_the_request_limit():
    guarded = guard(requests=RateLimit(2, 0.001))
    sockets = [Socket(guarded) for _ in range(3)]
    other = Socket(guarded, address="192.0.2.2")
    for socket in (*sockets, other):
        asyncio.run(socket.run())
    assert [socket.closed_with for socket in (*sockets, other)] == [None, None, 1013, None]
    assert b'ludus_refused_total{why="rate"} 1.0' in guarded.figures.text()
    assert ask(guarded)[0].status_code == 429


def test_a_socket_that_reads_too_slowly_is_closed():
    guarded = guard(slow_reader_s=0.01)
    socket = Socket(guarded, ["x"], stuck=True)
    with pytest.raises(OSError, match="reads too slowly"):  # as a server raises after a client has disconnected
        asyncio.run(socket.run())
    assert socket.closed_with == 1013
    assert b'ludus_refused_total{why="slow"} 1.0' in guarded.figures.text()


def test_open_sockets_are_counted_by_kind():
    async def watching(scope, receive, send):
        assert b'ludus_sockets{kind="eval"} 1.0' in guarded.figures.text()

    guarded = guard(watching)
    asyncio.run(Socket(guarded, path="/ws/eval/x").run())
    assert b'ludus_sockets{kind="eval"} 0.0' in guarded.figures.text()
