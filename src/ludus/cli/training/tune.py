"""`ludus tune`: finds the settings that evaluate most positions on this machine, and writes a preset with them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import msgspec
import typer

from ludus import config
from ludus.cli.bench import line_of
from ludus.cli.terminal.destination import check_destination, check_new
from ludus.cli.terminal.screen import console, say
from ludus.files import write_atomically
from ludus.network.config import Shapes
from ludus.network.measure import EvaluatorSetup, Trial

if TYPE_CHECKING:
    from ludus.loop.preset import Preset

WAVES = 3  # a generation should have at least this many times the concurrent games: batches shrink at its end
TOO_MUCH = 0.2  # largest acceptable spread between runs of one setup
HEADER = ("backend", "batch", "lanes", "workers", "positions/s", "lowest", "highest", "cores")  # columns of the table
ROW = "{:>10} {:>6} {:>6} {:>8} {:>12} {:>11} {:>11} {:>6}"


def tune(
    preset: Annotated[str, typer.Argument(help="A preset by name or path: its network is measured.")],
    seconds: Annotated[float, typer.Option(min=0.01, help="Minimum duration of each run.")] = 0.5,
    runs: Annotated[int, typer.Option(min=1, help="Runs of each setup; the median counts.")] = 5,
    write: Annotated[Path | None, typer.Option(help="Write the tuned preset to this file, for `ludus train`.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Find the backend, batch, lanes and workers that evaluate most positions here; takes half a minute."""
    from ludus.loop.preset import load_preset  # imports torch, which takes a second
    from ludus.network.model import draw_arrays
    from ludus.network.tune import TIE
    from ludus.network.tune import tune as find_arrangement

    settings = load_preset(preset)
    if write:
        check_destination("--write", write, ".toml")
        check_new("--write", write)
    shapes = Shapes.of(settings.make_games()[0])
    arrays = draw_arrays(settings.network, shapes, settings.seed)

    def show(trial: Trial) -> None:
        if not as_json:
            console.print(_row(trial), soft_wrap=True)

    if not as_json:
        console.print(ROW.format(*HEADER), soft_wrap=True)
    most_workers = 1 if settings.deterministic else 0
    found = find_arrangement(
        arrays, settings.network, shapes, seconds=seconds, runs=runs, most_workers=most_workers, on_trial=show
    )
    tuned = arranged(settings, found.best.arrangement)
    if write:
        write_atomically(write, config.dump(tuned).encode())
    if as_json:
        print(msgspec.json.encode(found).decode())
        return
    if (spread := max(trial.speed.spread for trial in found.trials)) > TOO_MUCH:
        say(
            f"Runs of one setup differ by up to {spread:.0%}: other programs seem to use this machine; try again.",
            on=console,
        )
    say(f"Fewest positions in flight among those within {1 - TIE:.0%} of the fastest:")
    say(line_of(found.best))
    play = tuned.selfplay
    at_once, games = play.parallel * play.groups * tuned.workers, play.games
    if games < WAVES * at_once:
        say(
            f"{at_once:,} of the {games:,} games of a generation are played at once, so batches are mostly empty at "
            f"its end; set selfplay.games to at least {WAVES * at_once:,}, or a smaller selfplay.parallel.",
            on=console,
        )
    if write:
        say(f"Written to {write}; continue with: ludus train {write}")


def _row(trial: Trial) -> str:
    """Return a trial as a line with the columns of `HEADER`."""
    how, speed = trial.arrangement, trial.speed
    rates = (f"{rate:,.0f}" for rate in (speed.median, speed.lowest, speed.highest))
    return ROW.format(how.backend, how.batch, how.lanes, how.workers, *rates, f"{speed.cores:.2f}")


def arranged(preset: Preset, arrangement: EvaluatorSetup) -> Preset:
    """Return a preset whose self-play fills batches as in `arrangement`: one group of games for each lane.

    If one GPU was the fastest, the preset still uses all the GPUs that it asks for.
    """
    games = max(1, arrangement.batch // preset.search.leaves)
    device = preset.device if preset.device == "auto" and arrangement.backend == "cuda" else arrangement.backend
    selfplay = msgspec.structs.replace(preset.selfplay, parallel=games, groups=arrangement.lanes)
    return msgspec.structs.replace(preset, device=device, workers=arrangement.workers, selfplay=selfplay)
