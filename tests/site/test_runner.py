"""Running the site: errors about its port, and how it stops."""

import asyncio
import logging

import pytest
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from ludus.errors import Unavailable
from ludus.site.database.claim import TakenError
from ludus.site.faults import NotHere
from ludus.site.runner import PROXIES, listen


def test_a_port_in_use_is_named_with_the_remedy():
    with listen("127.0.0.1", 0) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(Unavailable, match=f"Port {port} on 127.0.0.1 is in use; choose another with --port"):
            listen("127.0.0.1", port)


@pytest.mark.parametrize(
    ("host", "port"), [("127.0.0.1", 70_000), ("no.such.host.invalid", 8000), ("192.0.2.77", 0), ("ä..b", 0)]
)
def test_an_impossible_address_is_told_in_a_sentence(host, port):
    with pytest.raises(Unavailable, match=f"Cannot listen on {host}, port {port}"):
        listen(host, port)


@pytest.mark.parametrize(
    ("proxy", "caller"),
    [
        ("127.0.0.1", "192.0.2.1"),
        ("::1", "192.0.2.1"),
        ("::ffff:127.0.0.1", "192.0.2.1"),
        ("192.0.2.9", "192.0.2.9"),
    ],
)
def test_a_proxy_on_this_machine_is_believed_however_a_socket_writes_its_address(proxy, caller):
    callers = []

    async def note(scope, _receive, _send):
        callers.append(scope["client"][0])

    headers = [(b"x-forwarded-for", b"192.0.2.1")]
    scope = {"type": "http", "client": (proxy, 1), "scheme": "http", "headers": headers}
    asyncio.run(ProxyHeadersMiddleware(note, list(PROXIES))(scope, None, None))
    assert callers == [caller]


def test_a_site_whose_database_another_has_taken_stops_with_a_sentence(at_site, monkeypatch):
    async def scenario(_address, site):
        async def refuse(_at):
            raise TakenError("Another Ludus has it.")

        monkeypatch.setattr(site.live_games.store, "beat", refuse)
        await asyncio.sleep(30)

    with pytest.raises(TakenError, match="claimed this database"):
        at_site(scenario, pulse_s=0.05)


def test_a_page_that_leaves_before_its_answer_is_no_error(at_site, caplog, monkeypatch):
    async def scenario(address, site):
        answered = asyncio.Event()

        async def find(_game_id, _address):
            await asyncio.sleep(0.2)
            answered.set()
            raise NotHere("There is no such game here.")

        monkeypatch.setattr(site.live_games, "find", find)
        page = await connect(f"{address.replace('http', 'ws')}/ws/play/nothing")
        page.transport.abort()
        await answered.wait()
        await asyncio.sleep(0.1)

    at_site(scenario)
    assert not [record.getMessage() for record in caplog.records if record.levelno >= logging.ERROR]


def test_a_refused_handshake_is_an_answer_and_no_error(at_site, guest_at, caplog):
    async def scenario(address, _site):
        game_id = (await guest_at(address).invite()).id
        for path, status in ((f"{game_id}?token=wrong", 401), ("nothing", 404)):
            with pytest.raises(InvalidStatus) as refused:
                await connect(f"{address.replace('http', 'ws')}/ws/games/{path}")
            assert refused.value.response.status_code == status

    at_site(scenario)
    assert not [record.getMessage() for record in caplog.records if record.levelno >= logging.ERROR]
