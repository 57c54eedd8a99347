"""Memory of trees: edges are packed precisely, blocks of children grow and are recycled, arenas have the right size."""

import numpy as np
import pytest

import ludus
from ludus.search.children import add_child, has_room, new_child
from ludus.search.edges import bring_best, edge_action, edge_prior, pack_edge
from ludus.search.tree import COUNTERS, KEPT, make_trees

CONNECT4 = ludus.game("connect4")


@pytest.mark.parametrize("action", [0, 1, 361, 32766])
@pytest.mark.parametrize("prior", [0.0, 1e-6, 0.25, 0.5, 1.0])
def test_an_edge_keeps_its_action_and_its_prior_to_16_bits(prior, action):
    edge = pack_edge(prior, action)
    assert edge_action(edge) == action
    assert edge_prior(edge) == pytest.approx(prior, abs=0.5 / 65535 + 1e-12)


def test_edges_compare_by_prior():
    assert pack_edge(0.5001, 0) > pack_edge(0.5, 32766) > pack_edge(0.5, 1) > pack_edge(0.0, 32766)


def trees_of(num_trees=1, *, batch=1, **sizes):
    sizes = {"state_words": 1, "max_legal": 40, "max_nodes": 30, "dtype": np.dtype("uint8")} | sizes
    return make_trees(num_trees, np.zeros((batch, 1, 1, 1), np.uint8), **sizes)


@pytest.mark.parametrize("count", [1, 2, KEPT - 1, KEPT, KEPT + 1, 40])
def test_the_largest_edge_comes_to_the_front(kit, count):
    trees = kit.plain(trees_of())
    for seed in range(20):
        edges = np.random.default_rng(seed).integers(0, 2**32, trees.edge.shape[1], dtype=np.uint32)
        edges[5 + int(seed % count)] = 0
        trees.edge[0] = edges
        bring_best(trees, 0, 5, count)
        assert trees.edge[0, 5] == edges[5 : 5 + count].max()
        assert sorted(trees.edge[0, 5 : 5 + count].tolist()) == sorted(edges[5 : 5 + count].tolist())
        assert (trees.edge[0, :5] == edges[:5]).all()
        assert (trees.edge[0, 5 + count :] == edges[5 + count :]).all()


def test_children_keep_their_order_while_their_blocks_grow(kit):
    trees = kit.plain(trees_of(max_nodes=200))
    trees.tree[0].num_children = 1
    new_child(trees, 0, 0, 0)
    trees.node[0, 0].num_edges = trees.node[0, 0].kept = 100
    rng, below = np.random.default_rng(0), {}
    parents = [0]
    for number in range(1, 150):
        parent = int(rng.choice(len(parents)))
        place = int(kit.places(trees, 0)[0][parent])
        node = int(trees.child[0, place].node)
        assert has_room(trees, 0, place, False)
        at = add_child(trees, 0, place, number)
        below.setdefault(node, []).append(number)
        new = int(trees.child[0, at].node)
        trees.node[0, new].num_edges = trees.node[0, new].kept = int(rng.integers(1, 40))
        parents = kit.places(trees, 0)[0]
        parents = [
            p for p in parents if trees.child[0, p].num_children < trees.node[0, int(trees.child[0, p].node)].kept
        ]
        parents = [int(np.flatnonzero(kit.places(trees, 0)[0] == p)[0]) for p in parents][:1] or [0]
        for at in kit.places(trees, 0)[0]:
            child = trees.child[0, int(at)]
            first, count = int(child.first_child), int(child.num_children)
            assert [int(each) for each in trees.child["prior"][0, first : first + count]] == below.get(
                int(child.node), []
            )


def test_memory_grows_only_with_the_requested_sizes():
    def size(**changed):
        return sum(array.nbytes for array in trees_of(8, **({"state_words": 2, "max_legal": 9} | changed)))

    assert size(max_nodes=50) < 8 * 50 * 250
    assert size(max_nodes=400) < 2.1 * size(max_nodes=200)


def test_each_tree_has_its_own_random_stream():
    streams = np.concatenate([trees_of(50, seed=seed).stream for seed in (0, 1)])
    assert len(np.unique(streams)) == 100
    assert (trees_of(50, seed=1).stream == streams[50:]).all()


def test_counters_have_a_place_each():
    assert len(trees_of().counter) == len(set(COUNTERS)) == 9


def test_records_of_walks_are_aligned_to_cache_lines():
    trees = trees_of(3, max_nodes=77)
    for records in (trees.child, trees.node, trees.tree):
        assert records.ctypes.data % 64 == 0
    assert trees.child.dtype.itemsize == 32, "two children fill a cache line"
    assert trees.states.dtype == np.uint8
    trees.states[2, 5, 3] = 7
    assert int(trees.words[2, 5, 0]) == 7 << 24, "states and words are the same memory"


def test_a_tree_of_the_promised_size_is_never_full(kit):
    for seed in range(6):
        state = kit.random_words(CONNECT4, seed, most=3)
        for visits in (2, 17, 120):
            group = kit.make_group(CONNECT4, max_visits=visits, leaves=1 + seed % 3, fpu_reduction=[-2, 0.2][seed % 2])
            (tree,) = kit.search(group, [state], visits)
            assert tree.visits == visits or tree.proof
            assert group.counters()["full_trees"] == 0
