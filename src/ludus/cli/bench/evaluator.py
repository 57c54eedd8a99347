"""`ludus bench evaluator`: a network alone, fed from memory."""

import itertools
import os
from typing import Annotated, Any

import msgspec
import numpy as np
import typer

from ludus.cli.bench.figures import Json, line_of, print_figures
from ludus.network.config import Shapes
from ludus.network.measure import EvaluatorSetup, Trial, flops_per_position, largest_error, measure_speed
from ludus.selfplay.measure import describe_machine


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
                arrangement = EvaluatorSetup(name, size, num_lanes, number)
                trial = Trial(arrangement, measure_speed(evaluator, arrangement, seconds=seconds, runs=runs))
                trials.append(trial)
                if not as_json:
                    print(line_of(trial))
    print_figures(head | describe_machine() | ({"trials": msgspec.to_builtins(trials)} if as_json else {}), as_json)
