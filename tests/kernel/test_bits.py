"""Bit tricks: machine code and plain Python count alike."""

import numpy as np
import pytest

from ludus.kernel import add_where, count_bits, entry, lowest_bit

WORDS = [1, 2, 0b1010_0000, 1 << 31, 1 << 32, 1 << 63, 2**64 - 1, 0x8000_0000_0001_0000]


@entry
def compiled_lowest_bit(word):
    return lowest_bit(word)


@entry
def compiled_count_bits(word):
    return count_bits(word)


@entry
def compiled_add_where(counts, first, word):
    add_where(counts, first, word, 3)


@pytest.mark.parametrize("word", WORDS)
def test_an_amount_is_added_where_the_bits_are(word):
    fast, plain = np.arange(80, dtype=np.int16), np.arange(80, dtype=np.int16)
    for first in (0, 7, 16):
        compiled_add_where(fast, first, np.uint64(word))
        add_where(plain, first, np.uint64(word), 3)
    assert fast.tolist() == plain.tolist()
    assert (plain - np.arange(80)).sum() == 9 * f"{word:b}".count("1")


@pytest.mark.parametrize("word", WORDS)
def test_machine_code_finds_the_same_bits_as_plain_python(word):
    assert compiled_lowest_bit(np.uint64(word)) == lowest_bit(np.uint64(word)) == (f"{word:b}"[::-1]).index("1")
    assert compiled_count_bits(np.uint64(word)) == count_bits(np.uint64(word)) == f"{word:b}".count("1")


def test_no_bits_are_none_in_both():
    assert compiled_count_bits(np.uint64(0)) == count_bits(np.uint64(0)) == 0
