"""The precision int8: ranges of inputs, the check against f32, and when it is used."""

import time

import msgspec
import numpy as np
import pytest
from safetensors import safe_open

from ludus.errors import BadInput, BadModel, Unavailable
from ludus.kernel import multiplies_int8
from ludus.network import int8
from ludus.network.backends import open_of
from ludus.network.checkpoint import (
    Checkpoint,
    Difference,
    Differences,
    load_checkpoint,
    save_checkpoint,
    weights_fingerprint,
)
from ludus.network.evaluator import evaluate
from ludus.network.openvino import OpenVinoEvaluator

BODY = ["blocks.0.first", "blocks.0.second", "blocks.1.first", "blocks.1.second"]
needs_int8 = pytest.mark.skipif(not multiplies_int8(), reason="this processor has no instructions for int8")


@pytest.fixture(scope="module")
def positions(info):
    """Return planes of positions, and legal actions."""
    rng, shape = np.random.default_rng(1), (int8.FEWEST, *info.shapes.planes[1:])
    planes = np.stack([rng.integers(most + 1, size=shape, dtype=np.uint8) for most in (1, 4, 255)], 1)
    legal = rng.random((int8.FEWEST, info.shapes.num_actions)) < 0.7
    legal[:, 0] = True
    return planes, legal


@pytest.fixture(scope="module")
def accepted(checkpoint, positions):
    """Return the checkpoint with the record of int8."""
    return with_record(checkpoint, int8.quantise(checkpoint, *positions, processor="a processor", commit="a commit"))


def with_record(checkpoint, record):
    return Checkpoint(msgspec.structs.replace(checkpoint.info, int8=record), checkpoint.arrays)


def with_outlier(checkpoint, factor=400.0):
    """Return a network that computes the same, although an input of `blocks.0.second` is far too large."""
    arrays = {name: array.copy() for name, array in checkpoint.arrays.items()}
    for part in ("weight", "bias"):
        arrays[f"blocks.0.first.1.{part}"][0] *= factor
    arrays["blocks.0.second.0.weight"][:, 0] /= factor
    return Checkpoint(checkpoint.info, arrays)


@needs_int8
def test_the_body_computes_in_int8_and_nearly_as_in_f32(checkpoint, accepted, positions):
    record = accepted.info.int8
    assert sorted(record.ranges) == BODY
    assert record.weights == weights_fingerprint(checkpoint)
    assert (record.positions, record.processor, record.commit) == (
        int8.FEWEST - int8.CALIBRATED,
        "a processor",
        "a commit",
    )
    planes, legal = (part[int8.CALIBRATED :] for part in positions)
    info = checkpoint.info
    exact = evaluate(OpenVinoEvaluator(checkpoint.arrays, info.network, info.shapes, precision="f32"), planes)
    rounded = evaluate(open_of(accepted, precision="int8"), planes)
    found = int8.compare(exact, rounded, legal)
    assert 1e-5 < found.value.mean < int8.MOST_VALUE, "rounded, but not by much"
    assert 1e-5 < found.policy.mean < int8.MOST_POLICY
    assert found.value.mean == pytest.approx(record.differences.value.mean, rel=0.2)
    assert found.value.largest >= found.value.mean


def test_ranges_are_positive_and_reach_at_most_the_largest_input(checkpoint, positions):
    planes = positions[0][:64]
    inputs = int8.inputs_of_convolutions(checkpoint, planes)
    assert set(inputs) == {"stem", *BODY, "policy.convolution", "outcome.convolution"}
    ranges = int8.find_ranges(checkpoint, planes)
    assert [*ranges] == BODY
    for layer, largest in ranges.items():
        assert 0.0 < largest <= inputs[layer].max() * 1.0001


@needs_int8
def test_a_layer_that_cannot_be_rounded_computes_in_floats(checkpoint, positions):
    record = int8.quantise(with_outlier(checkpoint), *positions, processor="", commit="")
    assert sorted(record.ranges) == [layer for layer in BODY if layer != "blocks.0.second"]


@needs_int8
def test_a_network_that_differs_too_much_is_not_accepted(checkpoint, positions, monkeypatch):
    monkeypatch.setattr(int8, "MOST_VALUE", 1e-9)
    with pytest.raises(
        BadModel, match=r"^odd is not accepted in int8, even with 2 of 4 layers: the value differs by 0"
    ):
        int8.quantise(checkpoint, *positions, processor="", commit="")


@needs_int8
def test_few_positions_are_refused(checkpoint, positions):
    with pytest.raises(BadInput, match=r"^odd: the check of int8 needs 1,024 different positions; .* 100"):
        int8.quantise(checkpoint, positions[0][:100], positions[1][:100], processor="", commit="")


def test_differences_are_those_of_values_policies_and_best_actions():
    legal = np.array([[True, True, False], [True, True, False]])
    half = np.log(np.array([[0.5, 0.5, 9.0], [0.8, 0.2, 9.0]], np.float32))
    found = np.log(np.array([[0.4, 0.6, 1.0], [0.8, 0.2, 1.0]], np.float32))
    values = np.array([[1.0, 0.0, 0.0], [0.5, 0.0, 0.5]], np.float32)
    others = np.array([[0.75, 0.0, 0.25], [0.5, 0.0, 0.5]], np.float32)
    result = int8.compare((half, values), (found, others), legal)
    assert result.value == Difference(pytest.approx(0.25), pytest.approx(0.5))
    assert result.policy == Difference(pytest.approx(0.05), pytest.approx(0.1))
    assert result.same_best == 0.5


@needs_int8
def test_a_file_keeps_the_record_and_other_files_have_none(checkpoint, accepted, tmp_path):
    for name, each in (("plain", checkpoint), ("checked", accepted)):
        save_checkpoint(tmp_path / f"{name}.safetensors", each)
    assert load_checkpoint(tmp_path / "checked.safetensors").info.int8 == accepted.info.int8
    assert load_checkpoint(tmp_path / "plain.safetensors").info.int8 is msgspec.UNSET
    with safe_open(tmp_path / "plain.safetensors", framework="np") as file:
        assert "int8" not in file.metadata()["ludus"], "earlier versions read it"


def made_up(checkpoint, **changes):
    """Return a record of int8 that was not measured."""
    some = Difference(0.0, 0.0)
    record = int8.Int8(
        ranges=dict.fromkeys(BODY, 4.0),
        weights=weights_fingerprint(checkpoint),
        positions=1,
        differences=Differences(some, some, 1.0),
        processor="",
        commit="",
    )
    return msgspec.structs.replace(record, **changes)


@pytest.mark.parametrize(
    ("ranges", "said"),
    [
        ({"stem": 1.0}, "stem is not a convolution that can compute in int8"),
        ({"blocks.2.first": 1.0}, "blocks.2.first is not a convolution"),
        ({"blocks.0.first": 0.0}, "the range of blocks.0.first in int8 is 0, which"),
        ({"blocks.0.first": -2.0}, "the range of blocks.0.first in int8 is -2, which"),
    ],
)
def test_a_record_with_wrong_ranges_is_rejected(checkpoint, tmp_path, ranges, said):
    save_checkpoint(tmp_path / "x.safetensors", with_record(checkpoint, made_up(checkpoint, ranges=ranges)))
    with pytest.raises(BadModel, match=said):
        load_checkpoint(tmp_path / "x.safetensors")


@pytest.mark.parametrize("is_faster", [True, False])
def test_auto_takes_int8_where_it_is_faster(checkpoint, monkeypatch, is_faster):
    monkeypatch.setattr(int8, "is_faster", lambda *_: is_faster)
    monkeypatch.setattr(int8, "multiplies_int8", lambda: True)
    usual = open_of(checkpoint).precision
    assert usual in ("bf16", "f32")
    assert open_of(checkpoint, precision="auto").precision == usual, "no record"
    checked = with_record(checkpoint, made_up(checkpoint))
    assert open_of(checked, precision="auto").precision == ("int8" if is_faster else usual)
    assert open_of(checked).precision == usual
    assert open_of(checked, precision="f32").precision == "f32"
    stale = with_record(checkpoint, made_up(checkpoint, weights="0123456789abcdef"))
    assert open_of(stale, precision="auto").precision == usual, "of other weights"
    monkeypatch.setattr(int8, "multiplies_int8", lambda: False)
    assert open_of(checked, precision="auto").precision == usual, "a processor without int8"


def test_int8_that_is_not_possible_is_refused_in_a_sentence(checkpoint, monkeypatch):
    checked = with_record(checkpoint, made_up(checkpoint))
    with pytest.raises(BadInput, match=r"^int8 runs on the backend openvino, not on torch;"):
        open_of(checked, "torch", precision="int8")
    monkeypatch.setattr(int8, "multiplies_int8", lambda: False)
    with pytest.raises(Unavailable, match=r"^This processor has no instructions for int8"):
        open_of(checked, precision="int8")
    monkeypatch.setattr(int8, "multiplies_int8", lambda: True)
    with pytest.raises(BadModel, match=r"^odd was not checked in int8 with these weights;"):
        open_of(checkpoint, precision="int8")


def test_other_weights_compute_without_the_ranges_of_the_first(checkpoint, planes):
    info = checkpoint.info
    small = OpenVinoEvaluator(
        checkpoint.arrays, info.network, info.shapes, precision="f32", ranges=dict.fromkeys(BODY, 0.01)
    )
    exact = OpenVinoEvaluator(checkpoint.arrays, info.network, info.shapes, precision="f32")
    assert small.precision == "int8"
    assert np.abs(evaluate(small, planes)[0] - evaluate(exact, planes)[0]).max() > 0.1, "the ranges matter"
    small.load(checkpoint.arrays)
    assert small.precision == "f32"
    np.testing.assert_allclose(evaluate(small, planes)[0], evaluate(exact, planes)[0], atol=1e-4)


class Slow:
    """An evaluator that is much slower than another."""

    def __init__(self, evaluator):
        self.evaluator = evaluator

    def lane(self, batch):
        lane = self.evaluator.lane(batch)
        answer = lane.answer
        lane.answer = lambda: (time.sleep(0.05), answer())[1]
        return lane


def test_the_faster_evaluator_is_found_by_measuring(checkpoint):
    evaluator = OpenVinoEvaluator(checkpoint.arrays, checkpoint.info.network, checkpoint.info.shapes)
    assert int8.is_faster(evaluator, Slow(evaluator))
    assert not int8.is_faster(Slow(evaluator), evaluator)
