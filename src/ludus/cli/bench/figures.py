"""How figures are printed: a name and a value a line, or one JSON object."""

import json
from typing import Annotated, Any

import typer

from ludus.network.measure import Trial

Json = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]


def print_figures(values: dict[str, Any], as_json: bool) -> None:
    """Print named figures."""
    if as_json:
        print(json.dumps(values))
        return
    for name, value in values.items():
        shown = (
            f"{value:,.3f}"
            if isinstance(value, float) and value < 10
            else f"{value:,.0f}"
            if isinstance(value, float)
            else value
        )
        print(f"{name:>20}  {shown}")


def line_of(trial: Trial) -> str:
    """Return a trial in words."""
    arrangement, speed = trial.arrangement, trial.speed
    return (
        f"{arrangement.backend:>10}, batch {arrangement.batch:4}, lanes {arrangement.lanes}, workers "
        f"{arrangement.workers:2}:  {speed.median:11,.0f} positions/s ({speed.lowest:,.0f} to {speed.highest:,.0f}), "
        f"{speed.cores:.2f} cores busy"
    )
