"""The evaluator of PyTorch: the network as it was trained, lane by lane."""

import numpy as np
import pytest
import torch

from ludus.errors import BadModel
from ludus.network.evaluator import evaluate
from ludus.network.torch import TorchEvaluator


def evaluator(checkpoint, **changes):
    return TorchEvaluator(checkpoint.arrays | changes, checkpoint.info.network, checkpoint.info.shapes, name="wally")


def test_answers_are_those_of_the_network(checkpoint, network, planes):
    with torch.inference_mode():
        logits, outcome = network(torch.from_numpy(planes))
    found = evaluate(evaluator(checkpoint), planes)
    np.testing.assert_allclose(found[0], logits, atol=1e-4)
    np.testing.assert_allclose(found[1], torch.softmax(outcome, 1), atol=1e-5)


def test_the_first_rows_alone_are_judged(checkpoint, planes):
    judge = evaluator(checkpoint)
    lane = judge.lane(40)
    lane.planes[:] = planes
    lane.submit(3)
    logits, outcomes = lane.answer()
    assert (logits.dtype, outcomes.dtype) == (np.float32, np.float32)
    np.testing.assert_allclose(logits[:3], evaluate(judge, planes)[0][:3], atol=1e-4)
    np.testing.assert_allclose(outcomes[:3].sum(1), 1, rtol=1e-5)


def test_planes_are_scaled_before_anything_else(network, planes, info):
    scale = torch.tensor(info.shapes.plane_scale).reshape(-1, 1, 1)
    assert len(set(info.shapes.plane_scale)) == 3, "the test means something"
    with torch.inference_mode():
        expected = network.stem(torch.from_numpy(planes).float() * scale)
        seen = []
        hook = network.stem.register_forward_hook(lambda _module, _input, output: seen.append(output))
        network(torch.from_numpy(planes))
        network(torch.from_numpy(planes).float())
        hook.remove()
    for each in seen:
        torch.testing.assert_close(each, expected)
    assert "scale" not in network.state_dict()


def test_broken_weights_are_refused_when_they_answer(checkpoint, planes):
    bias = np.full_like(checkpoint.arrays["policy.linear.bias"], np.nan)
    with pytest.raises(BadModel, match=r"^wally answers"):
        evaluate(evaluator(checkpoint, **{"policy.linear.bias": bias}), planes)
