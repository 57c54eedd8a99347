"""Shared words: swaps are atomic, and prefetching changes nothing."""

import threading

import numpy as np
import pytest

from ludus.kernel import COMPILED, entry, prefetch, read_first, read_first_again, swap_first, write_first


@entry
def compiled_read(words, row):
    return read_first(words, row), read_first_again(words, row)


@entry
def compiled_swap(words, row, old, new):
    return swap_first(words, row, old, new)


@entry
def compiled_write(words, row, value):
    write_first(words, row, value)


@entry
def compiled_prefetch(records, row, index):
    prefetch(records, row, index)
    return records[0, 0]


def table():
    return np.arange(5 * 7, dtype=np.uint32).reshape(5, 7)


@pytest.mark.parametrize("row", range(5))
def test_the_first_word_of_a_row_is_read_and_written_and_no_other(row):
    for write in (write_first, compiled_write):
        words, expected = table(), table()
        assert compiled_read(words, row) == (7 * row, 7 * row)
        assert int(read_first(words, row)) == int(read_first_again(words, row)) == 7 * row
        for value in (0, 2**31, 2**32 - 1):
            write(words, row, value)
            expected[row, 0] = value
            assert (words == expected).all()
            assert compiled_read(words, row) == (value, value)


@pytest.mark.parametrize("swap", [swap_first, compiled_swap])
def test_a_word_is_swapped_only_if_it_has_the_expected_value(swap):
    words, expected = table(), table()
    assert not swap(words, 2, 15, 99)
    assert (words == expected).all()
    assert swap(words, 2, 14, 2**32 - 1)
    expected[2, 0] = 2**32 - 1
    assert (words == expected).all()
    assert swap(words, 2, 2**32 - 1, 0)
    assert not swap(words, 2, 2**32 - 1, 0)


def test_prefetching_any_address_changes_nothing():
    records = np.arange(12.0).reshape(3, 4)
    before = records.copy()
    for row, index in ((0, 0), (2, 3), (3, 4), (-1, 0), (10_000_000, 7)):
        assert compiled_prefetch(records, row, index) == 0
        prefetch(records, row, index)
    assert (records == before).all()


@entry
def count_up(words, row, rounds):
    """Add 1 to a word `rounds` times, using only swaps."""
    for _ in range(rounds):
        done = False
        while not done:
            old = int(read_first(words, row))
            done = swap_first(words, row, old, old + 1)


def test_threads_that_swap_lose_nothing():
    words, rounds = np.zeros((2, 3), np.uint32), 200_000 if COMPILED else 50
    count_up(words, 0, 1)
    threads = [threading.Thread(target=count_up, args=(words, 1, rounds)) for _ in range(3)]
    for thread in threads:
        thread.start()
        if not COMPILED:  # plain Python has no instruction that swaps at once
            thread.join()
    for thread in threads:
        thread.join()
    assert words.tolist() == [[1, 0, 0], [3 * rounds, 0, 0]]
