"""Eight words side by side: machine code and plain Python compute the same in every lane."""

import numpy as np
import pytest

from ludus.kernel import entry, kernel, lanes_of, nonzero, spread, where

WORDS = np.array(
    [[0, 1, 2**63, 2**64 - 1, 5, 2**49 - 1, 2**32, 7], [3, 2**64 - 1, 1, 0, 2**63, 12345678901234567, 6, 7]], np.uint64
)
ONE = np.uint64(1)


@kernel
def words_of(lanes):
    """Return the words of lanes, read bit by bit, as a compiled function can return them."""
    found = np.zeros(8, np.uint64)
    for bit in range(64):
        there = nonzero(lanes >> np.uint64(bit) & ONE)
        for lane in range(8):
            found[lane] |= np.uint64(there >> lane & 1) << np.uint64(bit)
    return found


def and_(table):
    return words_of(lanes_of(table, 0) & lanes_of(table, 1))


def or_(table):
    return words_of(lanes_of(table, 0) | lanes_of(table, 1))


def add(table):
    return words_of(lanes_of(table, 0) + lanes_of(table, 1))


def sub(table):
    return words_of(lanes_of(table, 0) - lanes_of(table, 1))


def inverse(table):
    return words_of(~lanes_of(table, 0))


def word_for_all(table):
    return words_of(lanes_of(table, 0) + ONE)


def shifted(table):
    return words_of((lanes_of(table, 0) << np.uint64(3)) | lanes_of(table, 1) >> np.uint64(60))


def augmented(table):
    lanes = lanes_of(table, 0)
    lanes &= lanes_of(table, 1)
    lanes |= spread(np.uint64(8))
    lanes <<= ONE
    lanes -= ONE
    return words_of(lanes)


def chosen(table):
    return words_of(where(lanes_of(table, 0) & ONE, lanes_of(table, 1), spread(np.uint64(9))))


EXPECTED = {
    and_: lambda a, b: a & b,
    or_: lambda a, b: a | b,
    add: lambda a, b: a + b,
    sub: lambda a, b: a - b,
    inverse: lambda a, _: ~a,
    word_for_all: lambda a, _: a + 1,
    shifted: lambda a, b: a << 3 | b >> 60,
    augmented: lambda a, b: ((a & b | 8) << 1) - 1,
    chosen: lambda a, b: b if a & 1 else 9,
}


@pytest.mark.parametrize("function", EXPECTED, ids=lambda function: function.__name__)
def test_machine_code_and_plain_python_compute_the_same_in_each_lane(function):
    expected = [EXPECTED[function](int(a), int(b)) % 2**64 for a, b in WORDS.T]
    with np.errstate(over="ignore"):
        assert function(WORDS).tolist() == expected
    assert entry(function)(WORDS).tolist() == expected
