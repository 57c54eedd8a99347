"""Evaluators without weights answer what they promise."""

import numpy as np

from ludus.network.evaluator import NullEvaluator, TorchEvaluator, UniformEvaluator

PLANES = np.zeros((8, 2, 3, 3), np.float32)


def test_the_null_evaluator_never_runs_dry():
    evaluator = NullEvaluator(9, rows=20)
    for count in (8, 8, 8, 1, 20, 3):
        logits, outcomes = evaluator.evaluate(PLANES, count)
        assert logits.shape == (count, 9)
        np.testing.assert_allclose(outcomes.sum(1), 1, rtol=1e-5)
        assert logits.flags.c_contiguous


def test_the_uniform_evaluator_prefers_nothing():
    logits, outcomes = UniformEvaluator(9).evaluate(PLANES, 8)
    assert not logits.any()
    assert (outcomes == [0.5, 0, 0.5]).all()
    assert (logits.dtype, outcomes.dtype) == (np.float32, np.float32)


def test_the_torch_evaluator_judges_the_first_rows_alone(network, planes):
    evaluator = TorchEvaluator(network)
    logits, outcomes = evaluator.evaluate(planes, 3)
    assert (logits.shape, outcomes.shape) == ((3, 11), (3, 3))
    np.testing.assert_allclose(outcomes.sum(1), 1, rtol=1e-5)
    np.testing.assert_allclose(logits, evaluator.evaluate(planes, 40)[0][:3], atol=1e-5)
