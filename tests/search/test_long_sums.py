"""Single-precision sums: short ones follow IEEE 754, and long ones keep their mean."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludus.kernel import COMPILED, entry
from ludus.search.backup import LONG, increased

NUMBER = 20_000_000 if COMPILED else 40 * LONG
SINGLE = st.floats(-1.0, 1.0, width=32)


@entry
def mean_of(values: np.ndarray, number: int) -> float:
    """Add the values repeatedly until there are `number` summands; return the mean."""
    total = np.float32(0.0)
    for k in range(number):
        total = increased(total, values[k % len(values)], k)
    return float(total) / number


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("middle", [0.0, 0.07, 0.6, 0.93, 1.0])
@pytest.mark.parametrize("width", [0.0, 0.05, 0.3])
def test_a_sum_keeps_its_mean_however_long_it_is(sign, middle, width):
    rng = np.random.default_rng(1)
    values = (sign * np.clip(middle + width * rng.standard_normal(9_973), -1, 1)).astype(np.float32)  # [a prime]
    exact = np.resize(values, NUMBER).mean(dtype=np.float64)
    assert mean_of(values, NUMBER) == pytest.approx(exact, abs=2e-5)


@given(total=st.floats(-1e5, 1e5, width=32), value=SINGLE, visits=st.integers(0, LONG - 1))
def test_a_short_sum_is_rounded_to_the_nearest(total, value, visits):
    assert increased(np.float32(total), np.float32(value), visits) == np.float32(total) + np.float32(value)


@given(total=st.floats(-1e8, 1e8, width=32), value=SINGLE, visits=st.integers(LONG, 10**9))
def test_a_long_sum_is_one_of_its_two_neighbours(total, value, visits):
    exact, found = float(np.float32(total)) + float(np.float32(value)), increased(np.float32(total), value, visits)
    assert abs(float(found) - exact) < max(float(np.spacing(abs(found))), float(np.spacing(np.float32(abs(exact)))))
