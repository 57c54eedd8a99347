"""Priors from logits: a softmax over legal actions in single precision, the same bits on every machine.

Maxima and sums run in four lanes, since a chain of dependent additions would cost more than the exponentials.
"""

import numpy as np

from ludus.kernel import kernel

# Constants of single precision: a Python float beside an array's float32 would be computed in double precision.
ZERO, ONE, HALF, SIXTH = np.float32(0.0), np.float32(1.0), np.float32(0.5), np.float32(1 / 6)
TWENTYFOURTH, HUNDREDTWENTIETH = np.float32(1 / 24), np.float32(1 / 120)
INVERSE_64, LOWEST, FULL = np.float32(1 / 64), np.float32(-32.0), np.float32(65535.0)
SIXTEEN = np.uint32(16)


@kernel
def exp_below_zero(x: np.float32) -> np.float32:
    """Return e^x for x <= 0, to 3 parts in 100,000, as taylor(x/64)^64."""
    y = max(x, LOWEST) * INVERSE_64
    p = ONE + y * (ONE + y * (HALF + y * (SIXTH + y * (TWENTYFOURTH + y * HUNDREDTWENTIETH))))
    p = p * p
    p = p * p
    p = p * p
    p = p * p
    p = p * p
    return p * p


@kernel
def largest(values: np.ndarray, count: int) -> np.float32:
    """Return the largest of the first `count` values (one at least)."""
    a = b = c = d = values[0]
    whole = count - count % 4
    for k in range(0, whole, 4):
        a = values[k] if values[k] > a else a
        b = values[k + 1] if values[k + 1] > b else b
        c = values[k + 2] if values[k + 2] > c else c
        d = values[k + 3] if values[k + 3] > d else d
    for k in range(whole, count):
        a = values[k] if values[k] > a else a
    a = b if b > a else a
    c = d if d > c else c
    return c if c > a else a


@kernel
def total(values: np.ndarray, count: int) -> np.float32:
    """Return the sum of the first `count` values."""
    a = b = c = d = ZERO
    whole = count - count % 4
    for k in range(0, whole, 4):
        a += values[k]
        b += values[k + 1]
        c += values[k + 2]
        d += values[k + 3]
    for k in range(whole, count):
        a += values[k]
    return (a + b) + (c + d)


@kernel
def set_priors(edge: np.ndarray, logits: np.ndarray, scratch: np.ndarray) -> None:
    """Write the softmax of `logits` [A] over the actions of packed edges, which have no priors yet, into the edges."""
    count = edge.shape[0]
    for k in range(count):
        scratch[k] = logits[int(edge[k])]
    top = largest(scratch, count)
    for k in range(count):
        scratch[k] = exp_below_zero(scratch[k] - top)
    scale = FULL / total(scratch, count)
    for k in range(count):
        edge[k] |= np.uint32(scratch[k] * scale + HALF) << SIXTEEN
