"""The interval of a share equals values computed by hand, including shares of 0 and 1."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludus.arena.share import interval_of, share_of, share_text

Z2 = 3.841459  # the square of 1.959964


@pytest.mark.parametrize(
    ("successes", "trials", "low", "high"),
    [
        (0, 10, 0.0, Z2 / (10 + Z2)),  # the formula without successes
        (2, 2, 2 / (2 + Z2), 1.0),
        (5, 10, 0.5 - 0.5 * (Z2 / (10 + Z2)) ** 0.5, 0.5 + 0.5 * (Z2 / (10 + Z2)) ** 0.5),  # one half: symmetric
        (4, 5, 0.375535, 0.963776),  # (0.8 + 0.384146 ± 1.959964 * sqrt(0.032 + 0.038415)) / 1.768292
        (0, 0, 0.0, 1.0),
    ],
)
def test_the_interval_equals_values_by_hand(successes, trials, low, high):
    assert interval_of(successes, trials) == pytest.approx((low, high), abs=1e-5)


@given(st.integers(1, 5000).flatmap(lambda trials: st.tuples(st.integers(0, trials), st.just(trials))))
def test_the_observed_share_is_two_deviations_from_each_bound(found):
    """Check the bounds: at a bound p, |found - p| is 1.96 standard deviations of the binomial distribution with p."""
    successes, trials = found
    share = share_of(successes, trials)
    low, high = interval_of(successes, trials)
    assert 0.0 <= low <= share <= high <= 1.0
    for bound in (low, high):
        assert (share - bound) ** 2 == pytest.approx(Z2 * bound * (1.0 - bound) / trials, rel=1e-5, abs=1e-12)


def test_a_share_is_formatted_with_its_interval():
    assert share_text(10, 10) == "100.0% (95% interval: 72.2% to 100.0%)"
