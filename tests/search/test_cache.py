"""The evaluation cache changes only the number of evaluations, can be invalidated, and is safe for threads."""

import threading

import numpy as np
import pytest

import ludus
from ludus.kernel import COMPILED, entry, kernel, reference
from ludus.search.cache import cache_key, make_cache, recall, remember
from ludus.search.random import hash_row, mix, uniform
from ludus.search.tree import KEPT

CONNECT4 = ludus.game("connect4")
HAMMERED = 500_000 if COMPILED else 300  # entries written and read by each thread


@pytest.mark.parametrize("leaves", [1, 8])
def test_the_cache_changes_only_the_number_of_evaluations(kit, leaves):
    states = [kit.random_words(CONNECT4, seed, most=4) for seed in range(4)]
    plain = kit.make_group(CONNECT4, num_trees=4, leaves=leaves)
    cached = kit.make_group(CONNECT4, num_trees=4, leaves=leaves, cache_entries=1 << 16)
    assert kit.search(plain, states, 200)[0].visits == 200
    expected = kit.search(plain, states, 200)
    found = kit.search(cached, states, 200)
    if leaves == 1:  # with more, a cached leaf returns its virtual loss at once, and the next walk goes elsewhere
        assert found == expected
    counters = cached.counters()
    assert counters["cache_hits"] > 0
    assert counters["evaluations"] == cached.evaluator.num_judged < plain.counters()["evaluations"] / 2
    assert counters["cache_hits"] + counters["evaluations"] + counters["terminals"] == counters["simulations"] == 800


def test_the_cache_keeps_values_to_the_last_bit(kit):
    class Odd(kit.hashed):
        def evaluate_states(self, game, words):
            logits, _ = super().evaluate_states(game, words)
            weights = np.exp(3 * logits[:, :3])
            return logits, weights / weights.sum(1, keepdims=True)

    states = [kit.random_words(CONNECT4, seed, most=4) for seed in range(8)]
    plain, cached = (
        kit.make_group(CONNECT4, Odd(CONNECT4), num_trees=8, max_visits=400, cache_entries=entries)
        for entries in (0, 1 << 16)
    )
    assert kit.search(plain, states, 400) == kit.search(cached, states, 400)
    assert cached.counters()["cache_hits"] > 50


def test_a_position_seen_before_is_not_evaluated_again(kit):
    state = kit.words_after(CONNECT4, [3, 3])
    group = kit.make_group(CONNECT4, cache_entries=1 << 16)
    first = kit.search(group, [state], 150)
    num_judged = group.evaluator.num_judged
    assert kit.search(group, [state], 150) == first
    assert group.evaluator.num_judged == num_judged


def test_groups_of_one_model_share_the_cache(kit):
    state, cache = kit.words_after(CONNECT4, [3, 3]), make_cache(1 << 16, KEPT)
    one, other = (kit.make_group(CONNECT4, cache=cache) for _ in range(2))
    assert kit.search(one, [state], 150) == kit.search(other, [state], 150)
    assert (one.evaluator.num_judged > 100, other.evaluator.num_judged) == (True, 0)


def test_new_weights_make_the_cache_forget_everything(kit):
    state = kit.words_after(CONNECT4, [3, 3])
    group = kit.make_group(CONNECT4, cache_entries=1 << 16)
    first = kit.search(group, [state], 150)
    for _ in range(3):
        before = group.evaluator.num_judged
        group.cache.forget()
        assert kit.search(group, [state], 150) == first
        assert group.evaluator.num_judged - before > 100
        before = group.evaluator.num_judged
        assert kit.search(group, [state], 150) == first
        assert group.evaluator.num_judged == before, "and the cache fills again"


def test_a_small_cache_forgets_but_never_confuses(kit):
    states = [kit.random_words(CONNECT4, seed) for seed in range(4)]
    expected = kit.search(kit.make_group(CONNECT4, num_trees=4), states, 200)
    assert kit.search(kit.make_group(CONNECT4, num_trees=4, cache_entries=8), states, 200) == expected


@pytest.mark.parametrize("explores", [False, True])
def test_a_cached_wide_root_serves_inner_nodes_and_other_roots(kit, explores):
    start = kit.words_after(kit.hand_made, setup=kit.wide)
    (first,) = kit.search(kit.make_group(kit.hand_made, max_visits=400), [start], 400)
    below = np.array(first.children[0].words, np.uint64)
    settings = {"max_visits": 400, "noise_share": 0.0}
    group = kit.make_group(kit.hand_made, cache_entries=1 << 12, **settings)
    for words in (below, start, below):
        (tree,) = kit.search(group, [words], 400, explores=explores)
        kit.audit(group.trees, 0)
        (expected,) = kit.search(kit.make_group(kit.hand_made, **settings), [words], 400, explores=explores)
        assert followed(tree) == followed(expected)


def followed(node):
    """Return the followed part of a subtree, without the edges that were kept but not followed."""
    return node.visits, node.value_sum, node.edges[: len(node.children)], [followed(child) for child in node.children]


def test_thousands_of_positions_have_keys_of_their_own(kit):
    group = kit.make_group(CONNECT4, num_trees=8, max_visits=1000)
    states = [kit.random_words(CONNECT4, seed) for seed in range(8)]
    positions = {node.words for tree in kit.search(group, states, 1000) for node in tree.walk()}
    assert len(positions) > 4000
    words = np.array(sorted(positions), np.uint64)[None]  # [1, N, W]
    with np.errstate(over="ignore"):
        keys = [int(hash_row(words, 0, index)) for index in range(len(positions))]
    assert len(set(keys)) == len(positions)
    assert 0 not in keys
    places = [key >> 1 & 0xFFFF for key in keys]  # a cache of 65536 entries
    expected = 65536 * (1 - np.exp(-len(places) / 65536))
    assert len(set(places)) == pytest.approx(expected, rel=0.02), "keys fill the cache evenly"


def test_keys_of_other_weights_are_other_keys():
    cache, position = make_cache(16, KEPT), np.uint64(0x0123456789ABCDEF)
    keys = set()
    with np.errstate(over="ignore"):
        for _ in range(100):
            keys.add(int(cache_key(cache, position)))
            cache.forget()
    assert len(keys) == 100
    assert all(key & 1 for key in keys), "no key equals that of an empty entry"


@pytest.mark.parametrize(("entries", "size"), [(0, 0), (1, 1), (2, 2), (3, 4), (1000, 1024), (1024, 1024)])
def test_entries_are_rounded_up_to_a_power_of_two(entries, size):
    cache = make_cache(entries, 7)
    assert len(cache.words) == size
    assert cache.nbytes == size * 4 * (6 + 7)


# ---- threads ---------------------------------------------------------------------------------------------------------


@kernel
def write_as_key_says(t, key):
    """Make the root of tree 0 a node in which every number is derived from `key`."""
    node = t.node[0, 0]
    node.first_edge = 0
    node.kept = 1 + int(key >> np.uint64(8)) % 16
    node.num_edges = int(node.kept) + int(key >> np.uint64(16)) % 50
    node.value = np.float32(int(key >> np.uint64(24)) % 1000)
    node.draw = np.float32(int(key >> np.uint64(34)) % 1000)
    for k in range(int(node.kept)):
        t.edge[0, k] = np.uint32(int(mix(key + np.uint64(k)) >> np.uint64(33)))


@kernel
def is_as_key_says(t, key):
    node = t.node[0, 0]
    right = int(node.kept) == 1 + int(key >> np.uint64(8)) % 16
    right = right and int(node.num_edges) == int(node.kept) + int(key >> np.uint64(16)) % 50
    right = right and float(node.value) == float(int(key >> np.uint64(24)) % 1000)
    right = right and float(node.draw) == float(int(key >> np.uint64(34)) % 1000)
    for k in range(int(node.kept)):
        right = right and int(t.edge[0, k]) == int(mix(key + np.uint64(k)) >> np.uint64(33))
    return right


@entry
def hammer(t, cache, stream, rounds, num_keys, write_share, counts):
    """Read and write random entries; add the numbers of hits and of wrong entries to `counts`."""
    for _ in range(rounds):
        key = mix(np.uint64(int(uniform(stream) * num_keys))) | np.uint64(1)
        t.tree[0].num_edges = 0
        if uniform(stream) < write_share:
            write_as_key_says(t, key)
            remember(cache, key, t, 0, 0)
        elif recall(cache, key, t, 0, 0) >= 0:
            counts[0] += 1
            counts[1] += 0 if is_as_key_says(t, key) else 1


@pytest.mark.parametrize(("entries", "num_keys"), [(1, 2), (8, 40), (256, 300)])
def test_threads_that_share_a_cache_never_read_half_an_entry(kit, entries, num_keys):
    cache = make_cache(entries, KEPT)
    groups = [kit.make_group(kit.hand_made) for _ in range(2)]
    for group in groups:
        group.new_tree(0, kit.words_after(kit.hand_made))
    counts = np.zeros((2, 2), np.int64)
    streams = np.arange(2, dtype=np.uint64)[:, None] + np.uint64(77)

    def work(worker):
        with np.errstate(over="ignore"):
            arguments = groups[worker].t, reference(cache), streams[worker], HAMMERED, num_keys
            hammer(*arguments, 0.3 + 0.6 * worker, counts[worker])

    if COMPILED:
        work(0)  # compiled
    threads = [threading.Thread(target=work, args=(worker,)) for worker in range(2)]
    for thread in threads:
        thread.start()
        if not COMPILED:  # plain Python has no instruction that swaps at once
            thread.join()
    for thread in threads:
        thread.join()
    found, wrong = counts.sum(axis=0)
    assert found > HAMMERED / 20
    assert wrong == 0
    assert not (cache.words[:, 0] & 1).any(), "no write is unfinished"
