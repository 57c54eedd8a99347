"""`ludus bench`: the figures of the documentation, each by one command."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from typing import Annotated, Any

import msgspec
import typer

from ludus.cli.screen import announce_compilation
from ludus.games.registry import game as find_game
from ludus.selfplay.measure import Throughput, describe_machine, measure_selfplay, measure_tree

bench = typer.Typer(help="Measure speed on this machine.", no_args_is_help=True)
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]


@bench.command()
def tree(
    game: Annotated[str, typer.Option(help="Spec of the game.")] = "connect4",
    parallel: Annotated[int, typer.Option(min=1, help="Trees side by side.")] = 64,
    visits: Annotated[int, typer.Option(min=2, help="Visits of a move.")] = 200,
    seconds: Annotated[float, typer.Option(min=0.1, help="Measured time.")] = 5.0,
    as_json: Json = False,
) -> None:
    """Simulations per second of the search alone, on one core, with a table in place of the network."""
    announce_compilation()
    result = measure_tree(find_game(game), parallel=parallel, visits=visits, seconds=seconds)
    _show({"bench": "tree", "game": game, "parallel": parallel, "visits": visits}, result, as_json)


@bench.command()
def selfplay(
    preset: Annotated[str, typer.Option(help="A preset by name or path.")] = "connect4-laptop",
    workers: Annotated[int, typer.Option(min=1, help="Self-play threads.")] = 2,
    seconds: Annotated[float, typer.Option(min=0.1, help="Measured time.")] = 20.0,
    as_json: Json = False,
) -> None:
    """Evaluations per second and games per hour of real self-play with a fresh network."""
    from ludus.learner.train import Learner  # torch takes a second that other commands need not wait
    from ludus.loop.preset import load_preset
    from ludus.network.openvino import OpenVinoEvaluator

    announce_compilation()
    settings = load_preset(preset)
    games = settings.make_games()
    learner = Learner(games, settings.network, settings.learner, settings.seed)
    arrays, shapes = learner.arrays(), learner.shapes
    result = measure_selfplay(
        games,
        lambda _worker: OpenVinoEvaluator(arrays, settings.network, shapes),
        settings.search,
        settings.selfplay,
        workers=workers,
        seconds=seconds,
    )
    _show({"bench": "selfplay", "preset": preset}, result, as_json)


@bench.command()
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
    _print({"bench": "start", "game": game} | times | describe_machine(), as_json)


def _show(head: dict[str, Any], result: Throughput, as_json: bool) -> None:
    _print(head | msgspec.to_builtins(result) | describe_machine(), as_json)


def _print(values: dict[str, Any], as_json: bool) -> None:
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
