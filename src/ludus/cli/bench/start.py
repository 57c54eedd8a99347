"""`ludus bench start`: the first search of a process."""

import os
import subprocess
import sys
import tempfile
import time
from typing import Annotated

import typer

from ludus.cli.bench.figures import Json, print_figures
from ludus.errors import Unavailable
from ludus.games.registry import game as find_game
from ludus.selfplay.measure import describe_machine


def start(
    game: Annotated[str, typer.Option(help="Spec of the game.")] = "connect4",
    as_json: Json = False,
) -> None:
    """Seconds from the start of a process to the end of its first search, with an empty and with a filled cache."""
    find_game(game)  # a wrong name is told now
    program = f"import ludus.selfplay.measure as m, ludus; m.measure_first_search(ludus.game({game!r}))"
    times: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as cache:
        for name in ("cold_s", "warm_s"):
            begun = time.perf_counter()
            done = subprocess.run(
                [sys.executable, "-c", program], env={**os.environ, "LUDUS_CACHE": cache}, check=False
            )
            if done.returncode:
                raise Unavailable(f"{game}: the process that was to search ended with status {done.returncode}.")
            times[name] = time.perf_counter() - begun
    print_figures({"bench": "start", "game": game} | times | describe_machine(), as_json)
