"""Compares inference in the worker's thread and in OpenVINO's, with one or two requests in flight.

python bench/openvino_requests.py       Wall Game 8x8, 6x64, batches of 64; 30 us of compiled work simulate the search
"""

import statistics
import threading
import time

import numpy as np

from ludus.kernel import entry
from ludus.network.config import NetworkSettings, Shapes
from ludus.network.model import draw_arrays
from ludus.network.openvino import OpenVinoEvaluator

SHAPES = Shapes(planes=(9, 8, 8), plane_scale=(1 / 64,) * 4 + (1.0,) * 5, num_actions=137)
SETTINGS = NetworkSettings(6, 64, 32)
BATCH, SEARCH_US = 64, 30.0
SECONDS, REPEATS = 2.0, 4
WAYS = {  # workers, streams, lanes per worker, inference in the worker's thread
    "two workers, inference in their threads, one evaluator each": (2, 1, 1, True),
    "two workers, inference in their threads, one evaluator": (2, 2, 1, True),
    "two workers, a request each": (2, 2, 1, False),
    "two workers, two requests each": (2, 2, 2, False),
    "one worker, two requests, two streams": (1, 2, 2, False),
}


@entry
def work(rounds: int) -> int:
    x = 1
    for i in range(rounds):
        x = (x * 1103515245 + i) & 0x7FFFFFFF
    return x


def rounds_of(microseconds: float) -> int:
    work(10)
    begun = time.process_time()
    work(10_000_000)
    return int(microseconds * 1e-6 / (time.process_time() - begun) * 10_000_000)


def measure(evaluators: list[OpenVinoEvaluator], num_lanes: int, own_thread: bool, rounds: int) -> tuple[float, float]:
    """Return positions per second, and per second of CPU time."""
    stop, counts = threading.Event(), [0] * len(evaluators)

    def run(worker: int) -> None:
        if own_thread:
            planes = np.zeros((BATCH, *SHAPES.planes), np.uint8)
            request = evaluators[worker].compiled.create_infer_request()
            while not stop.is_set():
                work(rounds)
                request.infer([planes], share_inputs=True)
                counts[worker] += BATCH
            return
        lanes, turn = [evaluators[worker].lane(BATCH) for _ in range(num_lanes)], 0
        while not stop.is_set():
            lane = lanes[turn % num_lanes]
            if turn >= num_lanes:
                lane.answer()
                counts[worker] += BATCH
            work(rounds)
            lane.submit(BATCH)
            turn += 1
        for lane in lanes:
            lane.answer()

    threads = [threading.Thread(target=run, args=(worker,)) for worker in range(len(evaluators))]
    for thread in threads:
        thread.start()
    time.sleep(0.5)
    before, begun, busy = sum(counts), time.perf_counter(), time.process_time()
    time.sleep(SECONDS)
    found, seconds, busy_s = sum(counts) - before, time.perf_counter() - begun, time.process_time() - busy
    stop.set()
    for thread in threads:
        thread.join()
    return found / seconds, found / busy_s


arrays, rounds = draw_arrays(SETTINGS, SHAPES, seed=0), rounds_of(SEARCH_US * BATCH)
results: dict[str, list[tuple[float, float]]] = {way: [] for way in WAYS}
for _ in range(REPEATS):
    for way, (workers, streams, num_lanes, own_thread) in WAYS.items():
        shared = OpenVinoEvaluator(arrays, SETTINGS, SHAPES, streams=streams)
        others = [OpenVinoEvaluator(arrays, SETTINGS, SHAPES) if streams == 1 else shared for _ in range(workers - 1)]
        results[way].append(measure([shared, *others], num_lanes, own_thread, rounds))
for way, rates in results.items():
    wall, busy = (statistics.median(each) for each in zip(*rates, strict=True))
    print(f"{way:60} {wall:7,.0f} positions/s, {busy:7,.0f} per second of CPU time")
