"""Evaluators without weights return the documented results, and results that are not finite are rejected."""

import numpy as np
import pytest

from ludus.errors import BadModel
from ludus.network.config import Shapes
from ludus.network.evaluator import NullEvaluator, UniformEvaluator, check_finite, evaluate

SHAPES = Shapes(planes=(2, 3, 3), plane_scale=(1.0, 1.0), num_actions=9)


def test_the_null_evaluator_never_runs_dry():
    lane = NullEvaluator(SHAPES, rows=20).lane(20)
    assert (lane.planes.shape, lane.planes.dtype) == ((20, 2, 3, 3), np.uint8)
    for count in (8, 8, 8, 1, 20, 3):
        lane.submit(count)
        logits, outcomes = lane.answer()
        assert logits.shape == (count, 9)
        np.testing.assert_allclose(outcomes.sum(1), 1, rtol=1e-5)
        assert logits.flags.c_contiguous


def test_the_uniform_evaluator_prefers_nothing():
    logits, outcomes = evaluate(UniformEvaluator(SHAPES), np.zeros((8, 2, 3, 3), np.uint8))
    assert (logits.shape, outcomes.shape) == ((8, 9), (8, 3))
    assert not logits.any()
    assert (outcomes == [0.5, 0, 0.5]).all()
    assert (logits.dtype, outcomes.dtype) == (np.float32, np.float32)


@pytest.mark.parametrize("number", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("which", [0, 1])
def test_a_single_number_that_is_not_finite_is_rejected_with_the_name_of_the_model(number, which):
    answers = [np.ones((4, 9), np.float32), np.ones((4, 3), np.float32)]
    check_finite("wally", *answers)
    answers[which][2, 1] = number
    with pytest.raises(BadModel, match=r"^wally answers with numbers that are not finite: .* earlier model.*\.$"):
        check_finite("wally", *answers)
