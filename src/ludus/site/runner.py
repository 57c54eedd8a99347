"""Run the site on a port until a signal stops it."""

import asyncio
import contextlib
import errno
import logging
import os
import socket
from collections.abc import Awaitable, Callable, Generator

import uvicorn
from fastapi import FastAPI

from ludus.errors import Unavailable
from ludus.site.safety.connections import Connections
from ludus.system import listening_option, raise_open_files, stop_signals

MAX_FRAME_BYTES = 262_144
"""Uvicorn closes a socket that sends a longer message; routes have lower limits of their own."""
PROXIES = ("127.0.0.1", "::1", "::ffff:127.0.0.1")
"""Addresses of trusted proxies, whose `X-Forwarded-For` is used; the third is IPv4 on a dual-stack socket."""


def listen(host: str, port: int) -> socket.socket:
    """Return a socket that listens on `host` and `port`; 0 means any free port.  Raises Unavailable."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    try:
        listener.setsockopt(socket.SOL_SOCKET, listening_option(), 1)
        listener.bind((host, port))
        listener.listen(256)
    except (OSError, OverflowError, TypeError) as error:  # TypeError: the host name cannot be encoded
        listener.close()
        raise Unavailable(_why(host, port, error)) from error
    return listener


def _why(host: str, port: int, error: OSError | OverflowError | TypeError) -> str:
    code = error.errno if isinstance(error, OSError) else None
    if code == errno.EADDRINUSE:
        return f"Port {port} on {host} is in use; choose another with --port."
    if code == errno.EACCES:
        return f"Port {port} needs administrator rights; choose one above 1023 with --port."
    return f"Cannot listen on {host}, port {port}: {str(error).rstrip('.')}."


def _is_no_denial(record: logging.LogRecord) -> bool:
    """Return False for the error that Uvicorn 0.54 logs whenever a handshake is refused with a reason."""
    return record.getMessage() != "ASGI callable returned without completing handshake."


class _Server(uvicorn.Server):
    """A Uvicorn server without signal handlers, since `run_site` handles signals itself."""

    @contextlib.contextmanager
    def capture_signals(self) -> Generator[None]:
        """Leave the signal handlers unchanged."""
        yield


async def run_site(
    app: FastAPI, listener: socket.socket, while_running: Callable[[], Awaitable[None]] | None = None
) -> None:
    """Serve the site until SIGINT or SIGTERM, or until `while_running` returns or raises.

    Args:
        app: the site; opened and closed here, since Uvicorn would print a traceback if the database cannot be used.
        listener: see `listen`; closed at the end.
        while_running: a coroutine function to run beside the started server; cancelled at the end.

    Raises:
        Unavailable: the database cannot be used, or another site uses it (TakenError, see `Site`).
    """
    logging.getLogger("uvicorn.error").addFilter(_is_no_denial)
    protocols = Connections(app.state.site.settings.safety, raise_open_files()).protocols()
    config = uvicorn.Config(
        app,
        http=protocols.http,
        ws=protocols.socket,
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
    try:
        with stop_signals(stop.set):
            while not server.started and not serving.done():
                await asyncio.sleep(0.01)
            await _until_stopped(stop, serving, app.state.site.note_end, app.state.site.until_taken, while_running)
    finally:
        await app.state.site.drain()
        server.should_exit = True
        await serving


async def _until_stopped(
    stop: asyncio.Event,
    serving: asyncio.Task[None],
    at_end: Callable[[], None],
    *works: Callable[[], Awaitable[object]],
) -> None:
    """Wait for the stop signal, the end of the server or the end of any of `works`.

    Then call `at_end`, and cancel all of `works`.  An error of one of them is raised.
    """
    beside = [asyncio.ensure_future(work()) for work in works]
    stopped = asyncio.ensure_future(stop.wait())
    try:
        await asyncio.wait({serving, stopped, *beside}, return_when=asyncio.FIRST_COMPLETED)
    finally:
        at_end()
        stopped.cancel()
        for work in beside:
            work.cancel()
        results = await asyncio.gather(*beside, return_exceptions=True)
    for result in results:
        if isinstance(result, Exception):
            raise result
