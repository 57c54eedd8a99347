"""Priors from logits: a softmax over legal actions in single precision, with identical bits on every machine.

For many actions, maxima and sums use 16 lanes, one vector register; plain Python adds in the same order.
"""

import numpy as np

from ludus.kernel import above, count_bits, kernel
from ludus.search.tree import Trees

# Single-precision constants: a Python float combined with a float32 would be computed in double precision.
ZERO, ONE, HALF, SIXTH = np.float32(0.0), np.float32(1.0), np.float32(0.5), np.float32(1 / 6)
TWENTYFOURTH, HUNDREDTWENTIETH = np.float32(1 / 24), np.float32(1 / 120)
INVERSE_64, LOWEST, FULL = np.float32(1 / 64), np.float32(-32.0), np.float32(65535.0)
LANES = 16
LEAST = np.float32(-3e38)
NONE, SIXTEEN = np.uint32(0), np.uint32(16)


@kernel
def exp_below_zero(x: np.float32) -> np.float32:
    """Return e^x for x <= 0 with a relative error of 3e-5, as taylor(x/64)^64."""
    y = max(x, LOWEST) * INVERSE_64
    p = ONE + y * (ONE + y * (HALF + y * (SIXTH + y * (TWENTYFOURTH + y * HUNDREDTWENTIETH))))
    p = p * p
    p = p * p
    p = p * p
    p = p * p
    p = p * p
    return p * p


@kernel
def set_priors(t: Trees, row: int, count: int, copies: int, logits: np.ndarray) -> None:
    """Write the softmax over the legal actions of a row into `t.keys` as packed edges.

    Args:
        t: the trees; `t.row_legal` contains the actions.
        row: index of a row of the batch.
        count: number of legal actions, at least 1.
        copies: rows starting at `row` that show the position under different symmetries; their logits are averaged.
        logits: logits of all actions.  # [B, A]
    """
    for k in range(count):
        t.weight[k] = logits[row, int(t.row_legal[row, k])]
    for copy in range(row + 1, row + copies):
        for k in range(count):
            t.weight[k] += logits[copy, int(t.row_legal[copy, k])]
    if copies > 1:
        share = ONE / np.float32(copies)
        for k in range(count):
            t.weight[k] *= share
    scale = FULL / (exponentiate_few(t, count) if count <= LANES else exponentiate_many(t, count))
    for k in range(count):
        t.keys[k] = np.uint32(t.weight[k] * scale + HALF) << SIXTEEN | np.uint32(t.row_legal[row, k])


@kernel
def exponentiate_few(t: Trees, count: int) -> np.float32:
    """Replace the logits in `t.weight` by exponentials scaled to a maximum of 1; return their sum."""
    top, total = t.weight[0], ZERO
    for k in range(1, count):
        top = max(top, t.weight[k])
    for k in range(count, LANES):
        t.weight[k] = LEAST
    for k in range(LANES):  # vector instructions, as the number is fixed and nothing is summed
        t.weight[k] = exp_below_zero(t.weight[k] - top)
    for k in range(count):
        total += t.weight[k]
    return total


@kernel
def exponentiate_many(t: Trees, count: int) -> np.float32:
    """Exponentiate as `exponentiate_few` does, for more logits than there are lanes."""
    padded = -(-count // LANES) * LANES
    for k in range(count, padded):
        t.weight[k] = LEAST
    for k in range(LANES):
        t.lane[k] = LEAST
    for first in range(0, padded, LANES):
        for k in range(LANES):  # a loop of fixed length compiles to one vector instruction
            t.lane[k] = max(t.lane[k], t.weight[first + k])
    top = fold_largest(t)
    for k in range(LANES):
        t.lane[k] = ZERO
    for first in range(0, padded, LANES):
        for k in range(LANES):
            t.weight[first + k] = exp_below_zero(t.weight[first + k] - top) if first + k < count else ZERO
            t.lane[k] += t.weight[first + k]
    return fold_sum(t)


@kernel
def fold_largest(t: Trees) -> np.float32:
    """Return the largest of the lanes."""
    for k in range(8):
        t.lane[k] = max(t.lane[k], t.lane[k + 8])
    for k in range(4):
        t.lane[k] = max(t.lane[k], t.lane[k + 4])
    return max(max(t.lane[0], t.lane[2]), max(t.lane[1], t.lane[3]))


@kernel
def fold_sum(t: Trees) -> np.float32:
    """Return the sum of the lanes."""
    for k in range(8):
        t.lane[k] += t.lane[k + 8]
    for k in range(4):
        t.lane[k] += t.lane[k + 4]
    return (t.lane[0] + t.lane[2]) + (t.lane[1] + t.lane[3])


@kernel
def cut(t: Trees, count: int, kept: int) -> int:
    """Return a threshold that more than `kept` / 2 and at most `kept` of the `count` keys in `t.keys` exceed.

    The keys must be distinct.
    """
    words, high = -(-count // 64), 0
    for k in range(count):
        high = max(high, int(t.keys[k]))
    for k in range(count, 64 * words):
        t.keys[k] = NONE
    low, middle = 0, high >> 1  # priors fall off steeply, so the search interval is halved
    while True:
        larger = 0
        for word in range(words):
            larger += count_bits(above(t.keys, 64 * word, middle))
        if larger > kept:
            low = middle
        elif 2 * larger > kept:
            return middle
        else:
            high = middle
        middle = (low + high) >> 1  # terminates, because the keys are distinct
