"""The pump: a signal that interrupts whoever waits for it leaves no worker behind, and readings are of their time."""

import signal
import threading
import time
from types import SimpleNamespace

import numpy as np
import pytest

from ludus.games.registry import game
from ludus.network.config import Shapes
from ludus.network.evaluator import UniformEvaluator
from ludus.search.settings import SearchSettings
from ludus.search.tree import COUNTERS
from ludus.selfplay.pump import Pump
from ludus.selfplay.settings import SelfplaySettings
from ludus.selfplay.source import Quota, Source

BATCH_S = 0.3


class Slow(UniformEvaluator):
    """An evaluator that takes its time, as a network does, and says when it is asked."""

    def __init__(self, shapes):
        super().__init__(shapes)
        self.asked = threading.Event()
        self.inside: set[int] = set()

    def lane(self, batch):
        lane, asked, inside = super().lane(batch), self.asked, self.inside
        at_once = lane.answer

        def answer():
            inside.add(threading.get_ident())
            asked.set()
            time.sleep(BATCH_S)
            inside.discard(threading.get_ident())
            return at_once()

        lane.answer = answer
        return lane


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_pump_waits_for_its_workers(number):
    """Also where `Thread.join` would not: a process that ends around a thread inside the evaluator aborts."""
    tictactoe = game("tictactoe")
    evaluator = Slow(Shapes.of(tictactoe))
    settings = SelfplaySettings(games=1000, parallel=2, visits=8, fast_visits=4)
    pump = Pump(
        [tictactoe], lambda _worker: Source(evaluator), SearchSettings(), settings, Quota(1000), seed=0, workers=2
    )

    def interrupt(*_):
        raise KeyboardInterrupt

    waits = threading.Event()

    def wait_for_it():
        with pump:
            waits.set()
            pump.wait(30.0)

    def signal_later():
        evaluator.asked.wait()
        waits.wait()
        signal.pthread_kill(threading.main_thread().ident, number)

    former = signal.signal(number, interrupt)
    try:
        threading.Thread(target=signal_later).start()
        with pytest.raises(KeyboardInterrupt):
            wait_for_it()
    finally:
        signal.signal(number, former)
    assert not evaluator.inside
    assert not pump.wait(0.0), "a worker still plays"


def test_a_pump_that_is_interrupted_while_it_starts_leaves_nobody_behind(monkeypatch):
    tictactoe = game("tictactoe")
    evaluator, start = Slow(Shapes.of(tictactoe)), threading.Thread.start
    settings, started = SelfplaySettings(games=1000, parallel=2, visits=8, fast_visits=4), []

    def interrupted(thread):
        if threading.current_thread() is not threading.main_thread():  # a worker starts others of its own
            start(thread)
        elif not started:
            started.append(thread)
            start(thread)
        else:
            assert evaluator.asked.wait(30.0)
            raise KeyboardInterrupt

    pump = Pump(
        [tictactoe], lambda _worker: Source(evaluator), SearchSettings(), settings, Quota(1000), seed=0, workers=2
    )
    monkeypatch.setattr(threading.Thread, "start", interrupted)
    with pytest.raises(KeyboardInterrupt), pump:
        pytest.fail("it cannot be entered")
    assert not evaluator.inside
    assert not started[0].is_alive()


def test_a_reading_counts_what_has_happened_since_the_last_one(monkeypatch):
    counters = dict.fromkeys(COUNTERS, 0)
    group = SimpleNamespace(counters=lambda: counters, lane=SimpleNamespace(planes=np.zeros((2, 1, 3, 3))))
    simul = SimpleNamespace(group=group, evaluator_s=0.0, search_s=0.0, batches=0, positions_so_far=0, in_flight=0)
    monkeypatch.setattr("ludus.selfplay.pump.run_worker", lambda *_args, on_simul, **_options: on_simul(simul))
    pump = Pump([], lambda _worker: None, SearchSettings(), SelfplaySettings(), Quota(1), seed=0, workers=1)
    with pump:
        while pump.wait(30.0):
            pass
        found = []
        for full_trees, evaluations, widenings in ((3, 100, 50), (5, 200, 60), (5, 300, 90)):
            counters |= {"full_trees": full_trees, "evaluations": evaluations, "widenings": widenings}
            found.append(pump.reading())
    assert [reading.full_trees for reading in found] == [3, 2, 0]
    assert [reading.widening_share for reading in found] == pytest.approx([0.5, 0.1, 0.3])
