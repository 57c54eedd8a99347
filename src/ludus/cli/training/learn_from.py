"""`ludus learn-from`: trains a network on game records, and continues after an interrupt."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ludus.cli.terminal.destination import check_destination
from ludus.cli.terminal.interrupts import interruptible
from ludus.cli.terminal.screen import announce_compilation, console, duration, say, say_fault

if TYPE_CHECKING:
    from ludus.learner.losses import Losses

MOST_PASSES = 1_000_000.0
ACCELERATED_VISITS = 10
"""Visits for each action with which a player plays on (cbaduk's acceleration mode: 10)."""


def learn_from(
    games: Annotated[
        list[Path],
        typer.Argument(help="Files of games, or folders of them: shards of runs, PGN, SGF; matches by file name."),
    ],
    preset: Annotated[str, typer.Option(help="A shipped preset or a .toml file, for the network and the learner.")],
    out: Annotated[Path, typer.Option(help="The model to write, a .safetensors file.")],
    start: Annotated[
        Path | None, typer.Option(help="A model or its folder to start from, instead of random weights.")
    ] = None,
    passes: Annotated[float, typer.Option(min=0.0, max=MOST_PASSES, help="How often each position is used.")] = 4.0,
    threads: Annotated[int, typer.Option(min=0, help="CPU threads (0: one for each core).")] = 0,
    play_on: Annotated[
        str,
        typer.Option(
            metavar="PLAYER",
            help="A player that plays unfinished games to the end, for the head `maps`: a model's path, or PATH:VISITS "
            f"(default: the game's heuristic; a model has {ACCELERATED_VISITS} visits).",
        ),
    ] = "",
) -> None:
    """Train a network on game records, as a start for a run or to play with; after an interrupt, it continues."""
    from ludus.loop.game_records.readers import find_records
    from ludus.loop.preset import load_preset  # imports torch, which takes a second
    from ludus.loop.supervised import learn_from as learn
    from ludus.loop.supervised import unfinished_file
    from ludus.players.matches.roster import find_player

    announce_compilation()
    check_destination("--out", out, ".safetensors")
    loaded = load_preset(preset)
    boards = loaded.make_games()
    player = find_player(play_on, *boards, visits=ACCELERATED_VISITS) if play_on else None
    records = find_records(games, boards)
    say(f"{len(records)} file{'s' * (len(records) > 1)} of games", on=console)
    with interruptible(lambda: _kept(unfinished_file(out))):
        learn(
            loaded,
            records,
            out,
            start=start,
            passes=passes,
            threads=threads,
            play_on=player,
            on_portion=teller(),
            on_continue=lambda done, steps: say(f"continues after step {done} of {steps}", on=console),
            on_fault=say_fault,
        )
    print(out)


def _kept(unfinished: Path) -> str:
    if unfinished.is_file():
        return f"Interrupted; {unfinished} contains the progress, and the same command continues."
    return "Interrupted too early to save any progress."


def teller() -> Callable[[int, int, Losses], None]:
    """Return a function that prints the progress after each part of the steps, with time left from the second on."""
    first: tuple[int, float] | None = None  # steps done, and when: excludes the time to read the games

    def tell(done: int, steps: int, losses: Losses) -> None:
        nonlocal first
        now = time.monotonic()
        line = f"step {done} of {steps}: policy {losses.policy:.3f}, outcome {losses.outcome:.3f}"
        line += "".join(f", {name} {loss:.3f}" for name, loss in losses.auxiliary.items())
        if losses.validation_policy is not None:
            line += (
                f"; on games held out: policy {losses.validation_policy:.3f}, outcome {losses.validation_outcome:.3f}"
            )
        if first and done < steps:
            since, begun = first
            line += f"; about {duration((now - begun) / (done - since) * (steps - done))} to go"
        first = first or (done, now)
        say(line, on=console)

    return tell
