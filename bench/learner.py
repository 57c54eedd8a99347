"""Measures the learner's speed: `python bench/learner.py` (a few minutes on an idle machine).

It prints samples per second of whole training steps (data, forward, backward, clipping, optimiser, average) for 6
blocks x 64 channels on Wall Game 8x8 and 5 x 64 on Connect Four, in each precision, plain and compiled.  It compares
the floating-point operations of the convolutions (three times those of a forward pass) with the speed of a matrix
product on this machine.  `samples_cpu_s` counts CPU time, which other work hardly affects.
"""

import argparse
import json
import time

import torch

import ludus
from ludus.learner.settings import LearnerSettings
from ludus.learner.train import Learner
from ludus.network.config import NetworkSettings, Shapes
from ludus.network.evaluator import UniformEvaluator
from ludus.network.torch import best_precision
from ludus.players.thinking.group import cache_for
from ludus.search.settings import SearchSettings
from ludus.selfplay.measure import describe_machine
from ludus.selfplay.settings import SelfplaySettings
from ludus.selfplay.source import Quota, Source
from ludus.selfplay.worker_pool import run_worker
from ludus.store import Window

NETWORKS = {"6x64": ("wallgame:classic:8x8", 6, 64), "5x64": ("connect4", 5, 64)}


def window_of(spec: str) -> Window:
    """Return a window of games played with uniform evaluations."""
    game, search, window = ludus.game(spec), SearchSettings(cache_entries=0), Window()
    source = Source(UniformEvaluator(Shapes.of(game)), cache_for(game, search))
    settings = SelfplaySettings(parallel=16, visits=40, fast_visits=10)
    run_worker([game], source, search, settings, Quota(32), window.extend, seed=1, worker=0)
    return window


def operations(spec: str, network: NetworkSettings) -> float:
    """Return the floating-point operations of one sample's training step in convolutions and linear layers."""
    game = ludus.game(spec)
    planes, height, width = game.planes
    cells, body, head = height * width, network.channels, network.head_channels
    forward = 9 * cells * (planes * body + 2 * network.blocks * body * body + 2 * body * head)
    forward += cells * head * (game.num_actions + 3)
    return 3 * 2.0 * forward


def matrix_speed(seconds: float = 2.0) -> float:
    """Return the operations per second of a single-precision matrix product."""
    a, count, begun = torch.randn(1024, 1024), 0, time.perf_counter()
    while time.perf_counter() - begun < seconds:
        a @ a
        count += 1
    return count * 2 * 1024.0**3 / (time.perf_counter() - begun)


def main() -> None:
    """Measure all variants."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--networks", nargs="*", default=list(NETWORKS), choices=list(NETWORKS))
    parser.add_argument("--threads", nargs="*", type=int, default=[1, 2])
    parser.add_argument("--batches", nargs="*", type=int, default=[256, 512, 1024])
    parser.add_argument("--precisions", nargs="*", default=["f32", "bf16"])
    parser.add_argument("--optimiser", default="adamw")
    parser.add_argument("--plain-only", action="store_true", help="skip torch.compile (half a minute each)")
    parser.add_argument("--seconds", type=float, default=6.0, help="duration of each variant")
    arguments = parser.parse_args()
    print(f"{describe_machine()}; the default precision on this machine is {best_precision('cpu')}")
    rows = [
        (name, threads, batch, precision, compiled)
        for name in arguments.networks
        for compiled in ([False] if arguments.plain_only else [False, True])
        for precision in arguments.precisions
        for threads in arguments.threads
        for batch in arguments.batches
        if not compiled or batch == arguments.batches[len(arguments.batches) // 2]
    ]
    windows = {name: window_of(NETWORKS[name][0]) for name in arguments.networks}
    for name, threads, batch, precision, compiled in rows:
        spec, blocks, channels = NETWORKS[name]
        network = NetworkSettings(blocks=blocks, channels=channels)
        settings = LearnerSettings(
            batch=batch,
            precision=precision,
            compile=compiled,
            optimiser=arguments.optimiser,
            batch_norm_batches=0,
        )
        torch.compiler.reset()
        learner = Learner([ludus.game(spec)], network, settings, 0, threads=threads)
        begun = time.perf_counter()
        learner.learn(windows[name], steps=2, progress=0.0, seed=0)
        first_s, steps, worked, begun = time.perf_counter() - begun, 0, time.process_time(), time.perf_counter()
        while (spent := time.perf_counter() - begun) < arguments.seconds:
            losses = learner.learn(windows[name], steps=4, progress=0.0, seed=steps)
            steps += losses.steps
        speed, worked = steps * batch / spent, time.process_time() - worked
        line = {
            "network": name,
            "threads": threads,
            "batch": batch,
            "precision": precision,
            "compiled": compiled,
            "samples_s": round(speed),
            "samples_cpu_s": round(steps * batch / worked),
            "gflop_s": round(speed * operations(spec, network) / 1e9),
            "matrix_gflop_s": round(matrix_speed() / 1e9),
            "first_steps_s": round(first_s, 1),
            "data_wait_share": round(losses.data_wait_share, 4),
        }
        print(json.dumps(line), flush=True)


if __name__ == "__main__":
    main()
