"""What commands that start a site share: options, and the site's run from a listener to its end."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ludus.addresses import address_of, place_of, reached_at
from ludus.cli.terminal.screen import console, say

if TYPE_CHECKING:
    import socket

    from fastapi import FastAPI

HostOption = Annotated[str, typer.Option(help="The address to listen on; 0.0.0.0 is every address.")]
PortOption = Annotated[int, typer.Option(min=0, max=65_535, help="The port to listen on; 0 is any free one.")]
FolderOption = Annotated[
    Path | None, typer.Option(help="The folder of the site's database and keys (default: the user's).")
]


def start_site(app: FastAPI, host: str, listener: socket.socket, bring: Callable[[str, str], Awaitable[None]]) -> None:
    """Run a site until a signal stops it, or until `bring` returns or raises.

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
    own_address = f"http://{address_of(reached_at(host), port)}"
    asyncio.run(run_site(app, listener, lambda: bring(place_of(host, port), own_address)))


def tell_of_restart(status: int) -> None:
    """Tell the operator that the site's bots ended and are started again."""
    say(f"The bots ended with exit status {status} and are started again.", on=console)
