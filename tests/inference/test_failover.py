"""Servers die, hang and return: no batch is lost, and without servers this machine evaluates."""

import signal
import threading
from pathlib import Path

import numpy as np
import pytest
from tests.inference.conftest import Process, until

from ludus.network.checkpoint import load_checkpoint
from ludus.network.evaluator import evaluate
from ludus.network.openvino import evaluator_of
from ludus.network.remote import RemoteEvaluator

MODEL = Path("models/connect4")


@pytest.fixture
def processes():
    found = [Process(MODEL), Process(MODEL)]
    yield found
    for each in found:
        each.end()


class Callers:
    """Threads that request batches continuously and check every answer."""

    def __init__(self, remote, planes, expected):
        self.remote, self.planes, self.expected = remote, planes, expected
        self.answers, self.accidents, self.ended = 0, [], threading.Event()
        self.threads = [threading.Thread(target=self.work) for _ in range(3)]

    def __enter__(self):
        for thread in self.threads:
            thread.start()
        return self

    def __exit__(self, *_error):
        self.ended.set()
        for thread in self.threads:
            thread.join()

    def work(self):
        lane = self.remote.lane(len(self.planes))
        lane.planes[:] = self.planes
        try:
            while not self.ended.is_set():
                lane.submit(len(self.planes))
                np.testing.assert_allclose(lane.answer()[0], self.expected, atol=1e-3)
                self.answers += 1
        except BaseException as error:
            self.accidents.append(error)
            raise

    def get(self, more):
        """Wait for `more` further answers."""
        goal = self.answers + more
        until(lambda: self.answers >= goal or self.accidents)


@pytest.fixture
def callers(processes):
    checkpoint = load_checkpoint(MODEL)
    own = evaluator_of(checkpoint)
    planes = np.random.default_rng(1).integers(0, 2, (16, *checkpoint.info.shapes.planes), np.uint8)
    remote = RemoteEvaluator(checkpoint, [each.address for each in processes], lambda: own)
    with Callers(remote, planes, evaluate(own, planes)[0]) as found:
        yield found
    assert not found.accidents
    remote.close()


@pytest.mark.full
def test_a_server_that_dies_or_hangs_loses_no_batch_and_is_used_again_later(callers, processes):
    one, other = processes
    servers = callers.remote.servers
    until(lambda: len(servers.answering) == 2)
    callers.get(100)

    one.end()
    callers.get(100)
    until(lambda: servers.answering == [other.address])

    other.signal(signal.SIGSTOP)
    until(lambda: servers.answering == [])
    callers.get(100)  # evaluated on this machine

    other.signal(signal.SIGCONT)
    until(lambda: servers.answering == [other.address])
    callers.get(100)

    processes[0] = Process(MODEL, one.port)
    until(lambda: len(servers.answering) == 2)
    callers.get(100)


def test_a_server_finishes_running_requests_before_it_ends(callers, processes):
    one, other = processes
    callers.get(50)
    one.signal(signal.SIGTERM)
    assert one.process.wait(300) == 0
    callers.get(100)
    until(lambda: callers.remote.servers.answering == [other.address])
