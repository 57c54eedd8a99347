"""OpenVINO's answers are those of the network in PyTorch, whatever the size of the batch."""

import numpy as np
import pytest

from ludus.network.evaluator import TorchEvaluator
from ludus.network.openvino import OpenVinoEvaluator, best_precision, bucket, evaluator_of


@pytest.fixture(scope="module")
def expected(network, planes):
    return TorchEvaluator(network).evaluate(planes, len(planes))


def evaluator(checkpoint, precision):
    return OpenVinoEvaluator(checkpoint.arrays, checkpoint.info.network, checkpoint.info.shapes, precision=precision)


@pytest.mark.parametrize(("precision", "tolerance"), [("f32", 2e-5), (best_precision(), 0.03)])
def test_answers_agree_with_the_trained_network(checkpoint, planes, expected, precision, tolerance):
    logits, outcomes = evaluator(checkpoint, precision).evaluate(planes, len(planes))
    scale = np.abs(expected[0]).max()
    assert scale > 1, "the comparison means something"
    np.testing.assert_allclose(logits[:40] / scale, expected[0] / scale, atol=tolerance)
    np.testing.assert_allclose(outcomes[:40], expected[1], atol=tolerance)
    np.testing.assert_allclose(outcomes[:40].sum(1), 1, atol=1e-4)
    assert expected[1].std(0).max() > 0.1, "and here, too"
    assert logits.dtype == outcomes.dtype == np.float32


@pytest.mark.parametrize("count", [1, 2, 3, 7, 16, 17, 33, 40])
def test_padding_does_not_change_answers(checkpoint, planes, expected, count):
    judge = evaluator(checkpoint, "f32")
    roomy = np.full((64, *planes.shape[1:]), 9, np.float32)  # rows of earlier batches lie behind the first `count`
    roomy[:count] = planes[:count]
    for batch in (planes[:count].copy(), roomy, planes):
        logits, outcomes = judge.evaluate(batch, count)
        assert len(logits) >= count
        np.testing.assert_allclose(logits[:count], expected[0][:count], atol=1e-4)
        np.testing.assert_allclose(outcomes[:count], expected[1][:count], atol=1e-4)


def test_the_evaluator_of_a_checkpoint_computes_as_well_as_the_processor_can(checkpoint, planes):
    found = evaluator_of(checkpoint, threads=2).evaluate(planes, 40)
    for one, other in zip(found, evaluator(checkpoint, best_precision()).evaluate(planes, 40), strict=True):
        np.testing.assert_allclose(one[:40], other[:40], atol=0.02)


def test_a_second_batch_does_not_see_the_first(checkpoint, planes, expected):
    judge = evaluator(checkpoint, "f32")
    judge.evaluate(planes[:30].copy(), 30)
    logits, _ = judge.evaluate(planes[30:35].copy(), 5)
    np.testing.assert_allclose(logits[:5], expected[0][30:35], atol=1e-4)


def test_batches_come_in_few_sizes_that_waste_little():
    sizes = [bucket(count) for count in range(1, 1025)]
    assert sizes == sorted(sizes)
    assert all(size >= count for count, size in enumerate(sizes, 1))
    assert all(size <= max(2 * count, 16) for count, size in enumerate(sizes, 1))
    assert all(size < 1.5 * count for count, size in enumerate(sizes, 1) if count > 32)
    assert len(set(sizes)) <= 32
    assert [bucket(size) for size in sizes] == sizes


def test_two_evaluators_in_two_threads_do_not_disturb_each_other(checkpoint, planes, expected):
    from concurrent.futures import ThreadPoolExecutor

    def judge(first):
        mine = evaluator(checkpoint, "f32")
        for _ in range(20):
            logits, _ = mine.evaluate(planes[first : first + 20].copy(), 20)
            np.testing.assert_allclose(logits[:20], expected[0][first : first + 20], atol=1e-4)

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(judge, (0, 20)))
