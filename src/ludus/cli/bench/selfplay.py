"""`ludus bench selfplay`: real self-play, beside the evaluator alone."""

import os
from typing import Annotated

import msgspec
import typer

from ludus.cli.bench.figures import Json, print_figures
from ludus.cli.terminal.screen import announce_compilation
from ludus.errors import BadInput
from ludus.network.config import Shapes
from ludus.network.measure import EvaluatorSetup, measure_speed
from ludus.players.thinking.group import cache_for
from ludus.selfplay.measure import Throughput, describe_machine, measure_selfplay
from ludus.selfplay.source import Source


def selfplay(  # noqa: PLR0913 - each option of a command is an argument
    preset: Annotated[str, typer.Option(help="A preset by name or path.")] = "connect4-laptop",
    backend: Annotated[str, typer.Option(help="openvino, torch, cuda, cuda:1 (default: the first that is here).")] = "",
    workers: Annotated[int, typer.Option(min=0, help="Self-play threads (0: one per core).")] = 0,
    parallel: Annotated[int, typer.Option(min=0, help="Games of each group (0: as the preset says).")] = 0,
    groups: Annotated[int, typer.Option(min=0, help="Groups of each worker (0: as the preset says).")] = 0,
    blocks: Annotated[int, typer.Option(min=0, help="Of the network (0: as the preset says).")] = 0,
    channels: Annotated[int, typer.Option(min=0, help="Of the network (0: as the preset says).")] = 0,
    seconds: Annotated[float, typer.Option(min=0.1, help="Of each run.")] = 10.0,
    runs: Annotated[int, typer.Option(min=1, help="The median counts.")] = 3,
    as_json: Json = False,
) -> None:
    """Evaluations per second of real self-play with a fresh network, beside the evaluator alone fed from memory."""
    from ludus.loop.preset import load_preset  # these bring torch, which takes a second that others need not wait
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
        raise BadInput(f"--blocks and --channels do not go with {preset}: {error}.") from error
    play = change(
        settings.selfplay,
        parallel=parallel or settings.selfplay.parallel,
        groups=groups or settings.selfplay.groups,
    )
    workers = workers or os.cpu_count() or 1
    games = settings.make_games()
    shapes = Shapes.of(games[0])
    backend = backend or available()[0]
    arrays = draw_arrays(network, shapes, settings.seed)
    evaluator = open_evaluator(backend, arrays, network, shapes, streams=workers)
    arrangement = EvaluatorSetup(backend, play.parallel * settings.search.leaves, play.groups, workers)
    results: list[tuple[float, Throughput]] = []
    for _ in range(runs):  # side by side, so that what else the machine does disturbs both alike
        alone = measure_speed(evaluator, arrangement, seconds=seconds / 5, runs=3).median
        source = Source(evaluator, cache_for(games[0], settings.search))
        result = measure_selfplay(
            games, lambda _worker, source=source: source, settings.search, play, workers=workers, seconds=seconds
        )
        results.append((alone, result))
    alone, result = sorted(results, key=lambda each: each[1].reading.evaluations_per_s / each[0])[len(results) // 2]
    reading = result.reading
    counted = reading.evaluations_per_s + reading.cache_hits_per_s
    print_figures(
        {"bench": "selfplay", "preset": preset, "backend": backend, "network": f"{network.blocks}x{network.channels}"}
        | {"parallel": play.parallel, "groups": play.groups, "runs": runs}
        | {"evaluator_alone_per_s": alone, "share_of_evaluator_alone": reading.evaluations_per_s / alone}
        | msgspec.to_builtins(reading)
        | {"evaluations_and_cache_hits_per_hour": 3600.0 * counted}
        | {"games_per_hour": result.games_per_hour, "positions_per_s": result.positions_per_s}
        | describe_machine(),
        as_json,
    )
