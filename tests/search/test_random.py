"""Random numbers in compiled code: they match the published sequence and have the right moments."""

import numpy as np
import pytest

from ludus.search.random import gamma_variate, hash_row, mix, uniform


@pytest.fixture(autouse=True)
def _words_overflow_on_purpose():
    with np.errstate(over="ignore"):
        yield


def test_splitmix64_gives_the_published_numbers():
    # The first outputs for the seed 1234567, as in Vigna's reference implementation.
    word, outputs = np.uint64(1234567), []
    for _ in range(5):
        word += np.uint64(0x9E3779B97F4A7C15)
        outputs.append(int(mix(word)))
    assert outputs == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]


def test_uniform_numbers_fill_the_unit_interval():
    stream = np.array([42], np.uint64)
    draws = np.array([uniform(stream) for _ in range(20_000)])
    assert 0 <= draws.min() < 0.001
    assert 0.999 < draws.max() < 1
    assert draws.mean() == pytest.approx(1 / 2, abs=0.01)
    assert draws.var() == pytest.approx(1 / 12, abs=0.003)
    assert np.corrcoef(draws[:-1], draws[1:])[0, 1] == pytest.approx(0, abs=0.03)


@pytest.mark.parametrize("shape", [0.05, 0.3, 1.0, 4.5])
def test_gamma_variates_have_the_moments_of_their_shape(shape):
    stream = np.array([7], np.uint64)
    draws = np.array([gamma_variate(stream, shape) for _ in range(15_000)])
    assert (draws >= 0).all()
    assert draws.mean() == pytest.approx(shape, rel=0.08)
    assert draws.var() == pytest.approx(shape, rel=0.15), "of scale 1"
    assert ((draws - shape) ** 3).mean() == pytest.approx(2 * shape, rel=0.5)


def test_a_hash_depends_on_every_word_and_its_place():
    def hashed(words):
        states = np.zeros((3, 5, len(words)), np.uint64)  # [G, N, W]: the state is surrounded by others
        states[2, 4] = words
        return int(hash_row(states, 2, 4))

    words = np.arange(6, dtype=np.uint64)
    hashes = {hashed(words)}
    for place in range(6):
        changed = words.copy()
        changed[place] ^= np.uint64(1 << 63)
        hashes.add(hashed(changed))
    hashes |= {hashed(words[::-1]), hashed(words[:-1])}
    assert len(hashes) == 9
    assert all(value & 1 for value in hashes), "0 marks an empty entry"
