"""Runs the site on a port until it is told to stop."""

import asyncio
import contextlib
import errno
import logging
import os
import signal
import socket
from collections.abc import Awaitable, Callable, Generator

import uvicorn
from fastapi import FastAPI

from ludus.errors import Unavailable

SIGNALS = (signal.SIGINT, signal.SIGTERM)
MAX_FRAME_BYTES = 262_144
"""Longer messages end the connection; shorter ones that are still too long are judged by the site."""
PROXIES = ("127.0.0.1", "::1", "::ffff:127.0.0.1")
"""Who is believed when it says for whom it asks: a proxy on this machine, also where one socket hears IPv4 and IPv6."""


def listen(host: str, port: int) -> socket.socket:
    """Return a socket that listens on `host`; port 0 takes any free one.  Raises Unavailable."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
        listener.listen(256)
    except (OSError, OverflowError, TypeError) as error:  # a name with odd letters is a wrong type
        listener.close()
        raise Unavailable(_why(host, port, error)) from error
    return listener


def _why(host: str, port: int, error: OSError | OverflowError | TypeError) -> str:
    code = error.errno if isinstance(error, OSError) else None
    if code == errno.EADDRINUSE:
        return f"Port {port} on {host} is in use; choose another with --port."
    if code == errno.EACCES:
        return f"Port {port} may not be used without more rights; choose one above 1023 with --port."
    return f"Cannot listen on {host}, port {port}: {str(error).rstrip('.')}."


def _is_no_denial(record: logging.LogRecord) -> bool:
    """Return False for a line that Uvicorn 0.54 logs as an error whenever a handshake is refused with a reason."""
    return record.getMessage() != "ASGI callable returned without completing handshake."


class _Server(uvicorn.Server):
    """Uvicorn without signal handlers: `run_site` has more to stop than the server."""

    @contextlib.contextmanager
    def capture_signals(self) -> Generator[None]:
        """Install no signal handlers."""
        yield


async def run_site(
    app: FastAPI, listener: socket.socket, while_running: Callable[[], Awaitable[None]] | None = None
) -> None:
    """Serve until a signal to stop, or until `while_running` returns or raises.

    Args:
        app: the site; it is opened here, since Uvicorn would print a traceback if its database cannot be used.
        listener: see `listen`; it is closed at the end.
        while_running: runs beside the server once that answers; it is cancelled at the end.

    Raises:
        Unavailable: the database cannot be used, or another site has it, or has taken it (TakenError, see `Site`).
    """
    logging.getLogger("uvicorn.error").addFilter(_is_no_denial)
    config = uvicorn.Config(
        app,
        ws="websockets-sansio",
        ws_max_size=MAX_FRAME_BYTES,
        ws_per_message_deflate=False,
        lifespan="off",
        log_config=None,
        access_log=False,
        server_header=False,
        forwarded_allow_ips=os.environ.get("FORWARDED_ALLOW_IPS") or list(PROXIES),  # the variable is Uvicorn's
        timeout_graceful_shutdown=5,
    )
    with contextlib.closing(listener):
        async with app.router.lifespan_context(app):
            await _serve(app, _Server(config), listener, while_running or asyncio.Event().wait)


async def _serve(
    app: FastAPI, server: _Server, listener: socket.socket, while_running: Callable[[], Awaitable[object]]
) -> None:
    serving = asyncio.create_task(server.serve(sockets=[listener]))
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in SIGNALS:
        loop.add_signal_handler(number, stop.set)
    try:
        while not server.started and not serving.done():
            await asyncio.sleep(0.01)
        await _until_stopped(stop, serving, app.state.site.until_taken, while_running)
    finally:
        for number in SIGNALS:
            loop.remove_signal_handler(number)
        await app.state.site.drain()
        server.should_exit = True
        await serving


async def _until_stopped(
    stop: asyncio.Event, serving: asyncio.Task[None], *works: Callable[[], Awaitable[object]]
) -> None:
    """Wait for a signal, or until the server or one of `works` ends; then cancel all works, and raise their error."""
    beside = [asyncio.ensure_future(work()) for work in works]
    stopped = asyncio.ensure_future(stop.wait())
    try:
        await asyncio.wait({serving, stopped, *beside}, return_when=asyncio.FIRST_COMPLETED)
    finally:
        stopped.cancel()
        for work in beside:
            work.cancel()
        results = await asyncio.gather(*beside, return_exceptions=True)
    for result in results:
        if isinstance(result, Exception):
            raise result
