"""The ONNX Runtime evaluator keeps the promises of evaluators; a provider that is not there is named."""

import numpy as np
import onnxruntime
import pytest

from ludus.errors import BadInput, BadModel, Unavailable
from ludus.network.backends import available, open_evaluator, open_of
from ludus.network.evaluator import evaluate
from ludus.network.onnxruntime import OnnxRuntimeEvaluator


@pytest.fixture(scope="module")
def expected(checkpoint, planes):
    return evaluate(open_of(checkpoint, "torch"), planes)


@pytest.fixture
def judge(checkpoint):
    return open_of(checkpoint, "onnxruntime", streams=2, threads=1)


def test_lanes_in_flight_do_not_mix_their_answers(judge, planes, expected, submit):
    lanes = [judge.lane(13) for _ in range(3)]
    for _ in range(5):
        for index, lane in enumerate(lanes):
            submit(lane, planes[13 * index : 13 * index + 13])
        for index in (2, 0, 1):
            logits, outcomes = lanes[index].answer()
            np.testing.assert_allclose(logits[:13], expected[0][13 * index : 13 * index + 13], rtol=0.05, atol=0.05)
            np.testing.assert_allclose(outcomes[:13], expected[1][13 * index : 13 * index + 13], atol=0.03)


def test_new_weights_are_used_by_the_next_batch_and_not_by_the_one_in_flight(judge, checkpoint, planes, submit):
    before = evaluate(judge, planes)[0]
    lane = judge.lane(40)
    submit(lane, planes)
    bias = checkpoint.arrays["policy.linear.bias"]
    judge.load(checkpoint.arrays | {"policy.linear.bias": bias + 1})
    np.testing.assert_allclose(lane.answer()[0], before, atol=1e-4)
    for late in (lane, judge.lane(40)):
        submit(late, planes)
        np.testing.assert_allclose(late.answer()[0], before + 1, atol=1e-4)


def test_a_lane_may_be_dropped_in_flight(judge, planes, submit):
    before = evaluate(judge, planes)[0]
    for _ in range(20):
        submit(judge.lane(40), planes)
    np.testing.assert_allclose(evaluate(judge, planes)[0], before, atol=1e-4)


def test_broken_weights_are_rejected_when_they_are_used(judge, checkpoint, planes):
    bias = np.full_like(checkpoint.arrays["outcome.linear.bias"], np.nan)
    judge.load(checkpoint.arrays | {"outcome.linear.bias": bias})
    with pytest.raises(BadModel, match=r"^odd answers"):
        evaluate(judge, planes)


def test_the_backends_of_the_installed_package_are_available():
    assert "onnxruntime" in available()
    named = {name for name in available() if name.startswith("onnxruntime:")}
    assert ("onnxruntime:directml" in named) == ("DmlExecutionProvider" in onnxruntime.get_available_providers())


@pytest.mark.parametrize(("provider", "package"), [("directml", "onnxruntime-directml"), ("rocm", "onnxruntime-rocm")])
def test_a_provider_that_is_not_installed_is_named_with_its_package(checkpoint, provider, package):
    with pytest.raises(Unavailable, match=rf"^The installed ONNX Runtime has no \w+; install {package} in place of"):
        open_of(checkpoint, f"onnxruntime:{provider}")


def test_a_provider_without_a_device_is_not_silently_replaced(checkpoint, monkeypatch):
    providers, session = onnxruntime.get_available_providers(), onnxruntime.InferenceSession
    monkeypatch.setattr(onnxruntime, "get_available_providers", lambda: ["CUDAExecutionProvider", *providers])
    monkeypatch.setattr(
        onnxruntime, "InferenceSession", lambda *given, providers: session(*given, providers=providers[1:])
    )
    with pytest.raises(Unavailable, match=r"CUDAExecutionProvider finds no device"):
        open_of(checkpoint, "onnxruntime:cuda")


@pytest.mark.parametrize("precision", ["bf16", "f16"])
def test_a_precision_that_it_lacks_is_rejected(checkpoint, precision):
    info = checkpoint.info
    with pytest.raises(BadInput, match=rf"computes in f32; name another backend for {precision}\.$"):
        open_evaluator("onnxruntime", checkpoint.arrays, info.network, info.shapes, precision=precision)
    open_evaluator("onnxruntime", checkpoint.arrays, info.network, info.shapes, precision="f32")


def test_several_threads_compute_the_same(checkpoint, planes):
    info = checkpoint.info
    one, two = (
        evaluate(OnnxRuntimeEvaluator(checkpoint.arrays, info.network, info.shapes, threads=threads), planes)
        for threads in (1, 2)
    )
    np.testing.assert_allclose(one[0], two[0], atol=1e-4)
