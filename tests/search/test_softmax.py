"""Priors are the softmax of the logits, as exactly as 16 bits can say it."""

import numpy as np
import pytest

from ludus.search.softmax import exp_below_zero, largest, set_priors, total


def test_the_exponential_is_near_enough():
    for x in np.linspace(-12, 0, 500, dtype=np.float32):  # what is smaller has no place in 16 bits
        assert float(exp_below_zero(x)) == pytest.approx(np.exp(float(x)), rel=3e-5)
    assert exp_below_zero(np.float32(0)) == 1
    assert 0 <= float(exp_below_zero(np.float32(-1e30))) < 1e-12
    assert float(exp_below_zero(np.float32(-np.inf))) < 1e-12


@pytest.mark.parametrize("count", [1, 2, 3, 4, 5, 8, 11, 30])
def test_the_largest_and_the_total_are_those_of_all_values(count):
    for seed in range(10):
        values = np.random.default_rng(seed).standard_normal(40).astype(np.float32)
        assert largest(values, count) == values[:count].max()
        assert float(total(values, count)) == pytest.approx(float(values[:count].sum()), abs=1e-5)


@pytest.mark.parametrize("spread", [0.0, 1.0, 20.0, 1e4])
def test_priors_add_up_and_follow_the_logits(spread):
    rng = np.random.default_rng(1)
    actions = np.array([5, 0, 17, 3, 8, 11, 2], np.uint32)
    for _ in range(30):
        logits, edges = (spread * rng.standard_normal(20)).astype(np.float32), actions.copy()
        set_priors(edges, logits, np.zeros(20, np.float32))
        assert (edges & 0xFFFF).tolist() == actions.tolist()
        priors = (edges >> 16) / 65535
        shifted = logits[actions].astype(np.float64) - float(logits[actions].max())
        np.testing.assert_allclose(priors, np.exp(shifted) / np.exp(shifted).sum(), atol=4e-5)
        assert priors.sum() == pytest.approx(1, abs=7 * 0.5 / 65535 + 1e-5)
