"""Time management distributes the clock over the whole game and never exceeds it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludus.players.thinking.clock import Budget, ClockState

seconds = st.floats(0, 10_000)


@given(seconds, seconds, st.integers(0, 100), st.floats(0, 1), st.integers(-5, 200))
def test_a_move_never_exceeds_the_clock(remaining, increment, to_go, overhead, expected):
    budget = ClockState(remaining, increment, to_go, overhead).budget(expected)
    assert budget.seconds >= 0
    assert budget.extension >= 0
    assert budget.seconds + budget.extension <= max(0, remaining - overhead) + 1e-9


@given(st.floats(1, 1_000), st.floats(0, 30), st.integers(0, 40))
def test_a_player_who_uses_the_longest_time_does_not_lose_on_time(start, increment, to_go):
    clock = start
    for move in range(200):
        left = to_go - move % to_go if to_go else 0
        budget = ClockState(clock, increment, left, overhead_s=0.01).budget()
        clock -= budget.seconds + budget.extension
        assert clock >= 0
        clock += increment + (start if left == 1 else 0)


@given(seconds, seconds, seconds, st.integers(0, 100))
def test_more_time_on_the_clock_gives_more_for_a_move(less, more, increment, to_go):
    short, long = (ClockState(each, increment, to_go).budget() for each in sorted((less, more)))
    assert short.seconds <= long.seconds + 1e-9
    assert short.seconds + short.extension <= long.seconds + long.extension + 1e-9


def test_the_last_move_of_a_period_may_use_all_remaining_time():
    assert ClockState(10.0, moves_to_go=1, overhead_s=1.0).budget() == Budget(9.0, 0.0)


def test_a_game_of_five_minutes_starts_with_ten_seconds_per_move():
    budget = ClockState(300.0, overhead_s=0.0).budget()
    assert budget.seconds == pytest.approx(10.0)
    assert budget.seconds + budget.extension == pytest.approx(28.125)


def test_most_of_the_increment_is_used_at_once():
    assert ClockState(60.0, increment_s=10.0, overhead_s=0.0).budget().seconds == pytest.approx(2.0 + 8.0)


@pytest.mark.parametrize("wrong", [{"remaining_s": float("nan")}, {"increment_s": -1.0}, {"moves_to_go": -1}])
def test_impossible_clocks_are_refused(wrong):
    with pytest.raises(ValueError, match="must be"):
        ClockState(**{"remaining_s": 1.0, **wrong})
