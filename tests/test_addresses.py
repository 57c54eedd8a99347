"""Formatting of server addresses, and addresses for connections from the same machine."""

import socket

import pytest

from ludus.addresses import address_of, place_of, reached_at
from ludus.site.runner import listen


@pytest.mark.parametrize("host", ["0.0.0.0", "127.0.0.1", "localhost"])
def test_a_server_on_all_interfaces_is_reached_at_the_loopback_address(host):
    with listen(host, 0) as listener, socket.create_connection((reached_at(host), listener.getsockname()[1]), 10):
        assert reached_at(host) in ("127.0.0.1", "localhost")


def test_ipv4_and_ipv6_addresses_are_formatted_with_ports():
    written = [address_of(reached_at(host), 80) for host in ("::", "::1", "0.0.0.0", "192.0.2.1", "a.example")]
    assert written == ["[::1]:80", "[::1]:80", "127.0.0.1:80", "192.0.2.1:80", "a.example:80"]


def test_the_operator_gets_an_address_that_can_be_opened():
    assert place_of("192.0.2.1", 80) == "http://192.0.2.1:80"
    assert place_of("0.0.0.0", 80) == f"http://127.0.0.1:80 and, from elsewhere, http://{socket.gethostname()}:80"
