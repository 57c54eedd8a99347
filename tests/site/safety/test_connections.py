"""Limits below the application: floods of frames, silent connections, and a site that is full."""

import asyncio
import contextlib
import logging
import time

import pytest
from websockets.asyncio.client import connect

from ludus.site.safety.connections import OPERATORS, UNUSED_FILES, Connections
from ludus.site.safety.limits import RateLimit
from ludus.site.safety.settings import SafetySettings

MASK = b"\0\0\0\0"
PING, PONG, PART = b"\x89\x80" + MASK, b"\x8a\x80" + MASK, b"\x00\x80" + MASK
BEGIN = b"\x01\x81" + MASK + b"x"  # the first part of a text
FEW = SafetySettings(frames=RateLimit(20, 5), unlimited_addresses=())


def lobby(address):
    return connect(address.replace("http", "ws") + "/ws/lobby", ping_interval=None)


@pytest.mark.parametrize(
    "frames", [PING * 50_000, PONG * 50_000, BEGIN + PART * 50_000], ids=["pings", "pongs", "parts"]
)
def test_a_flood_of_frames_closes_its_socket_and_delays_nobody(at_site, frames):
    async def scenario(address, _site):
        async with lobby(address) as other, lobby(address) as flooding:
            await (await other.ping())
            flooding.transport.write(frames)
            begun = time.monotonic()
            await (await other.ping())
            delay = time.monotonic() - begun
            await flooding.wait_closed()
            assert flooding.close_code in (1013, 1006)  # 1006: more was sent than the site has read before it closed
            await (await other.ping())
        assert delay < 5, "a turn of the event loop parses a small part"

    at_site(scenario, safety=FEW)


def test_usual_pings_and_messages_in_parts_are_allowed(at_site):
    async def scenario(address, _site):
        async with lobby(address) as socket:
            for _ in range(3):
                await (await socket.ping())
                await socket.send(["a", "b", "c"])
                await (await socket.ping())

    at_site(scenario, safety=FEW)


def test_text_that_is_not_utf8_closes_the_socket_without_a_traceback(at_site, caplog):
    async def scenario(address, _site):
        async with lobby(address) as socket:
            socket.transport.write(b"\x81\x82" + MASK + b"\xff\xfe")
            await socket.wait_closed()
            assert socket.close_code == 1007

    with caplog.at_level(logging.WARNING):
        at_site(scenario)
    assert [record for record in caplog.records if record.exc_info] == []


@pytest.mark.parametrize("sent", [b"", b"GET / HTTP/1.1\r\nHost: x\r\n"], ids=["nothing", "half a request"])
def test_a_connection_without_a_whole_request_is_closed(at_site, sent):
    async def scenario(address, _site):
        host, port = address.removeprefix("http://").split(":")
        reader, writer = await asyncio.open_connection(host, int(port))
        writer.write(sent)
        async with asyncio.timeout(20):
            assert await reader.read() == b""
        writer.close()

    at_site(scenario, safety=SafetySettings(silent_s=0.5))


@pytest.mark.parametrize("path", ["/api/session", "/api/read"])
def test_a_body_that_does_not_arrive_in_time_is_refused(at_site, path):
    async def scenario(address, _site):
        host, port = address.removeprefix("http://").split(":")
        reader, writer = await asyncio.open_connection(host, int(port))
        writer.write(f"POST {path} HTTP/1.1\r\nHost: {host}:{port}\r\nContent-Length: 5000\r\n\r\n  ".encode())
        async with asyncio.timeout(120):
            told = (await reader.read()).decode()  # to the end of the connection
        writer.close()
        assert told.startswith("HTTP/1.1 408 ")
        assert "The request did not arrive within 0.5 seconds; send it again." in told

    at_site(scenario, safety=SafetySettings(body_s=0.5))


def test_a_body_that_comes_byte_by_byte_gets_no_more_time(at_site):
    async def scenario(address, _site):
        host, port = address.removeprefix("http://").split(":")
        reader, writer = await asyncio.open_connection(host, int(port))
        writer.write(f"POST /api/read HTTP/1.1\r\nHost: {host}:{port}\r\nContent-Length: 60000\r\n\r\n".encode())
        end = asyncio.create_task(reader.read())
        num_sent = 0
        with contextlib.suppress(ConnectionError):  # the site closes the connection
            while not end.done():
                writer.write(b" ")
                num_sent += 1
                await writer.drain()
                await asyncio.sleep(0.05)
        await asyncio.gather(end, return_exceptions=True)
        assert num_sent < 60_000
        writer.close()

    at_site(scenario, safety=SafetySettings(body_s=0.5))


def test_a_full_site_keeps_connections_for_this_machine_and_is_logged_once_a_minute(caplog):
    now = [0.0]
    limits = Connections(SafetySettings(), UNUSED_FILES + OPERATORS + 100, lambda: now[0])
    with caplog.at_level(logging.WARNING):
        assert limits.enter("192.0.2.1", 99)
        assert not limits.enter("192.0.2.2", 100)
        assert not limits.enter("192.0.2.2", 100)
        assert limits.enter("127.0.0.1", 100)
        assert not limits.enter("127.0.0.1", 100 + OPERATORS)
        assert len(caplog.records) == 1
        now[0] = 61.0
        assert not limits.enter("192.0.2.2", 100)
    assert [record.getMessage() for record in caplog.records] == [
        "The site is full: 100 connections are open; more are refused."
    ] * 2


def test_an_address_has_a_limit_of_connections():
    limits = Connections(SafetySettings(max_connections=2), 1024)
    assert [limits.enter("192.0.2.1", 0) for _ in range(3)] == [True, True, False]
    assert limits.enter("192.0.2.2", 0)
    limits.leave("192.0.2.1")
    assert limits.enter("192.0.2.1", 0)
