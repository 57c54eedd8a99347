"""The pool: after a signal interrupts the waiting thread, no worker keeps running; readings cover their own period."""

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
from ludus.selfplay.settings import SelfplaySettings
from ludus.selfplay.source import Quota, Source
from ludus.selfplay.spent import Spent, read_spent
from ludus.selfplay.worker_pool import WorkerPool

BATCH_S = 0.3


class Slow(UniformEvaluator):
    """An evaluator with a delay like a network's, which reports when it is called."""

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
def test_an_interrupted_pool_waits_for_its_workers(number):
    """Also when `Thread.join` would return early: a process that exits during an evaluation aborts."""
    tictactoe = game("tictactoe")
    evaluator = Slow(Shapes.of(tictactoe))
    settings = SelfplaySettings(games=1000, parallel=2, visits=8, fast_visits=4)
    pool = WorkerPool(
        [tictactoe], lambda _worker: Source(evaluator), SearchSettings(), settings, Quota(1000), seed=0, workers=2
    )

    def interrupt(*_):
        raise KeyboardInterrupt

    waits = threading.Event()

    def wait_for_it():
        with pool:
            waits.set()
            pool.wait(300.0)

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
    assert not pool.wait(0.0), "a worker still plays"


def test_a_pool_that_is_interrupted_while_it_starts_leaves_no_thread_behind(monkeypatch):
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
            assert evaluator.asked.wait(300.0)
            raise KeyboardInterrupt

    pool = WorkerPool(
        [tictactoe], lambda _worker: Source(evaluator), SearchSettings(), settings, Quota(1000), seed=0, workers=2
    )
    monkeypatch.setattr(threading.Thread, "start", interrupted)
    with pytest.raises(KeyboardInterrupt), pool:
        pytest.fail("it cannot be entered")
    assert not evaluator.inside
    assert not started[0].is_alive()


class Stopping(Exception):
    """Raised as if the learner beside self-play was interrupted: only the main thread receives signals."""


@pytest.mark.parametrize("why", [KeyboardInterrupt, Stopping])
def test_a_pool_that_is_left_early_does_not_wait_for_compilation(is_left_at_once, why):
    compiled = threading.Event()

    def source(_worker):
        compiled.wait()
        return Source(UniformEvaluator(Shapes.of(game("tictactoe"))))

    pool = WorkerPool(
        [game("tictactoe")], source, SearchSettings(), SelfplaySettings(games=4), Quota(4), seed=0, workers=1
    )
    try:
        assert is_left_at_once(pool, why)
    finally:
        compiled.set()


def test_a_reading_covers_the_time_since_the_last_one(monkeypatch):
    counters = dict.fromkeys(COUNTERS, 0)
    group = SimpleNamespace(counters=lambda: counters, lane=SimpleNamespace(planes=np.zeros((2, 1, 3, 3))))
    game_batch = SimpleNamespace(group=group, spent=Spent(), batches=0, positions_so_far=0, in_flight=0)
    monkeypatch.setattr(
        "ludus.selfplay.worker_pool.run_worker", lambda *_args, on_game_batch, **_options: on_game_batch(game_batch)
    )
    pool = WorkerPool([], lambda _worker: None, SearchSettings(), SelfplaySettings(), Quota(1), seed=0, workers=1)
    with pool:
        while pool.wait(30.0):
            pass
        found = []
        for full_trees, evaluations, widenings in ((3, 100, 50), (5, 200, 60), (5, 300, 90)):
            counters |= {"full_trees": full_trees, "evaluations": evaluations, "widenings": widenings}
            found.append(pool.reading())
    assert [reading.full_trees for reading in found] == [3, 2, 0]
    assert [reading.widening_share for reading in found] == pytest.approx([0.5, 0.1, 0.3])


@pytest.mark.parametrize("groups", [1, 2])
def test_an_unfinished_turn_counts_in_each_reading_for_its_share(groups):
    tictactoe = game("tictactoe")
    readings, evaluator = [], UniformEvaluator(Shapes.of(tictactoe))
    make_lane = evaluator.lane

    def lane(batch):
        lane = make_lane(batch)
        at_once = lane.answer

        def answer():
            if not readings:
                time.sleep(BATCH_S)
            readings.append(pool.reading())
            return at_once()

        lane.answer = answer
        return lane

    evaluator.lane = lane
    settings = SelfplaySettings(games=8, parallel=2, groups=groups, visits=8, fast_visits=4)
    pool = WorkerPool(
        [tictactoe], lambda _worker: Source(evaluator), SearchSettings(), settings, Quota(8), seed=0, workers=1
    )
    with pool:
        while pool.wait(30.0):
            pass
    assert len(readings) > 10
    assert readings[0].evaluator_share > 0, "the turn that is not over yet"
    for reading in readings:
        assert -1e-9 < reading.evaluator_share + reading.search_share < 1 + 1e-9


def test_times_are_read_again_if_an_activity_changes_meanwhile(monkeypatch):
    moments = iter([1.0, 2.0, 3.0])
    game_batch, other = SimpleNamespace(spent=Spent(0.0, 0.0, "search", 0.5)), SimpleNamespace(spent=Spent())

    def clock():
        now = next(moments)
        if now == 1.0:  # between the two looks
            game_batch.spent, other.spent = Spent(0.75, 0.0, "", 1.25), Spent(0.0, 0.0, "evaluator", 1.25)
        return now

    monkeypatch.setattr("ludus.selfplay.spent.working_s", clock)
    now, (first, second) = read_spent([game_batch, other])
    assert (now, first.search_s, second.evaluator_s) == (2.0, 0.75, 0.75)
