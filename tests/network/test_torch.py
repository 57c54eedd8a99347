"""The PyTorch evaluator gives the results of the trained network, on the CPU and on a GPU if there is one."""

import numpy as np
import pytest
import torch

from ludus.errors import BadModel
from ludus.network.cuda import fastest_convolution
from ludus.network.evaluator import evaluate
from ludus.network.torch import TorchEvaluator, best_precision, convolve

GPU = pytest.mark.skipif(not torch.cuda.is_available(), reason="this machine has no NVIDIA GPU")
DEVICES = ["cpu", pytest.param("cuda", marks=GPU)]


@pytest.fixture(scope="module")
def expected(network, planes):
    with torch.inference_mode():
        logits, outcome = network(torch.from_numpy(planes))
    return logits.numpy(), torch.softmax(outcome, 1).numpy()


def evaluator(checkpoint, device="cpu", precision="f32", **changes):
    arrays, info = checkpoint.arrays | changes, checkpoint.info
    return TorchEvaluator(arrays, info.network, info.shapes, device=device, precision=precision, name="wally")


@pytest.mark.parametrize(("precision", "tolerance"), [("f32", 1e-5), ("bf16", 0.03), ("best", 0.03)])
@pytest.mark.parametrize("device", DEVICES)
def test_answers_are_those_of_the_network(checkpoint, planes, expected, device, precision, tolerance):
    if precision == "best":
        precision = best_precision(device)
    if device != "cpu":
        tolerance = max(tolerance, 2e-3)  # a GPU multiplies single precision with fewer digits
    logits, outcomes = evaluate(evaluator(checkpoint, device, precision), planes)
    scale = np.abs(expected[0]).max()
    np.testing.assert_allclose(logits / scale, expected[0] / scale, atol=tolerance)
    np.testing.assert_allclose(outcomes, expected[1], atol=tolerance)
    np.testing.assert_allclose(outcomes.sum(1), 1, rtol=1e-5)
    assert (logits.dtype, outcomes.dtype) == (np.float32, np.float32)


@pytest.mark.parametrize("device", DEVICES)
def test_only_the_first_rows_are_evaluated(checkpoint, planes, expected, device, submit):
    lane = evaluator(checkpoint, device).lane(40)
    lane.planes[:] = 9  # rows of earlier batches lie behind the first
    for count in (3, 40, 1):
        submit(lane, planes[:count])
        logits, outcomes = lane.answer()
        np.testing.assert_allclose(logits[:count], expected[0][:count], rtol=2e-3, atol=5e-3)
        np.testing.assert_allclose(outcomes[:count], expected[1][:count], atol=2e-3)


@pytest.mark.parametrize("device", DEVICES)
def test_lanes_in_flight_do_not_mix_their_answers(checkpoint, planes, expected, device, submit):
    judge = evaluator(checkpoint, device)
    lanes = [judge.lane(13) for _ in range(3)]
    for _ in range(5):
        for index, lane in enumerate(lanes):
            submit(lane, planes[13 * index : 13 * index + 13])
        for index in (2, 0, 1):
            logits, _ = lanes[index].answer()
            np.testing.assert_allclose(logits, expected[0][13 * index : 13 * index + 13], rtol=2e-3, atol=5e-3)


@pytest.mark.parametrize("device", DEVICES)
def test_new_weights_are_used_by_the_next_batch_and_not_by_the_one_in_flight(
    checkpoint, planes, expected, device, submit
):
    judge = evaluator(checkpoint, device)
    lane = judge.lane(40)
    submit(lane, planes)
    judge.load(checkpoint.arrays | {"policy.linear.bias": checkpoint.arrays["policy.linear.bias"] + 1})
    np.testing.assert_allclose(lane.answer()[0], expected[0], rtol=2e-3, atol=5e-3)
    for late in (lane, judge.lane(40)):
        submit(late, planes)
        np.testing.assert_allclose(late.answer()[0], expected[0] + 1, rtol=2e-3, atol=5e-3)


def test_the_arrays_of_a_checkpoint_may_change_after_they_are_loaded(checkpoint, planes, expected):
    arrays = {name: array.copy() for name, array in checkpoint.arrays.items()}
    judge = TorchEvaluator(arrays, checkpoint.info.network, checkpoint.info.shapes, precision="f32")
    for array in arrays.values():
        array.fill(0)
    np.testing.assert_allclose(evaluate(judge, planes)[0], expected[0], rtol=1e-3, atol=1e-3)


def test_planes_are_scaled_before_anything_else(network, planes, info):
    scale = torch.tensor(info.shapes.plane_scale).reshape(-1, 1, 1)
    assert len(set(info.shapes.plane_scale)) == 3, "the scales differ"
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


@pytest.mark.parametrize("device", DEVICES)
def test_broken_weights_are_rejected_when_they_are_used(checkpoint, planes, device):
    bias = np.full_like(checkpoint.arrays["policy.linear.bias"], np.nan)
    with pytest.raises(BadModel, match=r"^wally answers"):
        evaluate(evaluator(checkpoint, device, **{"policy.linear.bias": bias}), planes)


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("has_residual", [True, False])
def test_the_fastest_convolution_is_the_plain_one_or_agrees_with_it(device, has_residual):
    torch.manual_seed(0)
    run = fastest_convolution(convolve, torch.device(device), torch.float32, (64, 16, 8, 8))
    x, weight, bias = torch.randn(64, 16, 8, 8), torch.randn(16, 16, 3, 3), torch.randn(16)
    residual = torch.randn(64, 16, 8, 8) if has_residual else None
    expected = convolve(x, weight, bias, residual)
    found = run(*(each if each is None else each.to(device) for each in (x, weight, bias, residual))).cpu()
    assert (expected >= 0).all()
    torch.testing.assert_close(found, expected, rtol=5e-3, atol=5e-2)
    assert device != "cpu" or run is convolve
