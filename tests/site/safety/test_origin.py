"""Only this site's pages, allowed ones and programs may open sockets."""

import pytest

from ludus.site.safety.guard import is_welcome


@pytest.mark.parametrize(
    ("origin", "host", "welcome"),
    [
        (None, "example.org", True),
        ("https://example.org", "example.org", True),
        ("http://Example.org:8000", "example.org:8000", True),
        ("http://example.org:8000", "example.org:8001", False),
        ("http://evil.example", "example.org", False),
        ("http://example.org.evil.example", "example.org", False),
        ("http://localhost:5173", "example.org", True),
        ("null", "example.org", False),
        ("http://[", "example.org", False),
        ("http://example.org", None, False),
        ("", "", False),
        ("https://example.org", "example.org:443", True),
        ("https://example.org:443", "example.org", True),
        ("http://example.org", "example.org:80", True),
        ("https://example.org", "example.org:80", False),
        ("http://example.org", "example.org:443", False),
        ("https://[2001:db8::1]", "[2001:db8::1]:443", True),
        ("http://localhost.example:80", "example.org", True),
        ("https://evil.example@example.org", "example.org", False),
        ("https://evil.example", "example.org@evil.example", False),
        ("https://example.org:99999", "example.org:99999", False),
    ],
)
def test_the_origin_of_a_page_must_be_the_requested_host(origin, host, welcome):
    assert is_welcome(origin, host, ["http://localhost:5173", "http://localhost.example"]) is welcome
