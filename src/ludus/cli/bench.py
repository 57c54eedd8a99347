"""`ludus bench`: the figures of the documentation, each by one command."""

from __future__ import annotations

import itertools
import json
import os
import subprocess
import sys
import tempfile
import time
from typing import Annotated, Any

import msgspec
import numpy as np
import typer

from ludus.cli.screen import announce_compilation
from ludus.games.registry import game as find_game
from ludus.network.config import Shapes
from ludus.network.measure import Arrangement, Trial, flops_per_position, largest_error, measure_speed
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
def evaluator(  # noqa: PLR0913 - each option of a command is an argument
    preset: Annotated[str, typer.Option(help="The preset, by name or path, whose network is measured.")] = (
        "connect4-laptop"
    ),
    backend: Annotated[
        list[str] | None, typer.Option(help="openvino, torch, cuda, cuda:1; repeatable (default: all that are here).")
    ] = None,
    batch: Annotated[list[int] | None, typer.Option(min=1, help="Rows; repeatable (default: 64 and 256).")] = None,
    lanes: Annotated[
        list[int] | None, typer.Option(min=1, help="Batches of each worker in flight; repeatable (default: 1 and 2).")
    ] = None,
    workers: Annotated[
        list[int] | None, typer.Option(min=1, help="Threads that feed it; repeatable (default: 1 and one per core).")
    ] = None,
    precision: Annotated[
        str | None, typer.Option(help="bf16, f16 or f32 (default: as well as the device can).")
    ] = None,
    seconds: Annotated[float, typer.Option(min=0.01, help="Of each run, at least.")] = 0.5,
    runs: Annotated[int, typer.Option(min=1, help="Of each arrangement; the median is shown.")] = 5,
    peak_tflops: Annotated[
        float, typer.Option(min=0.0, help="The device's peak in its precision, to show the bound (0: unknown).")
    ] = 0.0,
    as_json: Json = False,
) -> None:
    """Positions per second of the evaluator alone, fed from memory, beside the bound that arithmetic sets."""
    from ludus.loop.preset import load_preset
    from ludus.network.backends import available, open_evaluator
    from ludus.network.model import draw_arrays
    from ludus.network.torch import TorchEvaluator

    settings = load_preset(preset)
    network, shapes = settings.network, Shapes.of(settings.make_games()[0])
    arrays = draw_arrays(network, shapes, settings.seed)
    flops = flops_per_position(network, shapes)
    head: dict[str, Any] = {"bench": "evaluator", "preset": preset, "precision": precision or "best"}
    head["megaflop_per_position"] = flops / 1e6
    if peak_tflops:
        head["bound_positions_per_s"] = peak_tflops * 1e12 / flops
    reference = TorchEvaluator(arrays, network, shapes, precision="f32")
    planes = np.random.default_rng(0).integers(2, size=(256, *shapes.planes), dtype=np.uint8)
    trials: list[Trial] = []
    for name in backend or available():
        evaluator = open_evaluator(name, arrays, network, shapes, precision=precision)
        head[f"largest_logit_error_{name}"] = largest_error(evaluator, reference, planes)
        for number in workers or sorted({1, os.cpu_count() or 1}):
            evaluator = open_evaluator(name, arrays, network, shapes, streams=number, precision=precision)
            for size, num_lanes in itertools.product(batch or (64, 256), lanes or (1, 2)):
                arrangement = Arrangement(name, size, num_lanes, number)
                trial = Trial(arrangement, measure_speed(evaluator, arrangement, seconds=seconds, runs=runs))
                trials.append(trial)
                if not as_json:
                    print(line_of(trial))
    _print(head | describe_machine() | ({"trials": msgspec.to_builtins(trials)} if as_json else {}), as_json)


def line_of(trial: Trial) -> str:
    """Return a trial in words."""
    arrangement, speed = trial.arrangement, trial.speed
    return (
        f"{arrangement.backend:>10}, batch {arrangement.batch:4}, lanes {arrangement.lanes}, workers "
        f"{arrangement.workers:2}:  {speed.median:11,.0f} positions/s ({speed.lowest:,.0f} to {speed.highest:,.0f}), "
        f"{speed.cores:.2f} cores busy"
    )


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
