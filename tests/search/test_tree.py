"""Edges are packed without loss of what matters, and arenas are large enough for what is promised."""

import numpy as np
import pytest

from ludus.search.settings import SearchSettings
from ludus.search.tree import COUNTERS, edge_action, edge_prior, make_trees, order_edges, pack_edge


@pytest.mark.parametrize("action", [0, 1, 361, 32766])
@pytest.mark.parametrize("prior", [0.0, 1e-6, 0.25, 0.5, 1.0])
def test_an_edge_keeps_its_action_and_its_prior_to_16_bits(prior, action):
    edge = pack_edge(prior, action)
    assert edge_action(edge) == action
    assert edge_prior(edge) == pytest.approx(prior, abs=0.5 / 65535 + 1e-12)


def test_edges_compare_by_prior():
    assert pack_edge(0.5001, 0) > pack_edge(0.5, 32766) > pack_edge(0.5, 1) > pack_edge(0.0, 32766)


@pytest.mark.parametrize("count", [0, 1, 4, 10])
def test_the_largest_edges_come_to_the_front_in_order(count):
    for seed in range(20):
        edges = np.random.default_rng(seed).integers(0, 2**32, 10, dtype=np.uint32)
        ordered = edges.copy()
        order_edges(ordered, count)
        assert ordered[:count].tolist() == sorted(edges.tolist(), reverse=True)[:count]
        assert sorted(ordered.tolist()) == sorted(edges.tolist())


def test_memory_grows_with_what_is_asked_for_alone():
    def size(**changed):
        sizes = {"state_words": 2, "max_legal": 9, "max_nodes": 50, "batch": 4} | changed
        return sum(array.nbytes for array in make_trees(8, **sizes))

    assert size() < 8 * 50 * 200
    assert size(max_nodes=100) < 2.1 * size()
    assert size(cache_entries=1000) == pytest.approx(size() + 1024 * (8 + 2 + 8 + 2 * 9), abs=100), "a power of two"


def test_each_tree_has_a_random_stream_of_its_own():
    sizes = {"state_words": 1, "max_legal": 2, "max_nodes": 2, "batch": 1}
    streams = np.concatenate([make_trees(50, **sizes, seed=seed).stream for seed in (0, 1)])
    assert len(np.unique(streams)) == 100
    assert (make_trees(50, **sizes, seed=1).stream == streams[50:]).all()


def test_counters_have_a_place_each():
    assert len(make_trees(1, state_words=1, max_legal=1, max_nodes=1, batch=1).counter) == len(COUNTERS) == 5


def test_settings_reach_the_compiled_search():
    knobs = SearchSettings(cpuct=1, fpu_reduction=0, noise_share=1, noise_alpha=2, leaves=3).knobs
    assert knobs == (1.0, 0.0, 1.0, 2.0, 3)
    assert [type(each) for each in knobs] == [float, float, float, float, int], "one compiled search, not two"
