"""The port: in use, forbidden or impossible ones are told in a sentence."""

import pytest

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
