"""Every caller gets its own rows, whatever batches they were evaluated in."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.inference.conftest import Sums, drawn_planes, judged, until

from ludus.errors import Unavailable
from ludus.inference.batcher import QUEUE, Batcher


def assert_judged(found, planes):
    for one, other in zip(found, judged(planes), strict=True):
        np.testing.assert_array_equal(one, other)


@given(st.lists(st.integers(1, 20), min_size=1, max_size=12), st.integers(4, 9), st.integers(1, 3))
def test_every_caller_gets_its_own_rows(sizes, batch, lanes):
    batcher = Batcher([Sums()], batch=batch, lanes=lanes)
    asked = [drawn_planes(size, seed) for seed, size in enumerate(sizes)]
    with ThreadPoolExecutor(4) as threads:
        futures = list(threads.map(batcher.ask, asked))
    for planes, future in zip(asked, futures, strict=True):
        assert_judged(future.result(300), planes)
    batcher.close()
    assert batcher.rows == sum(sizes)


def test_rows_that_arrive_during_a_batch_form_the_next_one(sums):
    batcher = Batcher([sums], batch=8, lanes=1)
    sums.free.clear()
    first = batcher.ask(drawn_planes(1))
    assert sums.begun.wait(300), "the single row is being evaluated"
    rest = [batcher.ask(drawn_planes(2, seed)) for seed in range(5)]
    sums.free.set()
    for future in [first, *rest]:
        future.result(300)
    batcher.close()
    assert sums.sizes == [1, 8, 2]


def test_cancelled_jobs_are_not_evaluated(sums):
    batcher = Batcher([sums], batch=4, lanes=1)
    sums.free.clear()
    first = batcher.ask(drawn_planes(1))
    assert sums.begun.wait(300)
    dropped, last = batcher.ask(drawn_planes(20)), batcher.ask(drawn_planes(3, 7))
    assert dropped.cancel()
    sums.free.set()
    first.result(300)
    assert_judged(last.result(300), drawn_planes(3, 7))
    batcher.close()
    assert sums.sizes == [1, 3]


def test_an_error_reaches_only_the_callers_in_the_batch(sums):
    batcher = Batcher([sums], batch=4, lanes=1)
    sums.fails = True
    with pytest.raises(ArithmeticError, match="no numbers today"):
        batcher.ask(drawn_planes(9)).result(300)
    sums.fails = False
    assert_judged(batcher.ask(drawn_planes(9, 1)).result(300), drawn_planes(9, 1))
    batcher.close()


def test_only_the_job_with_the_faulty_planes_fails(sums):
    batcher = Batcher([sums], batch=8, lanes=1)
    sums.free.clear()
    first = batcher.ask(drawn_planes(1))
    assert sums.begun.wait(300)
    planes = [drawn_planes(2, seed) for seed in range(3)]
    planes[1][:] = 0
    sums.dislikes = 0
    futures = [batcher.ask(each) for each in planes]
    sums.free.set()
    first.result(300)
    with pytest.raises(ArithmeticError):
        futures[1].result(300)
    for index in (0, 2):
        assert_judged(futures[index].result(300), planes[index])
    batcher.close()
    assert sums.sizes == [1, 6, 2, 2, 2]


def test_lanes_that_fail_together_with_parts_of_one_job_continue(sums):
    batcher = Batcher([sums], batch=4, lanes=4)
    for seed in range(50):
        sums.fails = True
        with pytest.raises(ArithmeticError):
            batcher.ask(drawn_planes(16)).result(300)
        sums.fails = False
        assert_judged(batcher.ask(drawn_planes(16, seed)).result(300), drawn_planes(16, seed))
    assert all(thread.is_alive() for thread in batcher._threads)
    batcher.close()


def test_many_rows_of_one_caller_are_work_for_all_lanes(sums):
    batcher = Batcher([sums], batch=4, lanes=3)
    sums.free.clear()
    future = batcher.ask(drawn_planes(12))
    until(lambda: len(sums.sizes) >= 3)  # all lanes work before any has finished
    sums.free.set()
    assert_judged(future.result(300), drawn_planes(12))
    batcher.close()
    assert sums.sizes == [4, 4, 4]


def test_a_full_queue_refuses_new_jobs(sums):
    batcher = Batcher([sums], batch=4, lanes=1)
    sums.free.clear()
    there = [batcher.ask(drawn_planes(4))]
    assert sums.begun.wait(300)
    there += [batcher.ask(drawn_planes(4, seed)) for seed in range(QUEUE)]
    with pytest.raises(Unavailable, match=f"{4 * QUEUE} positions are already waiting; use another server"):
        batcher.ask(drawn_planes(1))
    sums.free.set()
    for future in there:
        future.result(300)
    batcher.ask(drawn_planes(1)).result(300)
    batcher.close()


def test_a_closed_batcher_finishes_its_jobs_and_refuses_new_ones(sums):
    batcher = Batcher([sums], batch=4, lanes=2)
    futures = [batcher.ask(drawn_planes(3, seed)) for seed in range(10)]
    batcher.close()
    assert all(future.done() for future in futures)
    assert not any(thread.is_alive() for thread in batcher._threads)
    with pytest.raises(Unavailable, match="shutting down"):
        batcher.ask(drawn_planes(1))
