"""Priors are the softmax of the logits to 16 bits, and the best ones are selected correctly."""

import numpy as np
import pytest

from ludus.kernel import entry, reference
from ludus.search.absorb import keep_edges
from ludus.search.children import new_child
from ludus.search.softmax import cut, exp_below_zero, fold_largest, fold_sum, set_priors
from ludus.search.tree import KEPT, make_trees


def trees_of(max_legal=300):
    dtype = np.dtype("uint8")
    return make_trees(
        1, np.zeros((2, 1, 1, 1), np.uint8), state_words=1, dtype=dtype, max_legal=max_legal, max_nodes=40
    )


def test_the_exponential_is_near_enough():
    for x in np.linspace(-12, 0, 500, dtype=np.float32):  # smaller values round to 0 in 16 bits
        assert float(exp_below_zero(x)) == pytest.approx(np.exp(float(x)), rel=3e-5)
    assert exp_below_zero(np.float32(0)) == 1
    assert 0 <= float(exp_below_zero(np.float32(-1e30))) < 1e-12
    assert float(exp_below_zero(np.float32(-np.inf))) < 1e-12


def test_lanes_are_folded_to_their_largest_and_their_sum():
    trees = trees_of()
    for seed in range(20):
        lanes = np.random.default_rng(seed).standard_normal(16).astype(np.float32)
        trees.lane[:] = lanes
        assert fold_largest(trees) == lanes.max()
        trees.lane[:] = lanes
        assert float(fold_sum(trees)) == pytest.approx(float(lanes.sum()), abs=1e-5)


@entry
def compiled_set_priors(trees, row, count, copies, logits):
    set_priors(trees, row, count, copies, logits)


@pytest.mark.parametrize("spread", [0.0, 1.0, 20.0, 1e4])
@pytest.mark.parametrize("count", [1, 2, 7, 15, 16, 17, 63, 64, 65, 300])
def test_priors_add_up_and_follow_the_logits(spread, count):
    rng, trees = np.random.default_rng(count), trees_of()
    for _ in range(5):
        actions = rng.permutation(400)[:count]
        trees.row_legal[1, :count] = actions
        trees.keys[:] = 99
        logits = (spread * rng.standard_normal((2, 400))).astype(np.float32)
        set_priors(trees, 1, count, 1, logits)
        keys = trees.keys[:count].copy()
        assert (keys & 0xFFFF).tolist() == actions.tolist()
        shifted = logits[1, actions].astype(np.float64) - float(logits[1, actions].max())
        np.testing.assert_allclose((keys >> 16) / 65535, np.exp(shifted) / np.exp(shifted).sum(), atol=4e-5)
        assert (keys >> 16).sum() / 65535 == pytest.approx(1, abs=count * 0.5 / 65535 + 1e-5)
        compiled_set_priors(reference(trees), 1, count, 1, logits)
        assert (trees.keys[:count] == keys).all(), "machine code and plain Python agree to the last bit"


def some_keys(rng, count, kind):
    """Return distinct keys like those of priors: all equal, falling steeply, mostly zero, or random."""
    actions = rng.permutation(500)[:count].astype(np.uint32)
    priors = {
        "alike": np.full(count, 65535 // count),
        "steep": (65535 * 0.5 ** np.arange(1, count + 1)).astype(int),
        "nothing": np.where(np.arange(count) == count // 2, 65535, 0),
        "anything": rng.integers(0, 65536, count),
    }[kind]
    return rng.permutation(priors).astype(np.uint32) << np.uint32(16) | actions


@pytest.mark.parametrize("kind", ["alike", "steep", "nothing", "anything"])
@pytest.mark.parametrize("count", [17, 18, 33, 64, 65, 128, 300])
def test_the_best_edges_are_kept_and_no_more_than_there_is_room_for(kit, kind, count):
    rng = np.random.default_rng(count)
    for _ in range(5):
        trees, keys = kit.plain(trees_of()), some_keys(rng, count, kind)
        trees.keys[:] = 0
        trees.keys[:count] = keys
        bound = cut(trees, count, KEPT)
        assert KEPT / 2 < (keys > bound).sum() <= KEPT
        new_child(trees, 0, 0, 0)
        trees.tree[0].num_edges = 3
        keep_edges(trees, 0, 0, count, KEPT)
        node = trees.node[0, 0]
        kept = trees.edge[0, 3 : 3 + int(node.kept)]
        assert (int(node.first_edge), int(node.num_edges), int(trees.tree[0].num_edges)) == (3, count, 3 + len(kept))
        assert KEPT / 2 < len(kept) <= KEPT
        assert sorted(kept.tolist()) == sorted(keys.tolist())[-len(kept) :]
        trees.tree[0].num_edges = 3
        keep_edges(trees, 0, 0, count, count)
        assert sorted(trees.edge[0, 3 : 3 + count]) == sorted(keys), "a root keeps all of them"
        assert trees.edge[0, 3] == keys.max(), "the best stands first"
