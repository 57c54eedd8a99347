"""`ludus train`: runs the loop and shows it."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated

import typer

from ludus.cli.screen import announce_compilation, console


def train(
    preset: Annotated[
        str, typer.Argument(help="A shipped preset (such as tictactoe-smoke) or the path of a .toml file.")
    ],
    run: Annotated[
        Path | None, typer.Option(help="Directory of the run (default: runs/PRESET). An existing run continues.")
    ] = None,
    workers: Annotated[int, typer.Option(help="Self-play threads (0: as the preset says, or one per core).")] = 0,
    minutes: Annotated[float, typer.Option(help="Stop after the generation that passes this time (0: never).")] = 0.0,
) -> None:
    """Train a network by self-play; on an existing run directory, just continue."""
    from ludus.cli.view import View  # these bring torch, which takes a second that other commands need not wait
    from ludus.loop.preset import load_preset
    from ludus.loop.run import Run

    announce_compilation()
    settings = load_preset(preset)
    directory = run or Path("runs") / Path(preset).stem
    view = View(settings, directory)
    begun = time.monotonic()
    try:
        with view:
            loop = Run(settings, directory, view.hear, workers=workers)
            view.start(loop.folder.metrics(), loop.workers)
            loop.go(until=lambda: bool(minutes) and time.monotonic() - begun > 60.0 * minutes)
    except KeyboardInterrupt:
        console.print(f"Interrupted; what {directory} holds is whole, and the same command continues it.")
        raise typer.Exit(130) from None
    done = loop.folder.metrics()
    if done:
        console.print(
            f"{len(done)} of {settings.generations} generations; newest model: {loop.folder.model(done[-1].generation)}"
        )
