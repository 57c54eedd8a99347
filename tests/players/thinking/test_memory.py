"""A search stays within its memory limit, and memory is only used physically where it is written."""

from pathlib import Path

import numpy as np

import ludus
from ludus.network.config import Shapes
from ludus.network.evaluator import NullEvaluator
from ludus.players.thinking.memory import bytes_per_visit, use_small_pages, visits_within
from ludus.players.thinking.pool import Pool
from ludus.search.settings import SearchSettings


def test_a_pool_of_one_tree_stays_within_its_memory():
    game = ludus.game("connect4")
    visits = visits_within(game, 16)
    pool = Pool(game, NullEvaluator(Shapes.of(game)), SearchSettings(cache_entries=0), slots=1, max_visits=visits)
    assert 0.8 * 2**24 < pool.nbytes < 1.05 * 2**24


def test_larger_states_take_more_memory():
    assert bytes_per_visit(ludus.game("chess")) > bytes_per_visit(ludus.game("connect4")) > 100


def resident_bytes():
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096


def test_one_word_in_each_of_many_rows_uses_few_pages():
    array = np.zeros((64, 1 << 19), np.uint64)  # 64 rows of 4 MiB
    use_small_pages(array)
    before = resident_bytes()
    array[:, 0] = 1
    assert resident_bytes() - before < 8 << 20
    assert array.sum() == 64


def test_small_arrays_are_ignored():
    array = np.arange(10)
    use_small_pages(array, array[:0])
    assert array.tolist() == list(range(10))
