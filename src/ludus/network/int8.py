"""The precision int8: choose the ranges of a model's convolutions, check it against f32, and use it where it is faster.

Convolutions of the body compute in int8: their weights are rounded to 255 steps for each output, their inputs, which
are never negative, to 256 steps up to a range.  The first layer and the heads stay in bf16 or f32.
"""

from __future__ import annotations

import time

import numpy as np
from numpy.typing import NDArray

from ludus.errors import BadInput, BadModel, Unavailable
from ludus.kernel import multiplies_int8
from ludus.network.checkpoint import Checkpoint, Difference, Differences, Int8, weights_fingerprint
from ludus.network.evaluator import Evaluator, Logits, Outcomes, Planes, evaluate
from ludus.network.openvino import OpenVinoEvaluator, Ranges, evaluator_of, inputs_of_convolutions

MOST_VALUE = 0.01  # largest mean difference of the value that is accepted
MOST_POLICY = 0.02  # largest mean distance of the policy that is accepted
LEAST_SAME = 0.97  # smallest share of positions with the same best action that is accepted
LEAST_LAYERS = 0.5  # smallest share of the body's convolutions that must compute in int8, or it is hardly faster
POSITIONS = 2048  # positions that are wanted
CALIBRATED = 512  # positions that determine the ranges; the check uses the others
FEWEST = 2 * CALIBRATED
_BATCH = 64
_SHARES = np.linspace(0.15, 1.0, 35)  # ranges that are tried, as shares of the largest input
_SAMPLE = 400_000  # inputs of a layer that are compared with their rounded values
FASTER = 1.1  # int8 must be faster than floats by this factor to be chosen
_TRIAL_ROWS, _TRIALS, _TRIAL_S = 32, 5, 0.5


def describe(found: Differences) -> str:
    """Return the differences in words."""
    value, policy = found.value, found.policy
    return (
        f"the value differs by {value.mean:.4f} on average and {value.largest:.3f} at most, the policy by "
        f"{policy.mean:.4f} and {policy.largest:.3f}, and {found.same_best:.1%} of the best actions are the same"
    )


def _are_small(found: Differences) -> bool:
    return found.value.mean <= MOST_VALUE and found.policy.mean <= MOST_POLICY and found.same_best >= LEAST_SAME


def quantise(checkpoint: Checkpoint, planes: Planes, legal: NDArray[np.bool_], *, processor: str, commit: str) -> Int8:
    """Return how a model computes in int8, after a check against f32.

    If the differences are too large, the layers that cause most of them compute in floats, at most half of them.

    Args:
        checkpoint: the network, with weights of 32 bits.
        planes: positions of the model's own games, at least `FEWEST`.  # [N, C, H, W]
        legal: their legal actions.  # [N, A]
        processor: name of this processor, for the record.
        commit: commit of this version, for the record.

    Raises:
        BadInput: there are too few positions.
        BadModel: the differences stay too large.
        Unavailable: this processor has no fast instructions for int8.
    """
    check_processor()
    if len(planes) < FEWEST:
        raise BadInput(
            f"{checkpoint.info.name}: the check of int8 needs {FEWEST:,} different positions; games of the model have "
            f"{len(planes)}, so pack it without int8."
        )
    ranges, tested, moves = find_ranges(checkpoint, planes[:CALIBRATED]), planes[CALIBRATED:], legal[CALIBRATED:]
    if not ranges:
        raise BadModel(f"{checkpoint.info.name} has no residual blocks, so nothing of it can compute in int8.")
    expected = _answers(_evaluator(checkpoint, {}, "f32"), tested)

    def differences_with(some: Ranges) -> Differences:
        return compare(expected, _answers(_evaluator(checkpoint, some), tested), moves)

    found, total = differences_with(ranges), len(ranges)
    if not _are_small(found):
        alone = {layer: differences_with({layer: ranges[layer]}) for layer in ranges}
        by_harm = sorted(ranges, key=lambda layer: alone[layer].value.mean + alone[layer].policy.mean)
        while not _are_small(found) and len(by_harm) - 1 >= LEAST_LAYERS * total:
            by_harm.pop()
            ranges = {layer: ranges[layer] for layer in by_harm}
            found = differences_with(ranges)
    if not _are_small(found):
        raise BadModel(
            f"{checkpoint.info.name} is not accepted in int8, even with {len(ranges)} of {total} layers: "
            f"{describe(found)}. The limits on average are {MOST_VALUE:g} and {MOST_POLICY:g}, and {LEAST_SAME:.0%}."
        )
    return Int8(
        ranges=dict(sorted(ranges.items())),
        weights=weights_fingerprint(checkpoint),
        positions=len(tested),
        differences=found,
        processor=processor,
        commit=commit,
    )


def find_ranges(checkpoint: Checkpoint, planes: Planes) -> dict[str, float]:
    """Return the range of each convolution of the body that rounds its inputs with the least squared error."""
    found: dict[str, float] = {}
    for layer, values in inputs_of_convolutions(checkpoint, planes).items():
        if layer.startswith("blocks."):
            sample = values.ravel()[:: max(1, values.size // _SAMPLE)]
            largest = max(float(values.max()), 1e-6)
            found[layer] = min((largest * float(share) for share in _SHARES), key=lambda top: _error(sample, top))
    return found


def _error(values: NDArray[np.float32], top: float) -> float:
    """Return the mean squared error of values that are rounded to 256 steps from 0 to `top`."""
    step = np.float32(top / 255.0)
    rounded = np.round(np.clip(values, 0.0, np.float32(top)) / step) * step
    return float(np.square(rounded - values).mean())


def compare(expected: tuple[Logits, Outcomes], found: tuple[Logits, Outcomes], legal: NDArray[np.bool_]) -> Differences:
    """Return the differences of evaluations of N positions with the legal actions `legal` [N, A]."""
    (logits, outcomes), (logits_found, outcomes_found) = expected, found
    values = np.abs((outcomes - outcomes_found) @ np.array([1.0, 0.0, -1.0], np.float32))
    policy, policy_found = _policy(logits, legal), _policy(logits_found, legal)
    distances = 0.5 * np.abs(policy - policy_found).sum(1)
    same = policy.argmax(1) == policy_found.argmax(1)
    return Differences(
        Difference(float(values.mean()), float(values.max())),
        Difference(float(distances.mean()), float(distances.max())),
        float(same.mean()),
    )


def _policy(logits: Logits, legal: NDArray[np.bool_]) -> NDArray[np.float32]:
    masked = np.where(legal, logits, -np.inf)
    shares = np.exp(masked - masked.max(1, keepdims=True))
    return shares / shares.sum(1, keepdims=True)


def _answers(evaluator: Evaluator, planes: Planes) -> tuple[Logits, Outcomes]:
    parts = [evaluate(evaluator, planes[first : first + _BATCH]) for first in range(0, len(planes), _BATCH)]
    return np.concatenate([logits for logits, _ in parts]), np.concatenate([outcomes for _, outcomes in parts])


def _evaluator(
    checkpoint: Checkpoint, ranges: Ranges, precision: str | None = None, *, streams: int = 1, threads: int = 1
) -> OpenVinoEvaluator:
    info = checkpoint.info
    return OpenVinoEvaluator(
        checkpoint.arrays,
        info.network,
        info.shapes,
        precision=precision,
        ranges=ranges,
        streams=streams,
        threads=threads,
        name=info.name,
    )


def check_processor() -> None:
    """Raise Unavailable if this processor has no fast and exact instructions for int8."""
    if not multiplies_int8():
        raise Unavailable("This processor has no instructions for int8 (VNNI or AMX); use the precision auto.")


def accepted_ranges(checkpoint: Checkpoint) -> Ranges:
    """Return the ranges with which a model was accepted in int8 with its present weights; none if it was not."""
    int8 = checkpoint.info.int8
    return int8.ranges if int8 and int8.weights == weights_fingerprint(checkpoint) else {}


def open_in_int8(checkpoint: Checkpoint, *, streams: int = 1, threads: int = 1) -> OpenVinoEvaluator:
    """Open an evaluator in int8.

    Args:
        checkpoint: a model that was accepted in int8.
        streams: number of batches that are evaluated at the same time.
        threads: CPU threads for each of these batches.

    Raises:
        BadModel: the model was not accepted in int8.
        Unavailable: this processor has no fast instructions for int8.
    """
    check_processor()
    ranges = accepted_ranges(checkpoint)
    if not ranges:
        raise BadModel(
            f"{checkpoint.info.name} was not checked in int8 with these weights; `ludus pack --int8` does so, or "
            "use the precision auto."
        )
    return _evaluator(checkpoint, ranges, streams=streams, threads=threads)


def open_fastest(checkpoint: Checkpoint, *, streams: int = 1, threads: int = 1) -> OpenVinoEvaluator:
    """Open an evaluator in int8 if the model was accepted in it and is measured to be faster, else in bf16 or f32."""
    floats = evaluator_of(checkpoint, streams=streams, threads=threads)
    ranges = accepted_ranges(checkpoint)
    if not ranges or not multiplies_int8():
        return floats
    int8 = _evaluator(checkpoint, ranges, streams=streams, threads=threads)
    return int8 if is_faster(int8, floats) else floats


def is_faster(one: Evaluator, other: Evaluator) -> bool:
    """Return whether `one` is faster than `other` by the factor `FASTER`, by the best of a few batches of each.

    Batches alternate, so that other programs slow both; the measurement takes at most `_TRIAL_S` and two batches.
    """
    lanes = [each.lane(_TRIAL_ROWS) for each in (one, other)]
    best = [float("inf"), float("inf")]
    until = time.perf_counter() + _TRIAL_S
    for trial in range(1 + _TRIALS):
        for number, lane in enumerate(lanes):
            begun = time.perf_counter()
            lane.submit(_TRIAL_ROWS)
            lane.answer()
            if trial:  # the first batch of a size is slow
                best[number] = min(best[number], time.perf_counter() - begun)
        if trial and time.perf_counter() > until:
            break
    return FASTER * best[0] < best[1]
