"""`ludus serve`: the site with its bots, in one command."""

import asyncio
import contextlib
import logging
import os
import secrets
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import msgspec
import typer
from fastapi import FastAPI

from ludus.bot.config import BotsFile, FileBot
from ludus.bot.levels import bots_of_models, find_models
from ludus.errors import Unavailable
from ludus.protocol.bgs import BoardSize, Extent, VariantSupport
from ludus.site.app import Site, create_app
from ludus.site.page import NOT_BUILT, PAGE
from ludus.site.runner import listen, run_site
from ludus.site.settings import SiteSettings

CLOSING_S = 8.0
RESTART_S = 5.0


def serve(
    host: Annotated[str, typer.Option(help="The address to listen on; 0.0.0.0 is every address.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="The port to listen on; 0 is any free one.")] = 8000,
    models: Annotated[Path, typer.Option(help="The folder of the models that play.")] = Path("models"),
    bots: Annotated[bool, typer.Option(help="Bring bots; without, they attach from elsewhere.")] = True,
    dummy: Annotated[bool, typer.Option(help="A bot without a network in place of the models.", hidden=True)] = False,
    origin: Annotated[list[str] | None, typer.Option(help="Another origin whose pages may play here.")] = None,
) -> None:
    """Serve the site and its bots until Ctrl-C."""
    logging.basicConfig(stream=sys.stderr, format="%(message)s", level=logging.WARNING)
    token = secrets.token_urlsafe(24)
    file = None
    if bots:
        file = dummy_bots(token) if dummy else bots_of_models(find_models(models), token)
    listener = listen(host, port)
    address = f"http://{f'[{host}]' if ':' in host else host}:{listener.getsockname()[1]}"
    app = create_app(SiteSettings(official_token=token, allowed_origins=tuple(origin or ())))
    if not (PAGE / "index.html").is_file():
        print(NOT_BUILT.strip(), file=sys.stderr)

    async def run() -> None:
        beside = _BotChild(app, address, file).run if file else lambda: _announce(address)
        await run_site(app, listener, beside)

    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(run())


async def _announce(address: str) -> None:
    print(f"Ludus is at {address} (Ctrl-C stops it); bots may attach.", flush=True)
    await asyncio.Event().wait()


class _BotChild:
    """The bot client as a child process: started, announced when its bots are attached, restarted, ended."""

    def __init__(self, app: FastAPI, address: str, file: BotsFile) -> None:
        self._site: Site = app.state.site
        self._address = address
        self._file = file
        self._attached = asyncio.Event()

    async def run(self) -> None:
        """Keep the child running until this is cancelled; raise Unavailable if it cannot start."""
        print("Starting the bots; the first time, their games are compiled, which takes a minute ...", flush=True)
        listener: Callable[[], None] = self._notice
        self._site.bots.listeners.add(listener)
        with tempfile.TemporaryDirectory(prefix="ludus-") as folder:
            config = Path(folder) / "bots.json"  # the folder is ours alone: the file holds the site's secret
            config.write_bytes(msgspec.json.encode(self._file))
            while True:
                status = await self._run_once(config)
                if not self._attached.is_set():
                    raise Unavailable("The bots did not start; the reason stands above.")
                print(f"The bots ended with status {status}; they are started again.", file=sys.stderr)
                await asyncio.sleep(RESTART_S)

    def _notice(self) -> None:
        if self._site.bots.all() and not self._attached.is_set():
            self._attached.set()
            print(f"Ludus is at {self._address} (Ctrl-C stops it).", flush=True)

    async def _run_once(self, config: Path) -> int:
        command = [sys.executable, "-m", "ludus", "bot", "--server", self._address, "--config", str(config)]
        child = await asyncio.create_subprocess_exec(
            *command,
            "--until-eof",
            stdin=asyncio.subprocess.PIPE,
            env=os.environ | {"PYTHONUNBUFFERED": "1"},
            start_new_session=True,  # Ctrl-C is ours to hear; then we end the child
        )
        try:
            return await child.wait()
        finally:
            await _end(child)


async def _end(child: asyncio.subprocess.Process) -> None:
    """End a child: politely, by the end of its input; then by force."""
    if child.returncode is not None:
        return
    if child.stdin:
        child.stdin.close()
    try:
        await asyncio.wait_for(child.wait(), CLOSING_S)
    except TimeoutError:
        child.kill()
        await child.wait()


def dummy_bots(token: str | None) -> BotsFile:
    """Return a bots file of one bot without a network, that plays a few games on small boards."""
    specs = (
        "connect4",
        *(f"wallgame:{variant}:{size}" for variant in ("classic", "standard") for size in _DUMMY_SIZES),
    )
    command = [sys.executable, "-m", "ludus", "engine", "dummy", *(f"--game={spec}" for spec in specs)]
    side, sizes = Extent(5, 8), [BoardSize(5, 5), BoardSize(6, 6), BoardSize(8, 8)]
    walls = VariantSupport(side, side, sizes)
    rack = VariantSupport(Extent(7, 7), Extent(6, 6), [BoardSize(7, 6)])
    return BotsFile(
        bots=[
            FileBot(
                bot_id="dummy-wallgame", name="Dummy", variants={"classic": walls, "standard": walls}, level="Trial"
            ),
            FileBot(bot_id="dummy-connect4", name="Dummy", variants={"standard": rack}, level="Trial", game="connect4"),
        ],
        client_id="ludus",
        official_token=token,
        engine_commands={"default": command},
    )


_DUMMY_SIZES = ("5x5", "6x6", "8x8")
