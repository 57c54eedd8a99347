"""Game clocks: only the running one loses time, and pauses and stops are exact."""

from hypothesis import given
from hypothesis import strategies as st

from ludus.site.table.clock import Clock


def test_only_the_running_clock_loses_time():
    clock = Clock((5000, 3000)).started(1, 100)
    assert clock.left_at(1100) == (5000, 2000)
    assert clock.falls_at == 3100
    assert clock.stopped(1100) == Clock((5000, 2000))


def test_a_clock_never_shows_less_than_zero():
    assert Clock((10, 10)).started(0, 0).left_at(99) == (0, 10)


def test_a_clock_that_starts_in_the_future_is_paused_until_then():
    clock = Clock((1000, 1000), 0, since=500)
    assert clock.left_at(100) == (1000, 1000)
    assert clock.left_at(700) == (800, 1000)
    assert clock.falls_at == 1500


def test_stopped_clocks_never_reach_zero():
    assert Clock((0, 0)).falls_at is None


@given(st.lists(st.tuples(st.sampled_from(["start 0", "start 1", "stop", "wait"]), st.integers(0, 50)), max_size=30))
def test_clocks_agree_with_a_model_that_counts_every_millisecond(script):
    clock, now = Clock((400, 300)), 0
    left, running = [400, 300], None
    for word, passed in script:
        for _ in range(passed):
            if running is not None:
                left[running] = max(0, left[running] - 1)
        now += passed
        assert clock.left_at(now) == tuple(left)
        if word == "stop":
            clock, running = clock.stopped(now), None
        elif word != "wait":
            running = int(word[-1])
            clock = clock.started(running, now)
