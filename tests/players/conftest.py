"""Fixtures: an evaluator that tests can block, delay and break, and a function that waits for a condition."""

import threading
import time

import numpy as np
import pytest

from ludus.network.config import Shapes
from ludus.network.evaluator import check_finite

PATIENCE_S = 300.0  # limit of waiting; compiling a first search takes a minute


class ScriptedEvaluator:
    """An evaluator with uniform results that tests can block, delay and break.

    Attributes:
        gate: answers wait until this event is set.
        asked: set when a batch is submitted.
        fault: an exception that each answer raises.
        bad: whether answers contain NaN.
        delay_s: delay of each answer.
        batches: sizes of all batches so far.
    """

    def __init__(self, game):
        self.shapes = Shapes.of(game)
        self.gate, self.asked = threading.Event(), threading.Event()
        self.gate.set()
        self.fault, self.bad, self.delay_s = None, False, 0.0
        self.batches = []

    def lane(self, batch):
        return ScriptedLane(self, batch)


class ScriptedLane:
    def __init__(self, evaluator, batch):
        self.planes = np.zeros((batch, *evaluator.shapes.planes), np.uint8)
        self._evaluator, self._batch, self._count = evaluator, batch, 0

    def submit(self, count):
        assert 1 <= count <= self._batch
        assert self._count == 0, "the previous batch is still in flight"
        self._count = count
        self._evaluator.batches.append(count)
        self._evaluator.asked.set()

    def answer(self):
        evaluator, count = self._evaluator, self._count
        self._count = 0
        assert evaluator.gate.wait(PATIENCE_S), "the gate was never opened"
        time.sleep(evaluator.delay_s)
        if evaluator.fault is not None:
            raise evaluator.fault
        logits = np.zeros((count, evaluator.shapes.num_actions), np.float32)
        outcomes = np.tile(np.array([0.5, np.nan if evaluator.bad else 0.0, 0.5], np.float32), (count, 1))
        check_finite("The scripted network", logits, outcomes)
        return logits, outcomes


@pytest.fixture
def scripted():
    """Return the class ScriptedEvaluator."""
    return ScriptedEvaluator


@pytest.fixture
def until():
    """Return a function that waits until a condition is true."""

    def wait(condition):
        end = time.perf_counter() + PATIENCE_S
        while not condition():
            assert time.perf_counter() < end, "the condition never became true"
            time.sleep(0.001)

    return wait
