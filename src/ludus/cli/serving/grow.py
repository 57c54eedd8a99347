"""`ludus grow`: from a game to a site whose bots get better while people play, by one command."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Coroutine
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ludus.cli.serving.people import DatabaseOption
from ludus.cli.serving.site import (
    FolderOption,
    HostOption,
    LogForm,
    LogOption,
    OperatorOption,
    PortOption,
    checked_secret,
    start_log,
    start_site,
    tell_of_restart,
)
from ludus.cli.terminal.game_files import named
from ludus.cli.terminal.screen import announce_compilation, console, progress_bar, say
from ludus.errors import BadInput, Unavailable, need

if TYPE_CHECKING:
    from ludus.bot.config import BotsFile
    from ludus.cli.serving.growth import Growth
    from ludus.games.check.run import Report
    from ludus.games.game import Game
    from ludus.loop.directory.folder import Folder
    from ludus.loop.preset import Preset
    from ludus.site.app import Site

QUICK_GAMES = 40
"""Random games of the check; `ludus check` plays more."""
STAGE_S = 4.0
"""Limit of each of the check's three stages, so that the first bot comes soon on a busy machine, too."""


def grow(
    game: Annotated[
        str, typer.Argument(callback=named, help="A file that defines a game, such as mygame.py, or a game's name.")
    ],
    run: Annotated[
        Path | None,
        typer.Option(help="Directory of the run (default: runs/GAME), with its settings beside it in RUN.toml."),
    ] = None,
    hours: Annotated[
        float, typer.Option(min=0.0, help="Longest training time of the run in hours, over all starts (0: no limit).")
    ] = 0.0,
    host: HostOption = "127.0.0.1",
    port: PortOption = 8000,
    data: FolderOption = None,
    database: DatabaseOption = None,
    operator_token: OperatorOption = None,
    log: LogOption = None,
) -> None:
    """Check a game, serve it, and train its bots while people play, until Ctrl-C; the next start goes on."""
    import secrets
    from functools import partial

    from ludus.bot.levels import bots_of_run
    from ludus.cli.serving.growth import Growth
    from ludus.cli.serving.own_games import playable, unlisted
    from ludus.games.behaviour import behaviour
    from ludus.games.registry import file_of, told_name
    from ludus.games.registry import game as find_game
    from ludus.loop.directory.folder import Folder
    from ludus.paths import in_game, lasting
    from ludus.site.app import create_app
    from ludus.site.database.database import database_url
    from ludus.site.runner import listen
    from ludus.site.settings import SiteSettings

    need("torch")
    announce_compilation()
    (spec,) = playable([in_game(game, lasting)])  # absolute, so that the run goes on from any folder
    found = find_game(spec)
    directory = run or Path("runs") / re.sub(r"[^\w-]+", "-", told_name(spec))
    file = directory.with_name(f"{directory.name}.toml")
    folder = Folder(directory)
    preset = _preset_of(found, file, folder)
    folder.changes(preset)
    folder.check_rules({each.name: behaviour(each) for each in preset.make_games()})
    listener = listen(host, port)
    token = secrets.token_urlsafe(24)
    bots = bots_of_run(directory, spec, [], None, token)
    files = tuple(filter(None, [file_of(spec)]))
    for why in unlisted([spec], bots, files).values():
        raise BadInput(f"{game}: {why}")
    form = start_log(log)
    strongest = max(bots.bots, key=lambda bot: bot.list_order or 0).bot_id
    growth = Growth(preset, file, folder, f"{bots.client_id}:{strongest}", hours, say)
    settings = SiteSettings(
        official_token=token,
        official_clients=(bots.client_id,),
        games=files,
        operator_token=operator_token and checked_secret("--operator-token", operator_token),
    )
    app = create_app(settings, url=database_url(data, database), folder=data, grown=growth)
    start_site(app, host, listener, partial(_run, bots, app.state.site, growth, form))
    say(f"Stopped; the run in {directory} is intact, and the same command continues it.")


def _preset_of(game: Game, file: Path, folder: Folder) -> Preset:
    """Return the settings of a run: those of its file, else those of its directory, else chosen and written here.

    Raises:
        BadInput: the file is for another game.
        typer.Exit: the rules of a new run break a law, which has been reported.
    """
    from ludus import config
    from ludus.files import write_atomically
    from ludus.games.registry import about
    from ludus.loop.forecast.choice import as_file, choose_preset, this_machine
    from ludus.loop.preset import load_preset
    from ludus.paths import lasting

    if not file.is_file():
        if kept := folder.preset():
            write_atomically(file, config.dump(kept.with_paths(lasting)).encode())
        else:
            seen, machine = _checked(game), this_machine()
            chosen = choose_preset(game, folder.path.name, seen, machine)
            write_atomically(file, as_file(chosen, about(game.name).title, machine).encode())
            say(f"Settings for {machine}: {file}", on=console)
    preset = load_preset(str(file)).with_paths(lasting)
    if preset.games[0] != game.name:
        raise BadInput(f"{file}: is for {preset.games[0]}, not {game.name}; choose another directory with --run.")
    return preset


def _checked(game: Game) -> Report:
    """Test the rules in a few random games, report a violation and end; return the statistics otherwise."""
    from ludus.cli.games.check import lines_of
    from ludus.games.check.run import check

    with progress_bar() as tell:
        report = check(game, QUICK_GAMES, 0, tell, STAGE_S)
    if report.breach:
        for line in lines_of(report):
            say(line)
        raise typer.Exit(1)
    return report


async def _run(file: BotsFile, site: Site, growth: Growth, log: LogForm, place: str, own_address: str) -> None:
    """Run the bots and the training until this is cancelled.

    Args:
        file: the bots before the first network; later ones need the same engine.
        site: the site.
        growth: trains the run.
        log: the form of the bots' log.
        place: the address of the site, to be printed.
        own_address: the address for programs on this machine.
    """
    from ludus.bot.child import BotChild
    from ludus.bot.levels import bots_of_run

    if site.stands_by:
        raise Unavailable(
            "Another Ludus site serves this database, and `ludus grow` does not stand by; name another with --database."
        )

    def is_attached() -> bool:
        return any(key.client_id == file.client_id for key, _, _ in site.bots.all())

    child = BotChild(file, own_address, tell_of_restart, is_attached, log=log)

    def attached() -> None:
        if not child.attached.is_set() and is_attached():
            child.attached.set()
            say(f"Ludus is at {place} (Ctrl-C stops it); training goes on beside it: {place}/training")

    def seated() -> None:
        lines = growth.lines or []
        playing = growth.run().playing
        spec, token = growth.preset.games[0], file.official_token
        child.replace(bots_of_run(growth.folder.path, spec, [line.generation for line in lines], playing, token))
        if child.attached.is_set() and lines:
            last = lines[-1]
            elo = "" if last.elo is None else f", Elo {last.elo:+.0f} ±{last.elo_error or 0.0:.0f}"
            verb = "plays now" if playing == last.generation else f"did not pass the gate; {playing} plays on"
            say(f"Generation {last.generation} {verb}{elo}.")

    site.bots.listeners.add(attached)
    growth.listeners.append(seated)
    say("Starting the bots and the training; code is compiled the first time ...")
    await _together(child.run(), growth.run_until_cancelled())


async def _together(*works: Coroutine[Any, Any, None]) -> None:
    """Run coroutines until one of them raises an error or this is cancelled; then cancel all of them."""
    tasks = [asyncio.create_task(work) for work in works]
    try:
        await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
