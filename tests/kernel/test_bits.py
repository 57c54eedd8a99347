"""Bit operations: machine code and plain Python give equal results."""

import numpy as np
import pytest

from ludus.kernel import above, count_bits, entry, largest, lowest_bit, write_bits, write_where

WORDS = [1, 2, 0b1010_0000, 1 << 31, 1 << 32, 1 << 63, 2**64 - 1, 0x8000_0000_0001_0000]


@entry
def compiled_lowest_bit(word):
    return lowest_bit(word)


@entry
def compiled_count_bits(word):
    return count_bits(word)


@entry
def compiled_above(keys, first, threshold):
    return above(keys, first, threshold)


@entry
def compiled_largest(keys, row, first, count):
    return largest(keys, row, first, count)


@entry
def compiled_write_where(row, first, word, value):
    write_where(row, first, word, value)


@entry
def compiled_write_bits(row, first, word):
    write_bits(row, first, word)


@pytest.mark.parametrize("first", [0, 20, 36])
@pytest.mark.parametrize("word", [0, *WORDS])
def test_bits_become_bytes(word, first):
    fences = np.arange(300, dtype=np.uint8)
    fast, plain = fences.copy(), fences.copy()
    compiled_write_bits(fast[100:200], first, np.uint64(word))
    write_bits(plain[100:200], first, np.uint64(word))
    expected = fences.copy()
    expected[100 + first : 164 + first] = [word >> bit & 1 for bit in range(64)]
    assert fast.tolist() == plain.tolist() == expected.tolist()


@pytest.mark.parametrize("first", [0, 1, 36, 37, 99])
@pytest.mark.parametrize("word", [0, *WORDS])
def test_a_value_is_written_where_the_bits_are_and_nowhere_else(word, first):
    fences = np.arange(300, dtype=np.uint8)  # memory around the row, which must not change
    fast, plain, wide = fences.copy(), fences.copy(), fences.astype(np.float32)
    compiled_write_where(fast[100:200], first, np.uint64(word), 255)
    for row in (plain, wide):
        write_where(row[100:200], first, np.uint64(word), 255)
    expected = fences.copy()
    expected[[100 + first + bit for bit in range(64) if word >> bit & 1 and first + bit < 100]] = 255
    assert fast.tolist() == plain.tolist() == wide.tolist() == expected.tolist()


@pytest.mark.parametrize("word", WORDS)
def test_machine_code_finds_the_same_bits_as_plain_python(word):
    assert compiled_lowest_bit(np.uint64(word)) == lowest_bit(np.uint64(word)) == (f"{word:b}"[::-1]).index("1")
    assert compiled_count_bits(np.uint64(word)) == count_bits(np.uint64(word)) == f"{word:b}".count("1")


def test_no_bits_are_none_in_both():
    assert compiled_count_bits(np.uint64(0)) == count_bits(np.uint64(0)) == 0


@pytest.mark.parametrize("first", [0, 64, 100])
def test_keys_above_a_threshold_are_bits(first):
    rng = np.random.default_rng(first)
    for spread in (1, 7, 40, 2**31, 2**32):
        keys = rng.integers(0, spread, 164, dtype=np.uint32)
        keys[[first, first + 63]] = 0, 2**32 - 1
        for threshold in (0, 1, int(keys[first + 5]), 2**31 - 1, 2**31, 2**32 - 2, 2**32 - 1):
            expected = sum(1 << bit for bit in range(64) if int(keys[first + bit]) > threshold)
            assert int(compiled_above(keys, first, threshold)) == int(above(keys, first, threshold)) == expected


@pytest.mark.parametrize("count", range(1, 17))
def test_the_largest_key_is_found_wherever_it_is(count):
    rng = np.random.default_rng(count)
    keys = rng.permutation(np.arange(2**32 - 120, 2**32, dtype=np.uint32)).reshape(3, 40)
    for first in (0, 3, 24):
        for at in range(count):
            row = keys.copy()
            row[1, first + at] = 2**32 - 1 if count % 2 else row[1, first : first + count].max()
            row[1, first + count :] = 2**32 - 1  # does not count
            expected = int(np.argmax(row[1, first : first + count]))
            assert compiled_largest(row, 1, first, count) == largest(row, 1, first, count) == expected
