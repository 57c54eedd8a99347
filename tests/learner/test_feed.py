"""The feed yields all batches in order, made ahead by one thread, and ends the thread."""

import threading
import time

import pytest

from ludus.learner.feed import AHEAD, Feed


def test_batches_come_in_order_from_another_thread():
    numbers, threads = iter(range(100)), set()

    def make():
        threads.add(threading.get_ident())
        return next(numbers)

    with Feed(make, 50) as feed:
        assert list(feed) == list(range(50))
    assert len(threads) == 1
    assert threads != {threading.get_ident()}
    assert next(numbers) == 50, "exactly 50 batches were made"


def test_batches_are_made_ahead():
    made = []
    with Feed(lambda: made.append(0), 50) as feed:
        batches = iter(feed)
        next(batches)
        deadline = time.monotonic() + 100
        while len(made) < AHEAD + 1 and time.monotonic() < deadline:
            time.sleep(0.001)
        assert AHEAD + 1 <= len(made) <= AHEAD + 2


def test_errors_of_the_thread_are_raised_in_the_iterator():
    def make():
        raise ValueError("no such position")

    with Feed(make, 5) as feed, pytest.raises(ValueError, match="no such position"):
        list(feed)


def test_leaving_early_ends_the_thread():
    before = threading.active_count()
    with Feed(lambda: 0, 10**9) as feed:
        assert next(iter(feed)) == 0
    assert threading.active_count() == before


def test_an_interrupted_feed_does_not_wait_for_compilation_in_its_thread(is_left_at_once):
    compiled = threading.Event()
    try:
        assert is_left_at_once(Feed(compiled.wait, 5), KeyboardInterrupt)
    finally:
        compiled.set()


def test_waiting_is_measured():
    with Feed(lambda: time.sleep(0.05), 3) as feed:
        list(feed)
    assert 0.1 < feed.waited_s < 50
