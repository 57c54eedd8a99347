"""Measured speeds match an evaluator of known speed, and operation counts match a calculation by hand."""

import subprocess
import sys
import threading
import time

import msgspec
import numpy as np
import pytest

from ludus.errors import BadModel
from ludus.network.config import NetworkSettings, Shapes
from ludus.network.evaluator import TableLane, UniformEvaluator
from ludus.network.measure import EvaluatorSetup, flops_per_position, largest_error, measure_speed

SHAPES = Shapes(planes=(2, 3, 3), plane_scale=(1.0, 1.0), num_actions=9)


class Slow:
    """An evaluator that takes 4 ms for each batch, independent of other batches, and counts the batches in flight."""

    def __init__(self):
        self.in_flight, self.most, self.lock = 0, 0, threading.Lock()

    def lane(self, batch):
        return SlowLane(self, UniformEvaluator(SHAPES).lane(batch))


class SlowLane:
    def __init__(self, owner, lane):
        self.owner, self.lane, self.planes, self.ready = owner, lane, lane.planes, 0.0

    def submit(self, count):
        with self.owner.lock:
            self.owner.in_flight += 1
            self.owner.most = max(self.owner.most, self.owner.in_flight)
        self.ready = time.perf_counter() + 0.004
        self.lane.submit(count)

    def answer(self):
        time.sleep(max(0.0, self.ready - time.perf_counter()))
        with self.owner.lock:
            self.owner.in_flight -= 1
        return self.lane.answer()


@pytest.mark.parametrize(("lanes", "workers"), [(1, 1), (3, 1), (2, 2)])
def test_the_measured_speed_of_a_slow_evaluator_is_right(lanes, workers):
    evaluator = Slow()
    speed = measure_speed(evaluator, EvaluatorSetup("slow", 10, lanes, workers), seconds=0.05, runs=3)
    most = 10 * lanes * workers / 0.004
    assert 0.3 * most < speed.median < 1.05 * most, "a busy machine can only be slower"
    assert speed.lowest <= speed.median <= speed.highest
    assert speed.spread == (speed.highest - speed.lowest) / speed.median
    assert speed.cores < 0.9, "the evaluator sleeps most of the time"
    assert evaluator.most == lanes * workers
    assert evaluator.in_flight == 0, "every batch was answered"


def test_an_evaluator_that_fails_ends_the_measurement():
    class Broken(Slow):
        def lane(self, batch):
            lane = SlowLane(self, UniformEvaluator(SHAPES).lane(batch))
            answer, calls = lane.answer, []

            def failing():
                calls.append(1)
                if len(calls) > 4:
                    raise BadModel("wally answers with numbers that are not finite.")
                return answer()

            lane.answer = failing
            return lane

    with pytest.raises(BadModel):
        measure_speed(Broken(), EvaluatorSetup("broken", 4, 1, 2), seconds=0.02, runs=1)


INTERRUPTED = """
import os, signal, time
import numpy as np
from ludus.network.measure import EvaluatorSetup, measure_speed

class Lane:
    planes, answers = np.zeros((4, 2, 3, 3), np.uint8), 0

    def submit(self, count):
        pass

    def answer(self):
        time.sleep(0.002)
        Lane.answers += 1
        if Lane.answers == 20:  # two workers are under way
            os.kill(os.getpid(), signal.SIGINT)

class Evaluator:
    def lane(self, batch):
        return Lane()

try:
    measure_speed(Evaluator(), EvaluatorSetup("slow", 4, 1, 2), seconds=100, runs=5)
except KeyboardInterrupt:
    print("ended")
"""


def test_an_interrupt_ends_the_measurement_at_once():
    command = [sys.executable, "-c", INTERRUPTED]
    ran = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
    assert (ran.stdout, ran.stderr) == ("ended\n", "")


def test_arithmetic_is_counted_as_on_paper():
    network, shapes = NetworkSettings(blocks=1, channels=4, head_channels=2), Shapes((3, 5, 6), (1.0,) * 3, 7)
    body = 9 * 4 * 3 + 2 * 9 * 4 * 4 + 2 * 9 * 2 * 4  # stem, one block, two heads
    assert flops_per_position(network, shapes) == 2 * (30 * body + 60 * 7 + 60 * 3)
    deep = NetworkSettings(blocks=20, channels=128, head_channels=32)
    body = 9 * 128 * 9 + 40 * 9 * 128 * 128 + 2 * 9 * 32 * 128
    flops = flops_per_position(deep, Shapes((9, 8, 8), (1.0,) * 9, 137))
    assert flops == 2 * (64 * body + 32 * 64 * 137 + 32 * 64 * 3) == 766_312_448


def test_the_arithmetic_of_an_end_that_shares_in_the_value_counts():
    network, shapes = NetworkSettings(blocks=1, channels=4, auxiliary=("maps",)), Shapes((3, 5, 6), (1.0,) * 3, 7, 2)
    shared = msgspec.structs.replace(network, end_share=0.2)
    assert flops_per_position(shared, shapes) > flops_per_position(network, shapes)


def test_the_largest_error_is_that_of_the_worst_logit():
    class Off:
        def lane(self, batch):
            logits = np.zeros((batch, 9), np.float32)
            logits[2, 4] = -0.25
            return TableLane(SHAPES, batch, logits, np.ones((batch, 3), np.float32))

    planes, uniform = np.zeros((5, 2, 3, 3), np.uint8), UniformEvaluator(SHAPES)
    assert largest_error(uniform, uniform, planes) == 0.0
    assert largest_error(Off(), uniform, planes) == 0.25
