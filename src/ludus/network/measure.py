"""Measurement of an evaluator's speed with data in memory, and the number of operations that bounds it."""

import math
import statistics
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import msgspec
import numpy as np

from ludus.network.checkpoint import array_shapes
from ludus.network.config import NetworkSettings, Shapes
from ludus.network.evaluator import Evaluator, Lane, Planes, evaluate

BATCHES_A_RUN = 2  # at least this many for each worker


class EvaluatorSetup(msgspec.Struct, frozen=True):
    """How batches are submitted to an evaluator: backend, batch size, lanes and workers."""

    backend: str
    """`openvino`, `torch`, `cuda`, `cuda:1`, ..."""
    batch: int
    """Number of rows in a batch."""
    lanes: int
    """Number of batches that each worker is filling or has in flight."""
    workers: int
    """Number of threads that share the evaluator."""

    @property
    def in_flight(self) -> int:
        """Return the number of positions that are being evaluated or collected at once."""
        return self.batch * self.lanes * self.workers


class Speed(msgspec.Struct, frozen=True):
    """Speeds in positions per second, over several runs."""

    median: float
    lowest: float
    highest: float
    cores: float
    """Average number of CPU cores in use by this process; lower than expected if other processes compete."""

    @property
    def spread(self) -> float:
        """Return the range of the runs as a share of the median."""
        return (self.highest - self.lowest) / self.median


class Trial(msgspec.Struct, frozen=True):
    """A setup and its measured speed."""

    arrangement: EvaluatorSetup
    speed: Speed


def measure_speed(evaluator: Evaluator, arrangement: EvaluatorSetup, *, seconds: float = 0.5, runs: int = 5) -> Speed:
    """Measure how many positions per second an evaluator processes, given full batches from several threads.

    Args:
        evaluator: evaluator of the setup's backend.
        arrangement: batch, lanes and workers.
        seconds: minimum duration of each run.
        runs: number of runs.
    """
    lanes = [
        [_warm_lane(evaluator, arrangement.batch) for _ in range(arrangement.lanes)] for _ in range(arrangement.workers)
    ]
    stop = threading.Event()
    with ThreadPoolExecutor(arrangement.workers) as pool:
        try:
            working = [pool.submit(_work, mine, arrangement.batch, stop, 1 + runs * BATCHES_A_RUN) for mine in lanes]
            begun, busy = time.perf_counter(), time.process_time()
            time.sleep(seconds * runs)
            cores = (time.process_time() - busy) / (time.perf_counter() - begun)
        finally:
            stop.set()  # Ctrl-C interrupts the sleep; the pool still waits for its threads
        answers = [each.result() for each in working]  # [workers][answers] time of each answer
    rates = [sum(_rate(times, run, runs) for times in answers) * arrangement.batch for run in range(runs)]
    return Speed(median=statistics.median(rates), lowest=min(rates), highest=max(rates), cores=cores)


def _warm_lane(evaluator: Evaluator, batch: int) -> Lane:
    lane = evaluator.lane(batch)
    lane.planes[:] = np.random.default_rng(0).integers(2, size=lane.planes.shape, dtype=np.uint8)
    for _ in range(2):  # the first batch of a size is slow
        lane.submit(batch)
        lane.answer()
    return lane


def _work(lanes: list[Lane], batch: int, stop: threading.Event, least: int) -> list[float]:
    """Evaluate batches until `stop` is set; return the time of each answer in seconds."""
    for lane in lanes:
        lane.submit(batch)
    times: list[float] = []
    while not stop.is_set() or len(times) < least:
        lane = lanes[len(times) % len(lanes)]
        lane.answer()
        times.append(time.perf_counter())
        lane.submit(batch)
    for lane in lanes:
        lane.answer()
    return times


def _rate(times: list[float], run: int, runs: int) -> float:
    """Return the batches per second in one of `runs` equal parts of the measurement."""
    first, last = (edge * (len(times) - 1) // runs for edge in (run, run + 1))
    return (last - first) / (times[last] - times[first])


def flops_per_position(settings: NetworkSettings, shapes: Shapes) -> int:
    """Return the floating-point operations for one position: two for each multiplication by a weight."""
    cells = shapes.planes[1] * shapes.planes[2]
    played = ("maps",) if settings.end_share else ()  # auxiliary heads that are also needed for play
    weights = array_shapes(msgspec.structs.replace(settings, auxiliary=played), shapes).values()
    convolutions = sum(math.prod(shape) for shape in weights if len(shape) == 4)
    linear = sum(math.prod(shape) for shape in weights if len(shape) == 2)
    return 2 * (convolutions * cells + linear)


def largest_error(evaluator: Evaluator, reference: Evaluator, planes: Planes) -> float:
    """Return the largest absolute difference between two evaluators' policy logits."""
    return float(np.abs(evaluate(evaluator, planes)[0] - evaluate(reference, planes)[0]).max())
