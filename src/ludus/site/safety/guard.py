"""Middleware that refuses requests and sockets of other sites' pages, and those that exceed a limit.

It is plain ASGI middleware, so that it covers every route and socket.
"""

import asyncio
import contextlib
import html
import logging
import secrets
import time
from collections.abc import Callable, Collection
from typing import Any
from urllib.parse import urlsplit

import structlog
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocketDisconnect

from ludus.site.operations.metrics import SiteMetrics
from ludus.site.safety.headers import with_headers
from ludus.site.safety.limits import NEIGHBOURS, AddressLimiter, ConnectionLimit, RateLimiter, address_of, whole_seconds
from ludus.site.safety.settings import SafetySettings

_log = logging.getLogger(__name__)

SAFE_METHODS = ("GET", "HEAD", "OPTIONS")
COSTLY = (
    "/api/account",
    "/api/session",
    "/api/shared",
    "/api/read",
    "/api/reviews",
    "/api/bot-tokens",
    "/api/me/seats",
    "/api/mail",
)
STUDY = ("/api/study", "/api/shared/plies", "/api/puzzles")
"""Paths that get one request per step of a user through a game."""
WHOLE_GAMES = ("/api/read", "/api/study/text", "/api/study/link")
"""Paths that receive whole games, as text or as a tree of variations."""
BOT_SOCKET = "/ws/custom-bot"
OBSERVED = ("/healthz", "/readyz", "/metrics")
"""Paths that monitoring requests all the time; they have no rate limit."""

_BANNED = """<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Banned</title>
<body style="font: 1.1rem/1.5 sans-serif; color-scheme: light dark">
<main style="max-width: 32rem; margin: 4rem auto; padding: 0 1rem"><h1>You are banned</h1><p>{}</p></main></body></html>
"""
_DEFAULT_PORTS = {"http": 80, "https": 443}  # `Origin` leaves them out, `Host` sometimes not


class Guard:
    """ASGI middleware that checks origins, lengths, rates and connections before the site's routes."""

    def __init__(
        self,
        app: ASGIApp,
        *,
        settings: SafetySettings,
        allowed_origins: tuple[str, ...] = (),
        metrics: SiteMetrics,
        ban_of: Callable[[str], str | None] = lambda _address: None,
        when_banned: Callable[[Callable[[str, str], None]], None] = lambda _call: None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Wrap an application.

        Args:
            app: the application.
            settings: the limits.
            allowed_origins: other origins whose pages may send requests and open sockets.
            metrics: count requests and refusals.
            ban_of: returns what a banned address is told; None for other addresses.
            when_banned: is given a function to call with each address that is banned, and with what it is told.
            clock: returns seconds; only differences matter.
        """
        self._app = app
        self._settings = settings
        self._exempt = settings.exempt()
        self._allowed = allowed_origins
        self._metrics = metrics
        self._clock = clock
        self._requests = AddressLimiter(settings.requests, clock)
        self._costly = AddressLimiter(settings.costly, clock)
        self._study = AddressLimiter(settings.study, clock)
        self._messages = {
            bots: (
                RateLimiter(each, clock),
                RateLimiter(each.times(NEIGHBOURS), clock),
            )
            for bots, each in ((False, settings.messages), (True, settings.bot_messages))
        }  # key: whether it is a bot client's socket; values: the limit of each socket, and of each address
        self._connections = ConnectionLimit(settings.max_sockets)
        self._ban_of = ban_of
        self._closers: dict[str, set[Callable[[str], None]]] = {}  # functions that close the sockets of an address
        when_banned(self._close_all)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request or socket to the application, or refuse it."""
        if scope["type"] == "http":
            await self._request(scope, receive, send)
        elif scope["type"] == "websocket":
            await self._socket(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    # ---- requests ----------------------------------------------------------------------------------------------------

    async def _request(self, scope: Scope, receive: Receive, send: Send) -> None:
        began = time.perf_counter()

        async def answer(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = with_headers(message["headers"])
                self._metrics.answered(scope["method"], message["status"], time.perf_counter() - began)
            await send(message)

        refusal = self._refusal(scope)
        if refusal is not None:
            await refusal(scope, receive, answer)
            return
        with structlog.contextvars.bound_contextvars(conn=secrets.token_hex(4)):
            body = _measured(receive, self._most_bytes(scope["path"]), self._settings.body_s)
            await self._app(scope, body, answer)

    def _refusal(self, scope: Scope) -> Response | None:
        headers, path = Headers(scope=scope), scope["path"]
        if scope["method"] not in SAFE_METHODS and not self._is_welcome(headers):
            return _fault(403, "Pages of other sites may not send this request.")
        length = headers.get("content-length", "0")
        if not length.isdecimal() or int(length[:12]) > self._most_bytes(path):
            return _fault(413, f"The request is too long; at most {self._most_bytes(path)} bytes are allowed.")
        address = self._limited_address(scope)
        if address is None or path in OBSERVED:
            return None
        if ban := self._ban_of(address):
            self._metrics.refused("ban")
            is_page = "text/html" in headers.get("accept", "") and not path.startswith("/api/")
            return HTMLResponse(_BANNED.format(html.escape(ban)), 403) if is_page else _fault(403, ban)
        wait = self._requests.take(address)
        if not wait and scope["method"] not in SAFE_METHODS:
            if path.startswith(STUDY):
                wait = self._study.take(address)
            elif path.startswith(COSTLY):
                wait = self._costly.take(address)
        if not wait:
            return None
        self._metrics.refused("rate")
        return _fault(
            429,
            "Too many requests from your address; try again in a few seconds.",
            {"Retry-After": str(whole_seconds(wait))},
        )

    def _most_bytes(self, path: str) -> int:
        return self._settings.max_text_bytes if path in WHOLE_GAMES else self._settings.max_body_bytes

    # ---- sockets -----------------------------------------------------------------------------------------------------

    async def _socket(self, scope: Scope, receive: Receive, send: Send) -> None:
        if not self._is_welcome(Headers(scope=scope)):
            self._metrics.refused("origin")
            await _turn_away(receive, send, 1008)
            return
        address = self._limited_address(scope)
        if address is not None and self._ban_of(address):
            self._metrics.refused("ban")
            await _turn_away(receive, send, 1008)
            return
        if address is not None and self._requests.take(address):
            self._metrics.refused("rate")
            await _turn_away(receive, send, 1013)
            return
        if address is not None and not self._connections.enter(address):
            self._metrics.refused("crowd")
            await _turn_away(receive, send, 1013)
            return
        kind = scope["path"].split("/")[2] if scope["path"].startswith("/ws/") else "other"
        conn = secrets.token_hex(4)
        try:
            with structlog.contextvars.bound_contextvars(conn=conn), self._metrics.socket(kind):
                await self._converse(scope, receive, send, conn, address)
        finally:
            if address is not None:
                self._connections.leave(address)

    async def _converse(self, scope: Scope, receive: Receive, send: Send, conn: str, address: str | None) -> None:
        by_socket, by_address = self._messages[scope["path"] == BOT_SOCKET]
        closed = False
        closing = set[asyncio.Task[None]]()

        async def close(why: str, reason: str, code: int = 1013) -> None:
            nonlocal closed
            closed = True
            self._metrics.refused(why)
            _log.debug("A socket was closed: %s.", reason.lower())  # no line of the log for each socket
            await _close(send, code, reason)

        def close_banned(reason: str) -> None:
            closing.add(asyncio.create_task(close("ban", reason, 1008)))

        async def hear() -> Message:
            message = {"type": "websocket.disconnect", "code": 1013} if closed else await receive()
            if message["type"] != "websocket.receive":
                return message
            self._metrics.heard.inc()
            if by_socket.take(conn) or (address is not None and by_address.take(address)):
                await close("flood", "Too many messages")
                return {"type": "websocket.disconnect", "code": 1013}
            return message

        async def say(message: Message) -> None:
            if closed:
                raise OSError("The socket is closed.")  # as a server raises after the client has disconnected
            try:
                async with asyncio.timeout(self._settings.slow_reader_s):
                    await send(message)
            except TimeoutError:
                await close("slow", "Reads too slowly")
                raise OSError("The client reads too slowly.") from None

        own = self._closers.setdefault(address or "", set())
        own.add(close_banned)
        try:
            with contextlib.suppress(WebSocketDisconnect):  # a client that disconnects is not an error
                await self._app(scope, hear, say)
        finally:
            own.discard(close_banned)
            if not own:
                self._closers.pop(address or "", None)

    def _close_all(self, address: str, reason: str) -> None:
        """Close the sockets of an address that was banned."""
        for close in list(self._closers.get(address, ())):
            close(reason)

    # ---- both --------------------------------------------------------------------------------------------------------

    def _is_welcome(self, headers: Headers) -> bool:
        origin, site = headers.get("origin"), headers.get("sec-fetch-site")
        if origin is not None and _is_among(origin, self._allowed):
            return True
        if site not in (None, "same-origin", "none"):  # the browser reports a request of another site's page
            return False
        return is_welcome(origin, headers.get("host"), self._allowed)

    def _limited_address(self, scope: Scope) -> str | None:
        """Return the client's address, or None if it is exempt from the limits by address."""
        address = address_of(HTTPConnection(scope))
        return None if address in self._exempt else address


def _measured(receive: Receive, most: int, patience_s: float) -> Receive:
    """Wrap `receive` so that it raises HTTPException for a body of more than `most` bytes, or that comes too slowly.

    Args:
        receive: returns the parts of a request's body, then waits for the client to disconnect.
        most: the longest body, in bytes.
        patience_s: seconds in which the whole body has to arrive.
    """
    length, is_complete = 0, False
    end = asyncio.get_running_loop().time() + patience_s

    async def measured() -> Message:
        nonlocal length, is_complete
        try:
            async with asyncio.timeout_at(None if is_complete else end):
                message = await receive()
        except TimeoutError:
            sentence = f"The request did not arrive within {patience_s:g} seconds; send it again."
            raise HTTPException(408, sentence, {"Connection": "close"}) from None
        length += len(message.get("body", b""))
        is_complete = not message.get("more_body", False)
        if length > most:
            raise HTTPException(413, f"The request is too long; at most {most} bytes are allowed.")
        return message

    return measured


def _fault(status: int, sentence: str, headers: dict[str, str] | None = None) -> JSONResponse:
    return JSONResponse({"error": sentence}, status, headers)


async def _turn_away(receive: Receive, send: Send, code: int) -> None:
    """Refuse a socket before its handshake; the browser gets HTTP 403."""
    await receive()
    await send({"type": "websocket.close", "code": code})


async def _close(send: Send, code: int, reason: str) -> None:
    """Close a socket; ignore errors, and wait at most a second."""
    message: dict[str, Any] = {"type": "websocket.close", "code": code, "reason": reason}
    try:
        async with asyncio.timeout(1.0):
            await send(message)
    except (TimeoutError, RuntimeError, OSError):  # already closed, or the client does not read
        _log.debug("A socket could not be closed properly.")


def is_welcome(origin: str | None, host: str | None, allowed: Collection[str]) -> bool:
    """Return whether a request comes from this site, from an allowed origin, or has no origin, as from a program."""
    if origin is None or _is_among(origin, allowed):
        return True
    if host is None:
        return False
    page, scheme = _parts(origin), origin.partition(":")[0]  # a proxy may speak HTTPS for the site
    return page is not None and page == _parts(f"{scheme}://{host}")


def _is_among(origin: str, allowed: Collection[str]) -> bool:
    page = _parts(origin)
    return origin in allowed or (page is not None and page in map(_parts, allowed))


def _parts(origin: str) -> tuple[str, str, int | None] | None:
    """Return scheme, host and port of an origin, with the default port of its scheme; None if it is no origin."""
    try:
        parts = urlsplit(origin)
        port = parts.port or _DEFAULT_PORTS.get(parts.scheme)
    except ValueError:
        return None
    return (parts.scheme, parts.hostname, port) if parts.hostname and "@" not in parts.netloc else None
