"""`ludus bot`: connects engines on this machine to a game server as bots."""

import asyncio
import contextlib
import logging
import os
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from ludus.bot.config import OFFICIAL_TOKEN, TOKEN
from ludus.cli.terminal.screen import console, fitted
from ludus.errors import BadInput
from ludus.system import read_input, stop_signals

if TYPE_CHECKING:
    from ludus.bot.client import BotClient
    from ludus.bot.config import BotsFile


def bot(
    config: Annotated[
        Path | None,
        typer.Option(
            help="The bots and their engines: a .toml or .json file; - reads a line of JSON from stdin, and later "
            "lines replace the bots, which keep their engines."
        ),
    ] = None,
    models: Annotated[
        Path | None,
        typer.Option(
            help="Without --config: the folder of the models, with the same bots as `ludus serve` starts for them "
            "(default: ./models and the models that Ludus ships)."
        ),
    ] = None,
    server: Annotated[str | None, typer.Option(help="The server, e.g. ws://127.0.0.1:8000.")] = None,
    client_id: Annotated[str | None, typer.Option(help="The name of this client, instead of the file's.")] = None,
    official_token: Annotated[
        str | None, typer.Option(envvar=OFFICIAL_TOKEN, help="The server's secret, if the bots are official ones.")
    ] = None,
    token: Annotated[
        str | None, typer.Option(envvar=TOKEN, help="The secret of --client-id, if an account has claimed it.")
    ] = None,
    log_level: Annotated[
        Literal["debug", "info", "warn", "error"], typer.Option(help="Lowest level of log messages.")
    ] = "info",
    log: Annotated[
        Literal["text", "json"], typer.Option(help="Form of the log: text, or a JSON object a line.")
    ] = "text",
) -> None:
    """Connect bots to a game server until Ctrl-C (with `--config -`, until standard input ends).

    The first Ctrl-C or SIGTERM waits until pending answers are sent; the second one ends the command at once.
    """
    from ludus.bot.client import BotClient  # slow to import, and not needed by other commands
    from ludus.bot.config import with_options

    from_stdin = config == Path("-")
    file = _file_of(config, models)
    file = with_options(file, client_id=client_id, official_token=official_token)
    address = server or file.server
    if address is None:
        raise BadInput(f'{config or "bots"}: no server is given; write server = "ws://HOST:PORT", or give --server.')
    _start_log(log, log_level.upper())
    folder = None if from_stdin or config is None else config.absolute().parent
    asyncio.run(_run(BotClient(file, address, token=token, folder=folder), until_eof=from_stdin))


def _file_of(config: Path | None, models: Path | None) -> "BotsFile":
    """Return the bots of a file, of standard input, or of a folder of models; raises BadInput, BadModel."""
    from ludus.bot.config import parse_bots, read_bots_file

    if config is not None and models is not None:
        raise BadInput("--config and --models: each says which bots there are; leave one of them out.")
    if config is None:
        from ludus.bot.levels import (  # loads games
            bots_of_models,
            heuristic_games,
            in_one_engine,
            models_to_serve,
            with_heuristics,
        )

        return in_one_engine(with_heuristics(bots_of_models(models_to_serve(models)), heuristic_games()))
    return parse_bots(_first_line(), "standard input", toml=False) if config == Path("-") else read_bots_file(config)


def _start_log(form: str, level: str) -> None:
    if form == "json":
        from ludus.site.operations.logs import configure_logs  # slow to import

        configure_logs(logging.getLevelNamesMapping()[level], json_lines=True)
        return
    lines = logging.StreamHandler(sys.stderr)
    lines.setFormatter(_Fitted("ludus bot: %(message)s"))
    logging.basicConfig(handlers=[lines], level=level)
    logging.getLogger("websockets").setLevel(logging.INFO)


class _Fitted(logging.Formatter):
    """A log formatter that wraps lines between words if the terminal is too narrow."""

    def format(self, record: logging.LogRecord) -> str:
        return fitted(super().format(record), console)


async def _run(client: "BotClient", *, until_eof: bool) -> None:
    serving = asyncio.ensure_future(client.run())
    acts = iter([client.stop])
    with stop_signals(lambda: next(acts, serving.cancel)()), contextlib.suppress(asyncio.CancelledError):
        if until_eof:
            # The parent process holds the other end of the pipe, so this process ends when the parent dies.
            read_input(partial(_read_on, bytearray(), client, serving))
        await serving


def _first_line() -> bytes:
    """Read a line from standard input, and not a byte beyond it."""
    line = bytearray()
    while (piece := os.read(0, 1)) not in (b"", b"\n"):
        line += piece
    return bytes(line)


def _read_on(begun: bytearray, client: "BotClient", serving: "asyncio.Future[None]", piece: bytes) -> None:
    """Take a piece of standard input: replace the client's bots by those of each complete line; stop at its end."""
    from ludus.bot.config import parse_bots

    begun += piece
    if not piece:
        serving.cancel()
    while b"\n" in begun:
        line, _, rest = begun.partition(b"\n")
        begun[:] = rest
        try:
            client.replace(parse_bots(bytes(line), "standard input", toml=False))
        except BadInput as error:
            logging.error("%s", error)
