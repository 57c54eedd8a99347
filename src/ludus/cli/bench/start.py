"""`ludus bench start`: the first search of a process."""

import os
import subprocess
import sys
import tempfile
import time
from typing import Annotated

import typer

from ludus.cli.bench.figures import Json, print_figures
from ludus.selfplay.measure import describe_machine


def start(
    game: Annotated[str, typer.Option(help="Spec of the game.")] = "connect4",
    as_json: Json = False,
) -> None:
    """Seconds from the start of a process to the end of its first search, with an empty and with a filled cache."""
    program = f"import ludus.selfplay.measure as m, ludus; m.measure_first_search(ludus.game({game!r}))"
    times: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as cache:
        for name in ("cold_s", "warm_s"):
            begun = time.perf_counter()
            subprocess.run([sys.executable, "-c", program], env={**os.environ, "LUDUS_CACHE": cache}, check=True)
            times[name] = time.perf_counter() - begun
    print_figures({"bench": "start", "game": game} | times | describe_machine(), as_json)
