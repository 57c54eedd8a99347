"""Limits below the application: connections, the frames of sockets, and the work in one turn of the event loop.

The middleware in `guard.py` sees whole requests and messages only.  Pings, pongs and parts of messages, and connections
that send nothing, are counted here, in subclasses of Uvicorn's protocols.
"""

import asyncio
import logging
import time
from collections.abc import Callable
from typing import Any, NamedTuple

from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame

from ludus.site.safety.limits import (
    NEIGHBOURS,
    AddressLimiter,
    ConnectionLimit,
    RateLimiter,
    is_this_machine,
    neighbourhood,
)
from ludus.site.safety.settings import SafetySettings

# pyright: reportUnknownMemberType=false
# Uvicorn's protocols are partly untyped.

_log = logging.getLogger(__name__)

TURN_BYTES = 4096
"""Bytes of one socket that are parsed in one turn of the event loop."""
OPERATORS = 16
"""Connections kept for this machine, from which an operator looks at a site that is full."""
UNUSED_FILES = 64
"""File descriptors that are not used for connections, but for the database, logs and bots."""
QUIET_S = 60.0
"""Seconds between two log lines about a full site."""


class Protocols(NamedTuple):
    """Uvicorn's protocol classes with limits."""

    http: type[H11Protocol]
    socket: type[WebSocketsSansIOProtocol]


class Connections:
    """The limits of a site's connections, and what is open."""

    def __init__(self, settings: SafetySettings, files: int, clock: Callable[[], float] = time.monotonic) -> None:
        """Create the limits.

        Args:
            settings: the limits.
            files: the limit of open files of this process.
            clock: returns seconds; only differences matter.
        """
        self.settings, self._clock, self._exempt = settings, clock, settings.exempt()
        self._most = max(OPERATORS, files - UNUSED_FILES - OPERATORS)
        self._by_address = ConnectionLimit(settings.max_connections)
        self._frames = RateLimiter(settings.frames.times(NEIGHBOURS), clock)
        self._new = AddressLimiter(settings.requests, clock)
        self._last_told = -QUIET_S

    def enter(self, host: str, num_open: int) -> bool:
        """Count a new connection from `host`, besides which `num_open` are open; return False if it is refused."""
        if num_open >= self._most + (OPERATORS if is_this_machine(host) else 0):
            if self._clock() - self._last_told >= QUIET_S:
                self._last_told = self._clock()
                _log.warning("The site is full: %d connections are open; more are refused.", num_open)
            return False
        if self._is_exempt(host):
            return True
        return not self._new.take(neighbourhood(host)) and self._by_address.enter(neighbourhood(host))

    def leave(self, host: str) -> None:
        """Count the end of a connection."""
        if not self._is_exempt(host):
            self._by_address.leave(neighbourhood(host))

    def socket_limiter(self) -> RateLimiter:
        """Return the limiter for the frames of one socket."""
        return RateLimiter(self.settings.frames, self._clock)

    def allows_frame(self, host: str) -> bool:
        """Count a frame of an address; return False if there are too many."""
        return self._is_exempt(host) or not self._frames.take(neighbourhood(host))

    def protocols(self) -> Protocols:
        """Return Uvicorn's protocol classes with these limits."""
        own = {"connections_open": self}
        return Protocols(type("Http", (LimitedHttp,), own), type("Socket", (LimitedSocket,), own))

    def _is_exempt(self, host: str) -> bool:
        return neighbourhood(host) in self._exempt


class LimitedHttp(H11Protocol):
    """A connection, which is refused above the limits and closed if it sends no request in time."""

    connections_open: Connections
    _counted: str | None = None  # the host under which this connection is counted
    _silence: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Count the connection, or refuse it."""
        super().connection_made(transport)
        host = self.client[0] if self.client else ""
        if not self.connections_open.enter(host, len(self.connections) - 1):
            transport.abort()
            return
        self._counted = host
        self._wait()

    def data_received(self, data: bytes) -> None:
        """Parse data, and wait for the rest of a request for a limited time."""
        self._wait()
        super().data_received(data)
        after = self.transport.get_protocol()
        if isinstance(after, LimitedSocket):  # the connection has become a socket and counts on
            after.counted, self._counted = self._counted, None
            self._stop()
        elif self.scope is not None and not self.cycle.response_complete:  # pyright: ignore[reportUnnecessaryComparison]
            self._stop()  # a request has arrived

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop counting the connection."""
        self._stop()
        if self._counted is not None:
            self.connections_open.leave(self._counted)
            self._counted = None
        super().connection_lost(exc)

    def _wait(self) -> None:
        if self._silence is None:
            self._silence = self.loop.call_later(self.connections_open.settings.silent_s, self.transport.close)

    def _stop(self) -> None:
        if self._silence is not None:
            self._silence.cancel()
            self._silence = None


class LimitedSocket(WebSocketsSansIOProtocol):
    """A WebSocket whose frames are counted, and parsed in small parts."""

    connections_open: Connections
    counted: str | None = None
    """The host under which this connection is counted."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Prepare the limits of the socket."""
        super().connection_made(transport)
        self._frames = self.connections_open.socket_limiter()
        self._left = bytearray()  # bytes that wait for the next turns
        self._is_going = False

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop counting the connection."""
        if self.counted is not None:
            self.connections_open.leave(self.counted)
            self.counted = None
        self._left.clear()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Parse the first part of the data now, and the rest in later turns of the event loop."""
        self._left += data
        if not self._is_going:
            self._go_on()

    async def receive(self) -> Any:  # noqa: ANN401 - Uvicorn's type is private
        """Return the next message; do not read more while parts of earlier data wait."""
        message = await super().receive()
        if self._left:
            self.transport.pause_reading()
        return message

    def _go_on(self) -> None:
        self._is_going = False
        if self.transport.is_closing():
            self._left.clear()
            return
        part = bytes(self._left[:TURN_BYTES])
        del self._left[:TURN_BYTES]
        super().data_received(part)
        if self._left:
            self._is_going = True
            self.transport.pause_reading()
            self.loop.call_soon(self._go_on)
        elif not self.read_paused and not self.transport.is_closing():
            self.transport.resume_reading()

    def handle_ping(self) -> None:
        """Count a ping and answer it."""
        if self._is_counted():
            super().handle_ping()

    def handle_pong(self, event: Frame) -> None:
        """Count a pong."""
        if self._is_counted():
            super().handle_pong(event)

    def handle_cont(self, event: Frame) -> None:
        """Count a later part of a message."""
        if self._is_counted():
            super().handle_cont(event)

    def send_receive_event_to_app(self) -> None:
        """Pass a message on; text that is not UTF-8 closes the socket."""
        if self.curr_msg_data_type == "text" and not self.close_sent:
            try:
                b"".join(self.frames).decode()
            except UnicodeDecodeError:
                self._end(1007, "Invalid UTF-8")
                return
        super().send_receive_event_to_app()

    def _is_counted(self) -> bool:
        """Count a frame that is no whole message; return False, and close the socket, if there are too many."""
        if self.close_sent:
            return False
        host = self.client[0] if self.client else ""
        if not self._frames.take("") and self.connections_open.allows_frame(host):
            return True
        _log.debug("A socket was closed: too many frames.")  # no line of the log for each socket of a flood
        self._end(1013, "Too many frames")
        return False

    def _end(self, code: int, reason: str) -> None:
        self.conn.fail(code, reason)
        self.handle_parser_exception()
        self.frames = []
        self._left.clear()
