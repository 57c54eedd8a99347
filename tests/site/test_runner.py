"""The port: in use, forbidden or impossible ones are told in a sentence."""

import logging

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from ludus.errors import Unavailable
from ludus.site.runner import listen


def test_a_port_in_use_is_named_with_the_remedy():
    with listen("127.0.0.1", 0) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(Unavailable, match=f"Port {port} on 127.0.0.1 is in use; choose another with --port"):
            listen("127.0.0.1", port)


@pytest.mark.parametrize(("host", "port"), [("127.0.0.1", 70_000), ("no.such.host.invalid", 8000), ("192.0.2.77", 0)])
def test_an_impossible_address_is_told_in_a_sentence(host, port):
    with pytest.raises(Unavailable, match=f"Cannot listen on {host}, port {port}"):
        listen(host, port)


def test_a_refused_handshake_is_an_answer_and_no_error(at_site, guest_at, caplog):
    async def scenario(address, _site):
        game_id = (await guest_at(address).invite()).id
        for path, status in ((f"{game_id}?token=wrong", 401), ("nothing", 404)):
            with pytest.raises(InvalidStatus) as refused:
                await connect(f"{address.replace('http', 'ws')}/ws/games/{path}")
            assert refused.value.response.status_code == status

    at_site(scenario)
    assert not [record.getMessage() for record in caplog.records if record.levelno >= logging.ERROR]
