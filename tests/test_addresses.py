"""Addresses as people write them, and as programs of the same machine reach them."""

import socket

import pytest

from ludus.addresses import address_of, place_of, reached_at
from ludus.site.runner import listen


@pytest.mark.parametrize("host", ["0.0.0.0", "127.0.0.1", "localhost"])
def test_who_listens_everywhere_is_reached_at_the_machine_itself(host):
    with listen(host, 0) as listener, socket.create_connection((reached_at(host), listener.getsockname()[1]), 10):
        assert reached_at(host) in ("127.0.0.1", "localhost")


def test_addresses_of_both_kinds_are_written_with_their_ports():
    written = [address_of(reached_at(host), 80) for host in ("::", "::1", "0.0.0.0", "192.0.2.1", "a.example")]
    assert written == ["[::1]:80", "[::1]:80", "127.0.0.1:80", "192.0.2.1:80", "a.example:80"]


def test_people_are_told_an_address_that_they_can_open():
    assert place_of("192.0.2.1", 80) == "http://192.0.2.1:80"
    assert place_of("0.0.0.0", 80) == f"http://127.0.0.1:80 and, from elsewhere, http://{socket.gethostname()}:80"
