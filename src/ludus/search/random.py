"""Random numbers for compiled code: splitmix64 streams, and the Dirichlet noise built on them.

Source: Steele, Lea and Flood, "Fast splittable pseudorandom number generators" (2014); gamma variates by Marsaglia and
Tsang, "A simple method for generating gamma variables" (2000), with the usual boost for shapes below 1.
"""

import math

import numpy as np

from ludus.kernel import kernel

GAMMA = np.uint64(0x9E3779B97F4A7C15)
MIX_1, MIX_2 = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
S11, S27, S30, S31 = np.uint64(11), np.uint64(27), np.uint64(30), np.uint64(31)


@kernel
def mix(word: np.uint64) -> np.uint64:
    """Scramble 64 bits so that every input bit reaches every output bit."""
    word = (word ^ (word >> S30)) * MIX_1
    word = (word ^ (word >> S27)) * MIX_2
    return word ^ (word >> S31)


@kernel
def uniform(stream: np.ndarray) -> float:
    """Draw from [0, 1) and advance `stream`, a uint64 array of length 1."""
    stream[0] = np.uint64(stream[0]) + GAMMA
    return float(mix(np.uint64(stream[0])) >> S11) * (1.0 / 9007199254740992.0)


@kernel
def _normal(stream: np.ndarray) -> float:
    radius = math.sqrt(-2.0 * math.log(1.0 - uniform(stream)))
    return radius * math.cos(2.0 * math.pi * uniform(stream))


@kernel
def gamma_variate(stream: np.ndarray, shape: float) -> float:
    """Draw from the gamma distribution with the given shape (> 0) and scale 1."""
    boost = 1.0
    if shape < 1.0:
        boost = (1.0 - uniform(stream)) ** (1.0 / shape)
        shape += 1.0
    d = shape - 1.0 / 3.0
    c = 1.0 / math.sqrt(9.0 * d)
    while True:
        x = _normal(stream)
        v = 1.0 + c * x
        if v > 0.0:
            v = v * v * v
            if math.log(1.0 - uniform(stream)) < 0.5 * x * x + d * (1.0 - v + math.log(v)):
                return boost * d * v


@kernel
def hash_row(words: np.ndarray, g: int, index: int) -> np.uint64:
    """Hash the state `words[g, index]` of 64-bit words [G, N, W]; never 0, which marks an empty cache entry."""
    h = GAMMA
    for word in range(words.shape[2]):
        h = mix(h ^ np.uint64(words[g, index, word])) + GAMMA
    return h | np.uint64(1)
