"""`ludus compile`: fills the cache of compiled code, for container images and shared computers."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ludus.cli.terminal.game_files import named
from ludus.cli.terminal.screen import console, duration, say, spinner
from ludus.errors import BadInput, is_installed
from ludus.paths import spec_parts

if TYPE_CHECKING:
    from ludus.loop.preset import Preset


def compile_games(
    games: Annotated[
        list[str] | None,
        typer.Argument(
            callback=named,
            metavar="[GAME]...",
            help="Games to compile: a name such as go for all of its boards that are shipped, a spec such as go:13x13, "
            "or a file (default: all games of presets, models and bots).",
        ),
    ] = None,
    models: Annotated[
        Path, typer.Option(help="A folder of models, whose games are compiled, too, besides those of shipped models.")
    ] = Path("models"),
    web: Annotated[
        bool,
        typer.Option("--web", help="Also compile rules and search for browsers, as `ludus export --format web` does."),
    ] = False,
) -> None:
    """Compile the code of games before it is needed, into the cache folder (LUDUS_CACHE), which may then be read-only.

    Play, search, training and serving of these games then start without compiling, on this kind of processor and with
    this version of Ludus.
    """
    from ludus.browser.module import module_of
    from ludus.games.registry import game as find_game
    from ludus.kernel import cache_directory
    from ludus.kernel.webassembly.module import check_tools
    from ludus.loop.compilation import games_in_use, groups, steps
    from ludus.protocol.spec import spec_in_play

    def train(preset: Preset, folder: Path) -> None:
        from ludus.loop.run import Run

        Run(preset, folder).go()

    if web:
        check_tools()
    can_train = is_installed("torch")
    if not can_train:
        say("The code of training is left out, since PyTorch is not installed.", on=console)
    specs = games_in_use([models])
    if games:
        boards = {name: [spec for spec in specs if spec_parts(spec)[0] == name] for name in games}
        specs = [spec for name in games for spec in boards[name] or [name]]
    if not specs:
        raise BadInput("There are no games to compile; name one, such as `ludus compile mygame.py`.")
    found = groups(specs)
    todo = [
        (game.name, name, work) for game in found for name, work in steps(game, train if can_train else None).items()
    ]
    played = dict.fromkeys(spec_in_play(game.name) for game in found) if web else ()
    todo += [(spec, "browsers", lambda spec=spec: module_of(find_game(spec))) for spec in played]
    begun = time.monotonic()
    for done, (game, name, work) in enumerate(todo, 1):
        before = time.monotonic()
        with spinner(f"{game}: {name} ..."):
            work()
        now = time.monotonic()
        left = (now - begun) / done * (len(todo) - done)
        ahead = f"about {duration(left)} to go" if done < len(todo) else "done"
        say(f"{game}: {name} in {duration(now - before)}; {done} of {len(todo)}, {ahead}", on=console)
    print(f"{cache_directory()}: compiled code of {', '.join(dict.fromkeys(game for game, *_ in todo))}")
