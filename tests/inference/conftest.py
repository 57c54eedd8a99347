"""Fixtures: inference servers in this process with test evaluators, and servers as processes."""

import asyncio
import os
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

from ludus.inference.batcher import Batcher
from ludus.inference.server import serve
from ludus.inference.service import Served
from ludus.network.config import Shapes

SHAPES = Shapes(planes=(2, 3, 3), plane_scale=(1.0, 1.0), num_actions=5)


class Sums:
    """An evaluator whose result is the sum of the planes; it can be paused and made to fail."""

    def __init__(self, shapes=SHAPES):
        self.shapes, self.sizes = shapes, []
        self.fails = self.is_broken = False
        self.dislikes = None  # a sum of planes for which it fails
        self.begun, self.free = threading.Event(), threading.Event()
        self.free.set()

    def lane(self, batch):
        return SumsLane(self, batch)


class SumsLane:
    def __init__(self, sums, batch):
        self.sums, self.planes = sums, np.zeros((batch, *sums.shapes.planes), np.uint8)

    def submit(self, count):
        self.count = count

    def answer(self):
        self.sums.sizes.append(self.count)
        self.sums.begun.set()
        assert self.sums.free.wait(300)
        found = judged(self.planes[: self.count], self.sums.shapes)
        if self.sums.fails or self.sums.dislikes in found[0]:
            raise ArithmeticError("no numbers today")
        return tuple(np.full_like(each, np.nan) for each in found) if self.sums.is_broken else found


def judged(planes, shapes=SHAPES):
    total = planes.reshape(len(planes), -1).sum(1, dtype=np.float32)
    return np.tile(total[:, None], shapes.num_actions), np.tile(total[:, None], 3) / 1000


def until(condition):
    """Wait until a condition is true."""
    deadline = time.monotonic() + 300
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def drawn_planes(rows, seed=0, shapes=SHAPES):
    return np.random.default_rng(seed).integers(0, 256, (rows, *shapes.planes), np.uint8)


class Process:
    """An inference server process."""

    def __init__(self, model, port=0):
        command = [sys.executable, "-m", "ludus", "inference", str(model), "--port", str(port), "--device", "openvino"]
        self.process = subprocess.Popen([*command, "--streams", "1"], stderr=subprocess.PIPE, text=True)
        lines = iter(self.process.stderr.readline, "")
        self.address = next(line.split()[-1].rstrip(".") for line in lines if line.startswith("Listening"))
        self.port = int(self.address.rpartition(":")[2])

    def signal(self, number):
        os.kill(self.process.pid, number)

    def end(self):
        if self.process.poll() is None:
            self.signal(signal.SIGCONT)
            self.process.kill()
        self.process.communicate()


@pytest.fixture
def start_server():
    """Return a function that serves networks and returns the address; servers end with the test."""
    running = []

    def start(networks, port=0):
        said, listening = [], threading.Event()
        loop, ended = asyncio.new_event_loop(), asyncio.Event()

        def say(text):
            said.append(text)
            listening.set()

        def run():
            try:
                loop.run_until_complete(serve(networks, "127.0.0.1", port, say, ended=ended))
            finally:
                listening.set()

        thread = threading.Thread(target=run)
        thread.start()
        running.append((loop, ended, thread))
        assert listening.wait(300)
        return said[0].removeprefix("Listening at ").removesuffix(".")

    yield start
    for loop, ended, thread in running:
        loop.call_soon_threadsafe(ended.set)
        thread.join()
        loop.close()


@pytest.fixture
def sums():
    return Sums()


@pytest.fixture
def served(sums):
    return Served(SHAPES, Batcher([sums], batch=8), None)
