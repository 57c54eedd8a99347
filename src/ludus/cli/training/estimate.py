"""`ludus estimate`: predicts the time, disk and memory that a preset needs on this machine."""

from __future__ import annotations

from typing import Annotated

import msgspec
import typer
from rich.progress import Progress
from rich.table import Table

from ludus.cli.terminal.screen import announce_compilation, console, duration, output, say
from ludus.cores import usable_cores


def estimate(
    preset: Annotated[str, typer.Argument(help="A preset by name or path.")],
    workers: Annotated[int, typer.Option(min=0, help="Self-play threads (0: as the preset says).")] = 0,
    seconds: Annotated[float, typer.Option(min=1.0, help="Approximate duration of the measurement.")] = 60.0,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Measure this machine for about a minute, and predict time, disk and memory of a run."""
    from ludus.loop.forecast.estimate import estimate as measure
    from ludus.loop.preset import load_preset

    announce_compilation()
    settings = load_preset(preset)
    used = 1 if settings.deterministic else workers or settings.workers or usable_cores()
    say(f"Measuring {settings.name} with {used} worker{'s' * (used > 1)} for about {seconds:.0f} s ...", on=console)
    with Progress(console=console, transient=True) as progress:
        task = progress.add_task("", total=1.0)
        found = measure(
            settings,
            workers=used,
            seconds=seconds,
            tell=lambda what, share: progress.update(task, description=what, completed=share),
        )
    if as_json:
        total = {"total_s": found.total_s, "generation_s": found.generation_s}
        print(msgspec.json.encode(msgspec.structs.asdict(found) | total).decode())
        return
    table = Table(title=f"{settings.name}: about {duration(found.total_s)} on this machine", title_justify="left")
    for name in ("generation", "self-play", "learning", "matches", "together", "since the start"):
        table.add_column(name, justify="right")
    times = zip(found.selfplay_s, found.learner_s, found.matches_s, strict=True)
    since = 0.0
    last = settings.generations - 1
    for generation, (play, learn, match) in enumerate(times):
        since += play + learn + match
        if generation in (0, 1, last // 4, last // 2, 3 * last // 4, last):
            cells = (play, learn, match, play + learn + match, since)
            table.add_row(str(generation), *(duration(each) for each in cells))
    gate = f", {found.gate_s:.0f} s a match of the gate with all its pairs" if found.gate_s else ""
    output().print(table)
    say(
        f"Measured: games of {found.first_length:.0f} actions by the first teacher and {found.length:.0f} "
        f"by the network, {found.positions_per_s:,.0f} positions/s and {found.evaluations_per_s:,.0f} evaluations/s in "
        f"self-play, {found.steps_per_s:.1f} training steps/s, {found.match_s:.0f} s a match{gate}.\n"
        f"Disk: {found.disk_bytes / 1e6:,.0f} MB at the end; memory: {found.memory_bytes / 1e9:.1f} GB at most.\n"
        "Assumed: later networks play as fast as one that learned for a few seconds, games of the same length, and "
        "this machine stays as busy as it is now. Matches and mode are the preset's; the pipelined mode takes less."
    )
