"""Measures the gain of two threads for a search with one batch in flight, by batch size.

python bench/openvino_threads.py                on an idle machine with two cores, random planes
"""

import time
from pathlib import Path

import numpy as np

from ludus.network.checkpoint import load_checkpoint
from ludus.network.openvino import evaluator_of

MODELS = ("connect4", "wallgame-small", "wallgame-8x8")
SIZES = (1, 2, 4, 8, 16, 32, 64)
SECONDS = 0.3
RUNS = 3


def measure(model: str, threads: int) -> list[float]:
    """Return the best positions per second of several runs, for each size."""
    checkpoint = load_checkpoint(Path("models") / model)
    lane = evaluator_of(checkpoint, threads=threads).lane(max(SIZES))
    lane.planes[:] = np.random.default_rng(0).integers(0, 2, lane.planes.shape, np.uint8)
    speeds = []
    for size in SIZES:
        lane.submit(size)
        lane.answer()
        best = 0.0
        for _ in range(RUNS):
            begun, batches = time.perf_counter(), 0
            while time.perf_counter() - begun < SECONDS:
                lane.submit(size)
                lane.answer()
                batches += 1
            best = max(best, size * batches / (time.perf_counter() - begun))
        speeds.append(best)
    return speeds


for name in MODELS:
    one, two = measure(name, 1), measure(name, 2)
    for size, alone, together in zip(SIZES, one, two, strict=True):
        speeds = f"{alone:8,.0f} positions/s with one thread, {together:8,.0f} with two"
        print(f"{name}, {size:2} rows: {speeds}: {together / alone:.2f}")
