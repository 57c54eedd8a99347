"""`ludus runs` and `ludus report`: tables of runs, and a page about one run."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from ludus.cli.terminal.destination import check_destination
from ludus.cli.terminal.game_files import GameFiles
from ludus.cli.terminal.screen import duration, output, say
from ludus.errors import BadInput
from ludus.files import write_atomically
from ludus.games import EXAMPLE_GAME


def runs(
    directory: Annotated[Path, typer.Argument(help="The folder of the runs, or one run.")] = Path("runs"),
    verify: Annotated[bool, typer.Option("--verify", help="Read every byte of each run, and report damage.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object per line.")] = False,
    game: GameFiles = None,  # noqa: ARG001 - its callback permits them
) -> None:
    """List and compare runs: progress, strength, duration and alarms."""
    found = sorted(path.parent for path in [*directory.glob("preset.toml"), *directory.glob("*/preset.toml")])
    if not found:
        raise BadInput(f"{directory}: contains no run; give the folder of the runs, or train one.")
    rows = [_row(path, verify=verify) for path in found]
    if as_json:
        for row in rows:
            print(json.dumps(row))
    else:
        _show(rows)
    if any(row["faults"] for row in rows):
        raise typer.Exit(1)


def _show(rows: list[dict[str, Any]]) -> None:
    """Print a table of runs and their faults."""
    table = Table(box=None, header_style="bold")
    table.add_column("run", overflow="fold")
    names = ("gens", "games", "time", "Elo", "policy", "outcome", "evals/s", "alarms")
    for name in names:
        table.add_column(name, justify="right", overflow="fold", no_wrap=name != "alarms")
    for row in rows:
        table.add_row(Path(row["run"]).resolve().name, *(str(row["shown"][name]) for name in names))
    output().print(table)
    for row in rows:
        for fault in row["faults"]:
            say(f"{row['run']}: {fault}")


def _row(path: Path, *, verify: bool) -> dict[str, Any]:
    """Return the figures of a run, with formatted texts under `shown`; a damaged run has faults instead."""
    from ludus.loop.directory.folder import Folder
    from ludus.loop.directory.verify import tried
    from ludus.loop.directory.verify import verify as find_faults

    folder = Folder(path)
    faults: list[str] = []
    preset, lines = tried(folder.preset, faults), tried(folder.metrics, faults) or []
    if verify:
        faults = find_faults(folder)  # includes the error
    last = lines[-1] if lines else None
    elo = next((line for line in reversed(lines) if line.elo is not None), None)
    seconds = sum(line.seconds for line in lines)
    played = sum(line.selfplay_s for line in lines if line.evaluations)
    speed = sum(line.evaluations for line in lines) / played if played else None
    figures: dict[str, Any] = {
        "run": str(path),
        "preset": preset.name if preset else "",
        "games": sum(line.facts.games for line in lines),
        "generations": len(lines),
        "of": preset.generations if preset else 0,
        "hours": seconds / 3600,
        "elo": elo.elo if elo else None,
        "elo_error": elo.elo_error if elo else None,
        "policy_loss": last.losses.policy if last else None,
        "outcome_loss": last.losses.outcome if last else None,
        "evaluations_per_s": speed,
        "alarms": [alarm.kind for alarm in last.alarms] if last else [],
        "faults": faults,
    }
    figures["shown"] = {
        "gens": f"{len(lines)}/{preset.generations if preset else '?'}",
        "games": f"{figures['games']:,}",
        "time": duration(seconds),
        "Elo": f"{elo.elo:+.0f} ±{elo.elo_error or 0:.0f}" if elo else "",
        "policy": f"{last.losses.policy:.3f}" if last else "",
        "outcome": f"{last.losses.outcome:.3f}" if last else "",
        "evals/s": f"{speed:,.0f}" if speed is not None else "",
        "alarms": ", ".join(figures["alarms"]),
    }
    return figures


def report(
    run: Annotated[Path, typer.Argument(help=f"Directory of the run, such as runs/{EXAMPLE_GAME}-laptop.")],
    out: Annotated[Path | None, typer.Option(help="The page (default: report.html in the run's directory).")] = None,
    game: GameFiles = None,  # noqa: ARG001 - its callback permits them
) -> None:
    """Write one self-contained HTML page about a run: Elo, losses, throughput, alarms, games, settings."""
    from ludus.loop.directory.folder import Folder
    from ludus.report.page import make_page

    if out:
        check_destination("--out", out, ".html")
    page = out or run / "report.html"
    write_atomically(page, make_page(Folder(run)).encode())
    print(page)
