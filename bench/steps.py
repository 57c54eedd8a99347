"""Measures the parts of a training step: `python bench/steps.py runs/connect4 --batches 512 2048`.

For the preset and the newest games of a run, it prints milliseconds per batch: making the rows (with the learner's
number of threads), the whole step until the device has finished, and the computation on a GPU (the rest is the CPU's
launching of kernels).  `--threads 1` makes rows with one thread.
"""

import argparse
import json
import time
from pathlib import Path

import msgspec
import numpy as np
import torch
from torch.profiler import ProfilerActivity, profile

from ludus.cores import usable_cores
from ludus.games.behaviour import behaviour
from ludus.learner.train import Learner
from ludus.loop.preset import load_preset
from ludus.selfplay.measure import describe_machine
from ludus.store import read_shard

MADE = 8  # number of prepared batches, used in turn


def wait() -> None:
    """Wait for the GPU, if there is one."""
    if torch.cuda.is_available():
        torch.cuda.synchronize()


def main() -> None:
    """Measure each batch size."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("run", type=Path)
    parser.add_argument("--batches", nargs="*", type=int, default=[512, 2048])
    parser.add_argument("--threads", type=int, default=usable_cores())
    parser.add_argument("--steps", type=int, default=60)
    arguments = parser.parse_args()
    preset = load_preset(str(arguments.run / "preset.toml"))
    games = preset.make_games()
    samples = read_shard(sorted((arguments.run / "shards").glob("*.shard"))[-1], rules_key=behaviour(games[0]))
    print(f"{describe_machine()}; {torch.cuda.get_device_name() if torch.cuda.is_available() else 'no GPU'}")
    for size in arguments.batches:
        settings = msgspec.structs.replace(preset.learner, batch=size)
        learner = Learner(games, preset.network, settings, 0, threads=arguments.threads)
        window, rng = learner.window(), np.random.default_rng(0)
        window.extend(samples)
        drawer = learner._drawer(window)
        learner._share(drawer, window, rng)  # compiles
        begun = time.perf_counter()
        batches = [learner._share(drawer, window, rng) for _ in range(MADE)]
        rows_ms = (time.perf_counter() - begun) / MADE * 1e3

        def step(number: int, learner: Learner = learner, batches: list[dict[str, torch.Tensor]] = batches) -> None:
            learner._step(batches[number % MADE], number, arguments.steps, 0.0)

        for number in range(5):
            step(number)
        wait()
        begun = time.perf_counter()
        for number in range(arguments.steps):
            step(number)
        wait()
        line = {"batch": size, "rows_ms": rows_ms, "step_ms": (time.perf_counter() - begun) / arguments.steps * 1e3}
        if torch.cuda.is_available():
            with profile(activities=[ProfilerActivity.CUDA]) as seen:
                for number in range(5):
                    step(number)
                wait()
            kernels = [each for each in seen.key_averages() if not each.is_user_annotation]
            line["device_ms"] = sum(each.self_device_time_total for each in kernels) / 5e3
            line["kernels"] = sum(each.count for each in kernels) / 5
        print(json.dumps({name: round(value, 1) for name, value in line.items()}), flush=True)


if __name__ == "__main__":
    main()
