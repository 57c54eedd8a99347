"""`ludus bench`: measurements of speed, one command for each figure in the documentation."""

import itertools
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from typing import Annotated, Any

import msgspec
import numpy as np
import typer

from ludus.cli.engine.options import Streams, Threads
from ludus.cli.terminal.game_files import named
from ludus.cli.terminal.screen import announce_compilation
from ludus.cores import usable_cores
from ludus.errors import BadInput, Unavailable
from ludus.games import EXAMPLE_GAME, MAIN_GAME
from ludus.games.registry import game as find_game
from ludus.network.config import Shapes
from ludus.network.measure import EvaluatorSetup, Trial, flops_per_position, largest_error, measure_speed
from ludus.players.thinking.group import cache_for
from ludus.selfplay.measure import (
    Throughput,
    describe_machine,
    measure_deep_search,
    measure_memory,
    measure_selfplay,
    measure_tree,
    settings_key,
)
from ludus.selfplay.source import Source

PRESET = f"{EXAMPLE_GAME}-laptop"
WITHOUT = "_without_foresight"
Runs = Annotated[int, typer.Option(min=1, help="Number of runs; the median is shown.")]
Seconds = Annotated[float, typer.Option(min=0.1, help="Duration of each run.")]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]


def print_figures(values: dict[str, Any], as_json: bool) -> None:
    """Print values with their names."""
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
    """Return a line that describes a trial."""
    arrangement, speed = trial.arrangement, trial.speed
    return (
        f"{arrangement.backend:>10}, batch {arrangement.batch:4}, lanes {arrangement.lanes}, workers "
        f"{arrangement.workers:2}:  {speed.median:11,.0f} positions/s ({speed.lowest:,.0f} to {speed.highest:,.0f}), "
        f"{speed.cores:.2f} cores busy"
    )


def tree(
    game: Annotated[str, typer.Option(callback=named, help="Spec of the game.")] = EXAMPLE_GAME,
    parallel: Annotated[int, typer.Option(min=1, help="Number of trees searched side by side by each worker.")] = 64,
    visits: Annotated[int, typer.Option(min=2, max=10_000_000, help="Visits for each move.")] = 200,
    workers: Annotated[int, typer.Option(min=1, help="Threads.")] = 1,
    leaves: Annotated[int, typer.Option(min=1, help="Leaves in each batch of the single deep search.")] = 8,
    seconds: Seconds = 2.0,
    runs: Runs = 5,
    as_json: Json = False,
) -> None:
    """Measure the search alone: simulations per second with a table instead of the network, and memory.

    `simulations_per_s` is by the clock, `simulations_per_cpu_s` per second of processor time. If the rules foresee
    outcomes, the search is also measured without foresight.
    """
    announce_compilation()
    rules = find_game(game)
    ways = (True, False) if rules.has_rule("foresee") else (True,)
    many = {foresight: list[Throughput]() for foresight in ways}
    deep = {foresight: list[float]() for foresight in ways}
    for _, foresight in itertools.product(range(runs), ways):  # alternate, so that other load affects both equally
        many[foresight].append(
            measure_tree(rules, parallel=parallel, visits=visits, seconds=seconds, workers=workers, foresight=foresight)
        )
        deep[foresight].append(
            measure_deep_search(rules, leaves=leaves, visits=2000, seconds=seconds / 2, foresight=foresight)
        )
    figures: dict[str, Any] = {}
    for foresight in ways:
        suffix, each = "" if foresight else WITHOUT, many[foresight]
        speeds = [one.reading.simulations_per_s for one in each]
        figures |= {
            f"simulations_per_s{suffix}": statistics.median(speeds),
            f"lowest{suffix}": min(speeds),
            f"highest{suffix}": max(speeds),
            f"simulations_per_cpu_s{suffix}": statistics.median(one.simulations_per_cpu_s for one in each),
            f"evaluations_per_s{suffix}": statistics.median(one.reading.evaluations_per_s for one in each),
            f"one_deep_search_{leaves}_leaves_per_s{suffix}": statistics.median(deep[foresight]),
        }
    in_use, aside = measure_memory(rules, visits=visits)
    print_figures(
        {"bench": "tree", "game": game, "parallel": parallel, "visits": visits, "workers": workers, "runs": runs}
        | figures
        | {"bytes_per_simulation_in_use": in_use, "bytes_per_simulation_set_aside": aside}
        | {"settings": many[True][0].settings}
        | describe_machine(),
        as_json,
    )


def selfplay(  # noqa: PLR0913 - each option of a command is an argument
    preset: Annotated[str, typer.Option(help="A preset by name or path.")] = PRESET,
    game: Annotated[
        str | None, typer.Option(callback=named, help="Spec of a game to play instead of the preset's games.")
    ] = None,
    backend: Annotated[
        str, typer.Option(help="openvino, torch, cuda, cuda:1, onnxruntime (default: the first available).")
    ] = "",
    workers: Annotated[int, typer.Option(min=0, help="Self-play threads (0: one per core).")] = 0,
    parallel: Annotated[int, typer.Option(min=0, help="Games in each group (0: as the preset says).")] = 0,
    groups: Annotated[int, typer.Option(min=0, help="Groups of each worker (0: as the preset says).")] = 0,
    blocks: Annotated[int, typer.Option(min=0, help="Blocks of the network (0: as the preset says).")] = 0,
    channels: Annotated[int, typer.Option(min=0, help="Channels of the network (0: as the preset says).")] = 0,
    seconds: Seconds = 10.0,
    runs: Runs = 3,
    as_json: Json = False,
) -> None:
    """Measure self-play with a random network: evaluations per second, compared with the evaluator alone.

    If the rules foresee outcomes and the preset uses them, self-play is also measured without foresight.
    """
    from ludus.loop.preset import load_preset  # imports torch, which takes a second
    from ludus.network.backends import available, open_evaluator
    from ludus.network.model import draw_arrays

    announce_compilation()
    settings = load_preset(preset)
    change = msgspec.structs.replace
    try:
        network = change(
            settings.network,
            blocks=blocks or settings.network.blocks,
            channels=channels or settings.network.channels,
        )
    except ValueError as error:
        raise BadInput(f"--blocks and --channels do not fit {preset}: {error}.") from error
    play = change(
        settings.selfplay,
        parallel=parallel or settings.selfplay.parallel,
        groups=groups or settings.selfplay.groups,
    )
    workers = workers or usable_cores()
    games = [find_game(game)] if game else settings.make_games()
    shapes = Shapes.of(games[0])
    backend = backend or available()[0]
    arrays = draw_arrays(network, shapes, settings.seed)
    evaluator = open_evaluator(backend, arrays, network, shapes, streams=workers)
    arrangement = EvaluatorSetup(backend, play.parallel * settings.search.leaves, play.groups, workers)
    foresees = settings.search.foresight and any(each.has_rule("foresee") for each in games)
    ways = {"": settings.search}
    if foresees:
        ways[WITHOUT] = change(settings.search, foresight=False)
    results = {suffix: list[tuple[float, Throughput]]() for suffix in ways}
    for _, (suffix, search) in itertools.product(range(runs), ways.items()):  # alternate, as other load changes
        alone = measure_speed(evaluator, arrangement, seconds=seconds / 5, runs=3).median
        source = Source(evaluator, cache_for(games[0], search))
        result = measure_selfplay(
            games, lambda _worker, source=source: source, search, play, workers=workers, seconds=seconds
        )
        results[suffix].append((alone, result))
    print_figures(
        {"bench": "selfplay", "preset": preset, "games": ", ".join(each.name for each in games), "backend": backend}
        | {"network": f"{network.blocks}x{network.channels}"}
        | {"parallel": play.parallel, "groups": play.groups, "runs": runs}
        | {
            f"{name}{suffix}": value
            for suffix, found in results.items()
            for name, value in selfplay_figures(found).items()
        }
        | {"settings": settings_key(network, results[""][0][1].settings)}
        | describe_machine(),
        as_json,
    )


def selfplay_figures(results: list[tuple[float, Throughput]]) -> dict[str, Any]:
    """Return the figures of the run with the median share, given the evaluator's speed and the result of each run."""
    alone, result = sorted(results, key=lambda each: each[1].reading.evaluations_per_s / each[0])[len(results) // 2]
    reading = result.reading
    counted = reading.evaluations_per_s + reading.cache_hits_per_s
    return (
        {"evaluator_alone_per_s": alone, "share_of_evaluator_alone": reading.evaluations_per_s / alone}
        | msgspec.to_builtins(reading)
        | {"evaluations_and_cache_hits_per_hour": 3600.0 * counted}
        | {"games_per_hour": result.games_per_hour, "positions_per_s": result.positions_per_s}
        | {"simulations_per_cpu_s": result.simulations_per_cpu_s}
    )


def evaluator(  # noqa: PLR0913 - each option of a command is an argument
    preset: Annotated[str, typer.Option(help="A preset, by name or path; its network is measured.")] = PRESET,
    backend: Annotated[
        list[str] | None,
        typer.Option(help="openvino, torch, cuda, cuda:1, onnxruntime; repeatable (default: all available)."),
    ] = None,
    batch: Annotated[
        list[int] | None, typer.Option(min=1, help="Batch size; repeatable (default: 64 and 256).")
    ] = None,
    lanes: Annotated[
        list[int] | None, typer.Option(min=1, help="Batches of each worker in flight; repeatable (default: 1 and 2).")
    ] = None,
    workers: Annotated[
        list[int] | None,
        typer.Option(min=1, help="Threads to submit batches; repeatable (default: 1 and one per core)."),
    ] = None,
    precision: Annotated[
        str | None, typer.Option(help="bf16, f16 or f32 (default: bf16 if the device is fast in it, else f32).")
    ] = None,
    seconds: Annotated[float, typer.Option(min=0.01, help="Minimum duration of each run.")] = 0.5,
    runs: Runs = 5,
    peak_tflops: Annotated[
        float, typer.Option(min=0.0, help="Peak operations of the device in its precision, for the bound (0: unknown).")
    ] = 0.0,
    as_json: Json = False,
) -> None:
    """Measure the evaluator alone: positions per second with data in memory, and the bound from arithmetic."""
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
        for number in workers or sorted({1, usable_cores()}):
            evaluator = open_evaluator(name, arrays, network, shapes, streams=number, precision=precision)
            for size, num_lanes in itertools.product(batch or (64, 256), lanes or (1, 2)):
                arrangement = EvaluatorSetup(name, size, num_lanes, number)
                trial = Trial(arrangement, measure_speed(evaluator, arrangement, seconds=seconds, runs=runs))
                trials.append(trial)
                if not as_json:
                    print(line_of(trial))
    print_figures(head | describe_machine() | ({"trials": msgspec.to_builtins(trials)} if as_json else {}), as_json)


FIRST_VISITS = 200


def sessions(  # noqa: PLR0913 - each option of a command is an argument
    model: Annotated[str, typer.Option(help="A model's folder.")] = f"models/{MAIN_GAME}-small",
    game: Annotated[
        str | None, typer.Option(callback=named, help="Spec of the game (default: the model's first game).")
    ] = None,
    sessions: Annotated[str, typer.Option(help="Numbers of concurrent sessions to measure.")] = "1,16,64,256",
    visits: Annotated[int, typer.Option(min=2, max=10_000_000, help="Visits for each answer.")] = 100,
    seconds: Seconds = 3.0,
    runs: Runs = 3,
    slots: Annotated[int, typer.Option(min=1, help="Number of search trees.")] = 256,
    threads: Threads = 1,
    streams: Streams = 2,
    as_json: Json = False,
) -> None:
    """Measure many sessions that share a model, each with its own tree: answers, evaluations and waiting times.

    First, measure the time from the start of a session in a running engine to its first answer with 200 visits.
    """
    from ludus.engine.bgs.measure import measure_first_answer
    from ludus.players.jobs.measure import measure_sessions
    from ludus.players.thinking.mind import Mind

    announce_compilation()
    if not all(part.isdecimal() and int(part) > 0 for part in sessions.split(",")):
        raise BadInput(f"--sessions {sessions}: write numbers separated by commas, such as 1,16,64.")
    numbers = [int(part) for part in sessions.split(",")]
    mind = Mind.load(model, threads=threads, streams=streams)
    board = find_game(game or mind.games[0])
    first = msgspec.to_builtins(measure_first_answer(model, board.name, visits=FIRST_VISITS, threads=threads))
    services = measure_sessions(mind, board, numbers, visits=visits, seconds=seconds, runs=runs, slots=slots)
    gains = {str(each.sessions): each.evaluations_per_s / services[0].evaluations_per_s for each in services[1:]}
    head = {"bench": "sessions", "model": model, "game": board.name, "visits": visits, "seconds": seconds, "runs": runs}
    if as_json:
        rows = [msgspec.to_builtins(service) for service in services]
        head |= {
            "threads": threads,
            "streams": streams,
            "slots": slots,
            "first_answer": first,
            "evaluations_over_sequential": gains,
        }
        print_figures(head | {"rows": rows} | describe_machine(), as_json)
        return
    print_figures(
        first | {f"evaluations_{number}_sessions_over_sequential": gain for number, gain in gains.items()}, as_json
    )
    print()
    for service in services:
        print_figures(msgspec.to_builtins(service), as_json)
        print()


def start(
    game: Annotated[str, typer.Option(callback=named, help="Spec of the game.")] = EXAMPLE_GAME,
    as_json: Json = False,
) -> None:
    """Measure the time from the start of a process to the end of its first search, with an empty and a full cache."""
    find_game(game)  # report a wrong name before the measurement
    program = f"import ludus.selfplay.measure as m, ludus; m.measure_first_search(ludus.game({game!r}))"
    times: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as cache:
        for name in ("cold_s", "warm_s"):
            begun = time.perf_counter()
            done = subprocess.run(
                [sys.executable, "-c", program], env={**os.environ, "LUDUS_CACHE": cache}, check=False
            )
            if done.returncode:
                raise Unavailable(f"{game}: the measured process failed with exit status {done.returncode}.")
            times[name] = time.perf_counter() - begun
    print_figures({"bench": "start", "game": game} | times | describe_machine(), as_json)


bench = typer.Typer(help="Measure speed on this machine.", no_args_is_help=True)
bench.command()(tree)
bench.command()(selfplay)
bench.command()(evaluator)
bench.command()(sessions)
bench.command()(start)
