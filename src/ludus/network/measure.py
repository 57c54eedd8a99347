"""How many positions a second an evaluator judges when it is fed from memory, and the bound that arithmetic sets."""

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

BATCHES_A_RUN = 2  # at least, of each worker


class EvaluatorSetup(msgspec.Struct, frozen=True):
    """How a network is fed."""

    backend: str
    """`openvino`, `torch`, `cuda`, `cuda:1`, ..."""
    batch: int
    """Rows of a batch."""
    lanes: int
    """Batches that each worker has in flight or in work."""
    workers: int
    """Threads that share the evaluator."""

    @property
    def in_flight(self) -> int:
        """Return the positions that are being judged or collected at once."""
        return self.batch * self.lanes * self.workers


class Speed(msgspec.Struct, frozen=True):
    """Positions per second, over several runs."""

    median: float
    lowest: float
    highest: float
    cores: float
    """Processors that this process kept busy meanwhile; fewer than it wanted where other work ran beside it."""

    @property
    def spread(self) -> float:
        """Return how far the runs lie apart, as a share of the median."""
        return (self.highest - self.lowest) / self.median


class Trial(msgspec.Struct, frozen=True):
    """An arrangement and what was measured."""

    arrangement: EvaluatorSetup
    speed: Speed


def measure_speed(evaluator: Evaluator, arrangement: EvaluatorSetup, *, seconds: float = 0.5, runs: int = 5) -> Speed:
    """Let threads have full batches judged, as fast as the answers come.

    Args:
        evaluator: of the arrangement's backend.
        arrangement: batch, lanes and workers.
        seconds: of each run, at least.
        runs: how many.
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
            stop.set()  # Ctrl-C falls into the sleep, and nobody leaves the pool before its threads have ended
        answers = [each.result() for each in working]  # [workers][answers] when each came
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
    """Return when each answer came, in seconds."""
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
    """Return the batches per second of one of `runs` equal parts."""
    first, last = (edge * (len(times) - 1) // runs for edge in (run, run + 1))
    return (last - first) / (times[last] - times[first])


def flops_per_position(settings: NetworkSettings, shapes: Shapes) -> int:
    """Return the floating-point operations of one position: two for each multiplication by a weight."""
    cells = shapes.planes[1] * shapes.planes[2]
    played = ("maps",) if settings.end_share else ()  # of the heads that teach alone, what play needs, too
    weights = array_shapes(msgspec.structs.replace(settings, auxiliary=played), shapes).values()
    convolutions = sum(math.prod(shape) for shape in weights if len(shape) == 4)
    linear = sum(math.prod(shape) for shape in weights if len(shape) == 2)
    return 2 * (convolutions * cells + linear)


def largest_error(evaluator: Evaluator, reference: Evaluator, planes: Planes) -> float:
    """Return how far the evaluator's policy logits are from those of another, at most."""
    return float(np.abs(evaluate(evaluator, planes)[0] - evaluate(reference, planes)[0]).max())
