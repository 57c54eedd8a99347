"""`ludus serve`: runs the site together with its bots."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from ludus.bot.config import METRICS_TOKEN, OFFICIAL_TOKEN
from ludus.cli.serving.in_browser import browser_bots
from ludus.cli.serving.own_games import check_name, playable, unlisted
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
from ludus.cli.terminal.screen import console, say
from ludus.errors import BadInput, Unavailable
from ludus.files import make_folder
from ludus.site.safety.settings import MOST_DAYS

if TYPE_CHECKING:
    from ludus.bot.config import BotsFile
    from ludus.cli.serving.engines import EngineExports
    from ludus.site.app import Site


def serve(  # noqa: PLR0913 - each option of a command is an argument
    host: HostOption = "127.0.0.1",
    port: PortOption = 8000,
    models: Annotated[
        Path | None,
        typer.Option(help="The folder of the models that play (default: ./models and the models that Ludus ships)."),
    ] = None,
    game: Annotated[
        list[str] | None,
        typer.Option(
            callback=named, help="A game without a model, such as mygame.py: bots play it by its heuristic; repeatable."
        ),
    ] = None,
    bots: Annotated[
        Literal["engines", "browser"],
        typer.Option(help="Where the models think: in engines that this command starts, or in visitors' browsers."),
    ] = "engines",
    no_bots: Annotated[bool, typer.Option("--no-bots", help="Start no bots; bots connect from elsewhere.")] = False,
    dummy: Annotated[bool, typer.Option(help="Start a bot without a network instead of the models.")] = False,
    engine_per_model: Annotated[
        bool,
        typer.Option(
            "--engine-per-model",
            help="Start an engine for each model instead of one for all: a failure ends fewer games, but each engine "
            "needs about 110 MB more.",
        ),
    ] = False,
    engine_processes: Annotated[
        int,
        typer.Option(min=1, max=16, help="Processes of each engine; if one fails, the others go on with its games."),
    ] = 1,
    engines_in_browser: Annotated[
        bool,
        typer.Option(
            help="Export the models for visitors' browsers, which can then evaluate positions on their own machines."
        ),
    ] = True,
    evaluations: Annotated[
        Path | None, typer.Option(help="A folder with evaluation files: NAME.ev is used by the model NAME.")
    ] = None,
    append: Annotated[bool, typer.Option("--append", help="Store the models' new evaluations in these files.")] = False,
    puzzles: Annotated[
        list[Path] | None,
        typer.Option(
            help="A file by `ludus mine`, or a folder of such .puzzles files; repeatable (default: those that Ludus "
            "ships)."
        ),
    ] = None,
    origin: Annotated[list[str] | None, typer.Option(help="Another origin whose pages may open sockets here.")] = None,
    data: FolderOption = None,
    metrics_token: Annotated[
        str | None, typer.Option(help="Token for other machines to read /metrics.", envvar=METRICS_TOKEN)
    ] = None,
    official_token: Annotated[
        str | None,
        typer.Option(
            help="The secret of official bots on other machines, which also evaluate positions for the site "
            "(default: a new one each time, for the bots that this command starts).",
            envvar=OFFICIAL_TOKEN,
        ),
    ] = None,
    operator_token: OperatorOption = None,
    database: DatabaseOption = None,
    abandoned_days: Annotated[
        float | None,
        typer.Option(
            help="Days after which an abandoned game without a running clock ends (default: 7).",
            min=0,
            max=MOST_DAYS,
        ),
    ] = None,
    settings: Annotated[
        Path | None,
        typer.Option(help="A TOML file with limits and times; command line options take precedence."),
    ] = None,
    log: LogOption = None,
) -> None:
    """Serve the site and its bots until Ctrl-C."""
    # The web libraries are slow to import, and not needed by other commands.
    import secrets
    from functools import partial

    from msgspec.structs import replace

    from ludus import shipped
    from ludus.bot.levels import (
        ModelGames,
        bots_of_models,
        dummy_bots,
        heuristic_games,
        in_one_engine,
        models_to_serve,
        with_heuristics,
    )
    from ludus.cli.serving.engines import EngineExports
    from ludus.games import registry
    from ludus.games.registry import file_of
    from ludus.kernel import cache_directory
    from ludus.site.app import create_app
    from ludus.site.database.database import database_url
    from ludus.site.runner import listen
    from ludus.site.settings import SiteSettings, read_settings
    from ludus.site.study.puzzles import Shelf

    told = read_settings(settings) if settings else SiteSettings()
    in_browser = bots == "browser"
    needing = {
        "--no-bots": no_bots,
        "--dummy": dummy,
        "--game": game,
        "--engine-processes": engine_processes > 1,
        "--engine-per-model": engine_per_model,
    }
    _check_engines(needing | {"--evaluations": evaluations, "--append": append}, are_started=not in_browser)
    if append or evaluations:
        if dummy or no_bots:
            raise BadInput("--evaluations needs models, but --dummy and --no-bots start none; leave one of them out.")
        _check_folder(evaluations, append=append)
    own_puzzles = [*(puzzles or ()), *registry.brought("puzzles")]
    shelf = Shelf(own_puzzles, tested=[] if puzzles else [shipped.folder("puzzles")])  # tests replay what ships
    form = start_log(log)
    named = told.official_token if official_token is None else official_token
    token = secrets.token_urlsafe(24) if named is None else checked_secret("--official-token", named)
    operator = told.operator_token if operator_token is None else operator_token
    own = playable(game or ())
    for fault in registry.installed().faults.values():
        say(fault, on=console)
    found: list[ModelGames] = []
    if not no_bots and not dummy:
        found = models_to_serve(models, are_needed=not own)
    for model in found:
        check_name("--models", model.path)
        for spec in filter(file_of, model.specs):
            registry.game(spec, asked_by=f"the model {model.path} was trained on it")
    file = None
    if not no_bots and not in_browser:
        brought = dummy_bots(token) if dummy else bots_of_models(found, token, evaluations=evaluations, append=append)
        file = with_heuristics(brought, {"own": own} | ({} if dummy else heuristic_games()))
        file = replace(file if engine_per_model else in_one_engine(file), engine_processes=engine_processes)
    specs = [*own, *(spec for model in found for spec in model.specs)]
    files = tuple(sorted(set(filter(None, map(file_of, [*specs, *playable(told.games)])))))
    if file:
        for spec, why in unlisted(specs, file, files).items():
            if spec in own:
                raise BadInput(f"--game {spec}: {why}")
            say(f"--models {models or 'models'}: {spec}: {why}", on=console)  # the games of other models are played
    listener = listen(host, port)
    chosen = replace(
        told,
        official_token=token,
        official_clients=(*told.official_clients, *((file.client_id,) if file else ())),
        allowed_origins=tuple(origin) if origin else told.allowed_origins,
        games=files,
        metrics_token=told.metrics_token if metrics_token is None else metrics_token,
        operator_token=operator and checked_secret("--operator-token", operator),
        abandoned_after_s=told.abandoned_after_s if abandoned_days is None else 86_400 * abandoned_days,
    )
    app = create_app(chosen, url=database_url(data, database), folder=data, shelf=shelf)
    site: Site = app.state.site
    site.bots.in_browser.offer(browser_bots(found) if in_browser else [], site.engines)
    exported = found if engines_in_browser or in_browser else []
    exports = EngineExports(exported, site.engines, cache_directory().parent, say)
    start_site(app, host, listener, partial(_bring, file, site, form, exports))


def _check_engines(options: Mapping[str, object], *, are_started: bool) -> None:
    """Raise BadInput if no engines are started and any of these options is given, which concern engines."""
    given = None if are_started else next((name for name, value in options.items() if value), None)
    if given:
        raise BadInput(f"{given} is about engines, but with --bots browser this command starts none; leave one out.")


async def _bring(
    file: BotsFile | None, site: Site, log: LogForm, exports: EngineExports, place: str, own_address: str
) -> None:
    """Print the site's address, run its bots until this is cancelled, and report how many have connected.

    Args:
        file: the configuration of the bots; None: bots connect from elsewhere, or think in browsers.
        site: the site.
        log: the form of the bots' log.
        exports: the models for visitors' browsers, which are exported when the bots are ready.
        place: the address of the site, to be printed.
        own_address: the address for programs on this machine.
    """
    import asyncio

    from ludus.bot.child import BotChild

    if file is None:
        own = site.bots.in_browser.all()
        kind = f"{len(own)} bots think in visitors' browsers" if own else "bots may connect"
        say(f"{_whereabouts(site, place)}; {kind}.")
        await exports.run()
        await asyncio.Event().wait()
        return

    most, total, all_ready = 0, len(file.bots), asyncio.Event()

    def number() -> int:
        return sum(key.client_id == file.client_id for key, _, _ in site.bots.all())

    child = BotChild(file, own_address, tell_of_restart, lambda: number() > 0, log=log)

    def attached() -> None:
        nonlocal most
        here = number()
        if here <= most:
            return
        if not most:
            child.attached.set()
            say(f"{_whereabouts(site, place)}.")
        most = here
        if here < total:
            say(f"{here} of {total} bots are ready; the others follow as their games are compiled.")
        else:
            say(f"All {total} bots are ready.")
            all_ready.set()

    site.bots.listeners.add(attached)
    say("Starting the bots; their games are compiled the first time, which takes a minute or two ...")
    exporting = asyncio.create_task(exports.run(all_ready), name="export of engines")
    try:
        await child.run()
    finally:
        exporting.cancel()
        await asyncio.gather(exporting, return_exceptions=True)


def _whereabouts(site: Site, place: str) -> str:
    """Return the first words of the line that tells the site's address."""
    if site.stands_by:
        return f"Ludus stands by at {place} until the site that serves this database ends (Ctrl-C stops it)"
    return f"Ludus is at {place} (Ctrl-C stops it)"


def _check_folder(evaluations: Path | None, *, append: bool) -> None:
    """Raise BadInput if the folder of evaluations is missing; with `append`, create it instead."""
    if evaluations is None:
        raise BadInput("--append: there is no folder to append to; give --evaluations FOLDER.")
    check_name("--evaluations", evaluations)
    if not append:
        if evaluations.is_dir():
            return
        if evaluations.exists():
            raise BadInput(
                f"--evaluations {evaluations}: is a file; give its folder, which has NAME.ev for the model NAME."
            )
        raise BadInput(
            f"--evaluations {evaluations}: there is no such folder; give another, or create it with --append."
        )
    try:
        make_folder(evaluations)
    except OSError as error:
        raise Unavailable(
            f"{evaluations}: cannot be created ({error.strerror}); choose another folder with --evaluations."
        ) from error
