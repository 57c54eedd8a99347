"""Evaluators are opened by name; unavailable ones are rejected with a message."""

import numpy as np
import pytest
import torch

from ludus.errors import BadInput, Unavailable
from ludus.network.backends import available, open_evaluator, open_for_one
from ludus.network.evaluator import evaluate


def test_all_backends_of_this_machine_agree(checkpoint, planes):
    found = [
        evaluate(open_evaluator(name, checkpoint.arrays, checkpoint.info.network, checkpoint.info.shapes), planes)
        for name in available()
    ]
    assert {"openvino", "torch", "onnxruntime"} <= set(available())
    assert ("cuda" in available()) == torch.cuda.is_available()
    for logits, outcomes in found[1:]:
        np.testing.assert_allclose(logits, found[0][0], atol=0.04 * np.abs(found[0][0]).max())
        np.testing.assert_allclose(outcomes, found[0][1], atol=0.04)


@pytest.mark.parametrize(
    "name",
    [
        "",
        "gpu",
        "cuda:x",
        "cuda:",
        "openvino:1",
        "openvino:",
        "torch:0",
        "torch:",
        "onnxruntime:",
        "onnxruntime:gpu",
        "onnx",
    ],
)
def test_an_unknown_backend_is_rejected(checkpoint, name):
    with pytest.raises(BadInput, match=r"^There is no backend .*\.$"):
        open_evaluator(name, checkpoint.arrays, checkpoint.info.network, checkpoint.info.shapes)


def test_an_unknown_precision_is_rejected(checkpoint):
    with pytest.raises(BadInput, match=r"^There is no precision 'int3'; .*\.$"):
        open_evaluator("openvino", checkpoint.arrays, checkpoint.info.network, checkpoint.info.shapes, precision="int3")


@pytest.mark.parametrize(("name", "device"), [("cuda", "cuda:0"), ("cuda:1", "cuda:1"), ("cuda:01", "cuda:1")])
def test_a_gpu_is_opened_by_its_number(checkpoint, monkeypatch, name, device):
    opened = []
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 2)
    monkeypatch.setattr("ludus.network.torch.TorchEvaluator", lambda *_, **options: opened.append(options["device"]))
    open_evaluator(name, checkpoint.arrays, checkpoint.info.network, checkpoint.info.shapes)
    assert opened == [device]


def test_a_gpu_that_is_not_there_is_unavailable(checkpoint):
    with pytest.raises(Unavailable, match=r"^cuda:99: this machine has no such GPU"):
        open_evaluator("cuda:99", checkpoint.arrays, checkpoint.info.network, checkpoint.info.shapes)


@pytest.mark.parametrize("device", ["auto", "openvino", "torch", "onnxruntime", "cuda:99", "onnxruntime:directml"])
def test_all_devices_evaluate_single_batches_alike(checkpoint, planes, device):
    arrays, info = checkpoint.arrays, checkpoint.info
    logits, outcomes = evaluate(open_for_one(device, checkpoint, threads=2), planes)
    expected = evaluate(open_evaluator("openvino", arrays, info.network, info.shapes), planes)
    np.testing.assert_allclose(logits, expected[0], atol=0.04 * np.abs(expected[0]).max())
    np.testing.assert_allclose(outcomes, expected[1], atol=0.04)
