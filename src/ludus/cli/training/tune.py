"""`ludus tune`: which settings feed a network fastest on this machine, and a preset that has them."""

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

WAVES = 3  # of games at once, that a generation should have: the last wave has ever fewer
TOO_MUCH = 0.2  # spread of the runs of one arrangement
HEADER = ("backend", "batch", "lanes", "workers", "positions/s", "lowest", "highest", "cores")  # of what is measured
ROW = "{:>10} {:>6} {:>6} {:>8} {:>12} {:>11} {:>11} {:>6}"


def tune(
    preset: Annotated[str, typer.Argument(help="A preset by name or path: its network is measured.")],
    seconds: Annotated[float, typer.Option(min=0.01, help="Of each run, at least.")] = 0.5,
    runs: Annotated[int, typer.Option(min=1, help="Of each arrangement; the median counts.")] = 5,
    write: Annotated[
        Path | None, typer.Option(help="Write the preset with what was found to this file, for `ludus train`.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Measure which backend, batch, lanes and workers judge most positions here; half a minute on an idle machine."""
    from ludus.loop.preset import load_preset  # these bring torch, which takes a second
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
            f"Runs of one arrangement differ by up to {spread:.0%}: other work seems to run here; try again.",
            on=console,
        )
    say(f"Fewest positions in flight among those within {1 - TIE:.0%} of the fastest:")
    say(line_of(found.best))
    play = tuned.selfplay
    at_once, games = play.parallel * play.groups * tuned.workers, play.games
    if games < WAVES * at_once:
        say(
            f"So {at_once:,} games are played at once, of {games:,} a generation, whose last ones leave most "
            f"of a batch empty; let selfplay.games be {WAVES * at_once:,} or more, or selfplay.parallel smaller.",
            on=console,
        )
    if write:
        say(f"Written to {write}; go on with: ludus train {write}")


def _row(trial: Trial) -> str:
    """Return a trial as a line of figures, in the order of `HEADER`."""
    how, speed = trial.arrangement, trial.speed
    rates = (f"{rate:,.0f}" for rate in (speed.median, speed.lowest, speed.highest))
    return ROW.format(how.backend, how.batch, how.lanes, how.workers, *rates, f"{speed.cores:.2f}")


def arranged(preset: Preset, arrangement: EvaluatorSetup) -> Preset:
    """Return a preset whose self-play fills batches as `arrangement` does: a group of games for each lane.

    Where one GPU was the fastest, all are used that the preset asks for.
    """
    games = max(1, arrangement.batch // preset.search.leaves)
    device = preset.device if preset.device == "auto" and arrangement.backend == "cuda" else arrangement.backend
    selfplay = msgspec.structs.replace(preset.selfplay, parallel=games, groups=arrangement.lanes)
    return msgspec.structs.replace(preset, device=device, workers=arrangement.workers, selfplay=selfplay)
