"""`ludus train`: runs the training loop and shows its progress."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from ludus.cli.terminal.game_files import GameFiles
from ludus.cli.terminal.interrupts import interruptible
from ludus.cli.terminal.screen import announce_compilation, console, say
from ludus.cli.training.background import ProgressLines, end_with_input
from ludus.games import EXAMPLE_GAME
from ludus.system import lower_priority


def train(
    preset: Annotated[
        str,
        typer.Argument(
            help=f"A shipped preset (such as {EXAMPLE_GAME}-laptop), a .toml file, or the directory of a run."
        ),
    ],
    run: Annotated[
        Path | None, typer.Option(help="Directory of the run (default: runs/PRESET). An existing run continues.")
    ] = None,
    game: GameFiles = None,  # noqa: ARG001 - its callback permits them
    workers: Annotated[
        int, typer.Option(min=0, max=1024, help="Self-play threads (0: as the preset says, or one per core).")
    ] = 0,
    cluster: Annotated[
        str,
        typer.Option(
            metavar="ADDRESS",
            help="Use the machines of a Ray cluster for self-play: HOST:PORT of its head, or auto for this machine's "
            "cluster.",
        ),
    ] = "",
    minutes: Annotated[
        float,
        typer.Option(min=0.0, help="Stop at the end of the generation in which this time limit is reached (0: never)."),
    ] = 0.0,
    tensorboard: Annotated[
        bool, typer.Option("--tensorboard", help="Also write TensorBoard event files to the run's directory.")
    ] = False,
    background: Annotated[
        bool,
        typer.Option(
            "--background",
            help="Train at the lowest priority, print progress as JSON lines, and end with standard input: for "
            "programs that train beside other work.",
        ),
    ] = False,
) -> None:
    """Train a network by self-play; an existing run directory is continued."""
    from ludus.cli.training.view import (
        RunView,  # imports torch, which takes a second
    )
    from ludus.loop.run import Run, choose_run

    if background:
        lower_priority()
        end_with_input()
    announce_compilation()
    settings, directory = choose_run(preset, run)
    view = RunView(settings, directory)
    listeners: list[Callable[..., object]] = [view.hear, *([ProgressLines().hear] if background else [])]
    events = None
    begun = time.monotonic()
    intact = f"Interrupted; the run in {directory} is intact, and the same command continues it."
    with interruptible(lambda: intact), view:
        tell = lambda event: [hear(event) for hear in list(listeners)]  # noqa: E731 - the list grows below
        loop = Run(settings, directory, tell, workers=workers, cluster=cluster)
        if tensorboard:
            from ludus.loop.directory.tensorboard import TensorBoard

            events = TensorBoard(directory, loop.folder.metrics())
            listeners.append(events.hear)
        view.start(loop.folder.metrics(), loop.workers, cluster)
        loop.go(until=lambda: bool(minutes) and time.monotonic() - begun > 60.0 * minutes)
        if events:
            events.begin()  # of a finished run
    done = loop.folder.metrics()
    if done:
        newest = loop.folder.model(done[-1].generation)
        say(f"{len(done)} of {settings.generations} generations; newest model: {newest}", on=console)
