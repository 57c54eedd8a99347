"""Memory becomes real where it is written."""

from pathlib import Path

import numpy as np

from ludus.players.pages import use_small_pages


def resident_bytes():
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096


def test_a_word_in_each_of_many_rows_makes_few_pages_real():
    array = np.zeros((64, 1 << 19), np.uint64)  # 64 rows of 4 MiB
    use_small_pages(array)
    before = resident_bytes()
    array[:, 0] = 1
    assert resident_bytes() - before < 8 << 20
    assert array.sum() == 64


def test_small_arrays_are_left_alone():
    array = np.arange(10)
    use_small_pages(array, array[:0])
    assert array.tolist() == list(range(10))
