"""`ludus bot`: brings engines of this machine to the tables of a game server."""

import asyncio
import contextlib
import logging
import signal
import sys
from pathlib import Path
from typing import Annotated

import typer

from ludus.bot.client import BotClient
from ludus.bot.config import read_bots_file
from ludus.errors import BadInput


def bot(
    config: Annotated[Path, typer.Option(help="The bots and their engines: a .toml or .json file.")],
    server: Annotated[str | None, typer.Option(help="The server, e.g. ws://127.0.0.1:8000.")] = None,
    until_eof: Annotated[bool, typer.Option(help="Stop when standard input ends.", hidden=True)] = False,
) -> None:
    """Attach bots to a game server and serve until Ctrl-C."""
    file = read_bots_file(config)
    address = server or file.server
    if address is None:
        raise BadInput(f'{config}: there is no server; write server = "ws://HOST:PORT", or give --server.')
    logging.basicConfig(stream=sys.stderr, format="ludus bot: %(message)s", level=logging.INFO)
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(_run(BotClient(file, address), until_eof))


async def _run(client: BotClient, until_eof: bool) -> None:
    loop = asyncio.get_running_loop()
    serving = asyncio.ensure_future(client.run())
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, serving.cancel)
    if until_eof:
        # Whoever started us holds the other end; if they die, however suddenly, so do we.
        loop.add_reader(sys.stdin.fileno(), _stop_at_eof, loop, serving)
    with contextlib.suppress(asyncio.CancelledError):
        await serving


def _stop_at_eof(loop: asyncio.AbstractEventLoop, serving: "asyncio.Future[None]") -> None:
    if not sys.stdin.buffer.raw.read(4096):  # pyright: ignore[reportAttributeAccessIssue] - a raw file has no lines
        loop.remove_reader(sys.stdin.fileno())
        serving.cancel()
