"""The OpenVINO evaluator gives the results of the PyTorch network for any batch size."""

import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from ludus.errors import BadModel
from ludus.network.evaluator import evaluate
from ludus.network.openvino import OpenVinoEvaluator, best_precision, evaluator_of, padded
from ludus.network.torch import TorchEvaluator


@pytest.fixture(scope="module")
def expected(checkpoint, planes):
    return evaluate(
        TorchEvaluator(checkpoint.arrays, checkpoint.info.network, checkpoint.info.shapes, precision="f32"), planes
    )


def evaluator(checkpoint, precision="f32", streams=1, **changes):
    arrays, info = checkpoint.arrays | changes, checkpoint.info
    return OpenVinoEvaluator(arrays, info.network, info.shapes, precision=precision, streams=streams, name="wally")


@pytest.mark.parametrize(("precision", "tolerance"), [("f32", 2e-5), (best_precision(), 0.03)])
def test_answers_agree_with_the_trained_network(checkpoint, planes, expected, precision, tolerance):
    logits, outcomes = evaluate(evaluator(checkpoint, precision), planes)
    scale = np.abs(expected[0]).max()
    assert scale > 1, "the compared values are not trivial"
    np.testing.assert_allclose(logits / scale, expected[0] / scale, atol=tolerance)
    np.testing.assert_allclose(outcomes, expected[1], atol=tolerance)
    np.testing.assert_allclose(outcomes.sum(1), 1, atol=1e-4)
    assert expected[1].std(0).max() > 0.1, "and here, too"
    assert logits.dtype == outcomes.dtype == np.float32


@pytest.mark.parametrize("count", [1, 2, 3, 7, 16, 17, 33, 40])
def test_rows_behind_the_first_do_not_change_answers(checkpoint, planes, expected, count, submit):
    judge = evaluator(checkpoint)
    for batch in (count, 40, 64):
        lane = judge.lane(batch)
        lane.planes[:] = 9  # rows of earlier batches lie behind the first `count`
        submit(lane, planes[:count])
        logits, outcomes = lane.answer()
        assert len(logits) >= count
        np.testing.assert_allclose(logits[:count], expected[0][:count], atol=1e-4)
        np.testing.assert_allclose(outcomes[:count], expected[1][:count], atol=1e-4)


def test_the_evaluator_of_a_checkpoint_computes_as_well_as_the_processor_can(checkpoint, planes):
    found = evaluate(evaluator_of(checkpoint, threads=2), planes)
    for one, other in zip(found, evaluate(evaluator(checkpoint, best_precision()), planes), strict=True):
        np.testing.assert_allclose(one, other, atol=0.02)


def test_lanes_in_flight_do_not_mix_their_answers(checkpoint, planes, expected, submit):
    judge = evaluator(checkpoint)
    lanes = [judge.lane(13) for _ in range(3)]
    for _ in range(5):
        for index, lane in enumerate(lanes):
            submit(lane, planes[13 * index : 13 * index + 13])
        for index in (2, 0, 1):
            logits, outcomes = lanes[index].answer()
            np.testing.assert_allclose(logits[:13], expected[0][13 * index : 13 * index + 13], atol=1e-4)
            np.testing.assert_allclose(outcomes[:13], expected[1][13 * index : 13 * index + 13], atol=1e-4)


def test_a_smaller_batch_does_not_see_the_one_before(checkpoint, planes, expected, submit):
    lane = evaluator(checkpoint).lane(40)
    submit(lane, planes[:30])
    lane.answer()
    submit(lane, planes[30:35])
    np.testing.assert_allclose(lane.answer()[0][:5], expected[0][30:35], atol=1e-4)


def test_new_weights_are_used_by_the_next_batch_and_not_by_the_one_in_flight(checkpoint, planes, expected, submit):
    judge = evaluator(checkpoint)
    lane = judge.lane(40)
    submit(lane, planes)
    bias = checkpoint.arrays["policy.linear.bias"]
    judge.load(checkpoint.arrays | {"policy.linear.bias": bias + 1})
    np.testing.assert_allclose(lane.answer()[0], expected[0], atol=1e-4)
    for late in (lane, judge.lane(40)):
        submit(late, planes)
        np.testing.assert_allclose(late.answer()[0], expected[0] + 1, atol=1e-4)


def test_broken_weights_are_rejected_when_they_are_used(checkpoint, planes):
    bias = np.full_like(checkpoint.arrays["outcome.linear.bias"], np.nan)
    with pytest.raises(BadModel, match=r"^wally answers"):
        evaluate(evaluator(checkpoint, **{"outcome.linear.bias": bias}), planes)


def test_batches_have_few_sizes_with_little_padding():
    sizes = [padded(count) for count in range(1, 1025)]
    assert sizes[:64] == list(range(1, 65))
    assert sizes == sorted(sizes)
    assert all(count <= size < count * 33 / 32 for count, size in enumerate(sizes, 1))
    assert len(set(sizes)) <= 64 + 4 * 32
    assert [padded(size) for size in sizes] == sizes


def test_a_lane_may_be_dropped_in_flight(checkpoint, planes, expected, submit):
    judge = evaluator(checkpoint)
    for _ in range(20):
        submit(judge.lane(40), planes)
    np.testing.assert_allclose(evaluate(judge, planes)[0], expected[0], atol=1e-4)


def test_threads_share_an_evaluator_and_its_weights(checkpoint, planes, expected, submit):
    judge = evaluator(checkpoint, streams=2)
    stop = threading.Event()

    def work(first):
        lanes = [judge.lane(10), judge.lane(10)]
        while not stop.is_set():
            for part, lane in enumerate(lanes):
                submit(lane, planes[first + 10 * part : first + 10 * part + 10])
            for part, lane in enumerate(lanes):
                added = lane.answer()[0] - expected[0][first + 10 * part : first + 10 * part + 10]  # [10, A]
                assert np.abs(added - added[0, 0].round()).max() < 1e-2, "one batch, one set of weights"

    with ThreadPoolExecutor(2) as pool:
        workers = [pool.submit(work, first) for first in (0, 20)]
        for step in range(1, 6):
            bias = checkpoint.arrays["policy.linear.bias"]
            judge.load(checkpoint.arrays | {"policy.linear.bias": bias + step})
            np.testing.assert_allclose(evaluate(judge, planes)[0], expected[0] + step, atol=1e-3)
        stop.set()
        for worker in workers:
            worker.result()


def test_two_evaluators_in_two_threads_do_not_disturb_each_other(checkpoint, planes, expected, submit):
    def judge(first):
        lane = evaluator(checkpoint).lane(20)
        for _ in range(20):
            submit(lane, planes[first : first + 20])
            np.testing.assert_allclose(lane.answer()[0][:20], expected[0][first : first + 20], atol=1e-4)

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(judge, (0, 20)))
