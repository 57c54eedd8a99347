"""What commands that start a site share: options, the log, and the site's run from a listener to its end."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from ludus.addresses import address_of, place_of, reached_at
from ludus.bot.config import OPERATOR_TOKEN
from ludus.cli.terminal.screen import console, duration, say
from ludus.errors import BadInput

if TYPE_CHECKING:
    import socket

    from fastapi import FastAPI

HostOption = Annotated[str, typer.Option(help="The address to listen on; 0.0.0.0 is every address.")]
PortOption = Annotated[int, typer.Option(min=0, max=65_535, help="The port to listen on; 0 is any free one.")]
FolderOption = Annotated[
    Path | None, typer.Option(help="The folder of the site's database and keys (default: the user's).")
]
LogForm = Literal["text", "json"]
LogOption = Annotated[
    LogForm | None,
    typer.Option("--log", help="Form of the log: text, or a JSON object a line (default: text in a terminal only)."),
]
OperatorOption = Annotated[
    str | None,
    typer.Option(
        help="The secret of the operator's page, /operator; without it nobody has one.", envvar=OPERATOR_TOKEN
    ),
]
SECRET_LENGTHS = (16, 200)
"""Allowed length of a secret: long enough not to be guessed, short enough for a message."""


def start_log(form: LogForm | None) -> LogForm:
    """Begin to write the site's log to standard error: one line an event.  Return its form."""
    import sys

    from ludus.site.operations.logs import configure_logs

    chosen: LogForm = form or ("text" if sys.stderr.isatty() else "json")
    configure_logs(json_lines=chosen == "json")
    return chosen


def checked_secret(option: str, secret: str) -> str:
    """Return a secret; raise BadInput if it could be guessed or is too long."""
    if not (SECRET_LENGTHS[0] <= len(secret) <= SECRET_LENGTHS[1] and secret.isascii() and secret.isprintable()):
        raise BadInput(
            f"{option}: use {SECRET_LENGTHS[0]} to {SECRET_LENGTHS[1]} plain characters, such as the output of "
            "`openssl rand -hex 24`."
        )
    return secret


def start_site(app: FastAPI, host: str, listener: socket.socket, bring: Callable[[str, str], Awaitable[None]]) -> None:
    """Run a site until a signal stops it, or until `bring` returns or raises; then tell what has become of it.

    Args:
        app: the site.
        host: the address that the user asked for.
        listener: listens on that address.
        bring: runs beside the site; called with the site's address, to be printed, and with that for programs on this
            machine.
    """
    from ludus.site.routes.page import NOT_BUILT, PAGE
    from ludus.site.runner import run_site

    if not (PAGE / "index.html").is_file():
        say(NOT_BUILT.strip(), on=console)
    port = listener.getsockname()[1]
    own_address, begun = f"http://{address_of(reached_at(host), port)}", time.monotonic()
    asyncio.run(run_site(app, listener, lambda: bring(place_of(host, port), own_address)))
    site, lasted = app.state.site, duration(time.monotonic() - begun)
    told = farewell(site.live_games.num_playing, site.num_bots_at_end, is_saved=site.is_saved)
    say(f"Ludus has stopped after {lasted}: {told}.")


def farewell(num_games: int, num_bots: int, *, is_saved: bool) -> str:
    """Return what has become of unfinished games and bots."""
    games = f"{num_games} unfinished game{'s'[: num_games != 1]}"
    kept = f"{games} will go on" if is_saved else f"the last moves of {games} may be lost"
    bots = "1 bot was" if num_bots == 1 else f"{num_bots} bots were"
    return f"{kept}; {bots} connected"


def tell_of_restart(status: int) -> None:
    """Tell the operator that the site's bots ended and are started again."""
    say(f"The bots ended with exit status {status} and are started again.", on=console)
