"""Tree reuse keeps exactly the subtree of the played action; a pruned tree keeps the nodes that were visited often."""

import numpy as np
import pytest

import ludus
from ludus.kernel import COMPILED
from ludus.network.config import Shapes
from ludus.network.evaluator import NullEvaluator
from ludus.search.cache import make_cache
from ludus.search.settings import SearchSettings
from ludus.search.tree import EXPANDED
from ludus.seeding import stream
from ludus.selfplay.game_batch import GameBatch
from ludus.selfplay.settings import SelfplaySettings
from ludus.selfplay.source import Quota, Source

CONNECT4 = ludus.game("connect4")
MOVES = 100_000 if COMPILED else 300  # of continued play
VISITS = 4_000 if COMPILED else 1_000  # of a tree with room for 400


def without_places(node):
    return node._replace(place=0, index=0, children=[without_places(child) for child in node.children])


@pytest.mark.parametrize("leaves", [1, 8])
def test_the_subtree_of_the_played_action_is_kept_exactly(kit, leaves):
    for seed in range(5):
        group = kit.make_group(CONNECT4, max_visits=300, leaves=leaves)
        (tree,) = kit.search(group, [kit.random_words(CONNECT4, seed)], 300)
        for action, kept in zip(tree.actions, tree.children, strict=True):
            if kept.kind == EXPANDED and kept.visits > 20:
                group.play(0, action, np.array(kept.words, np.uint64))
                assert without_places(kit.read_tree(group.trees, 0)) == without_places(kept)
                kit.audit(group.trees, 0)
                break
        else:
            raise AssertionError("no subtree to keep")


def test_the_arenas_contain_only_the_subtree(kit):
    group = kit.make_group(CONNECT4, max_visits=300)
    (tree,) = kit.search(group, [kit.words_after(CONNECT4)], 300)
    group.play(0, 3, kit.words_after(CONNECT4, [3]))
    kept = list(kit.read_tree(group.trees, 0).walk())
    counts = group.trees.tree[0]
    assert sorted(node.index for node in kept) == list(range(int(counts["num_nodes"])))
    assert int(counts["num_edges"]) == sum(len(node.edges) for node in kept)
    assert int(counts["num_children"]) == 1 + sum(len(node.children) for node in kept)
    assert (group.trees.free[0] == -1).all()
    assert len(kept) < sum(1 for _ in tree.walk())


def test_a_game_can_be_followed_to_its_end(kit):
    group = kit.make_group(CONNECT4, max_visits=80, leaves=4)
    position = CONNECT4.start()
    group.new_tree(0, position.state.view(np.uint64))
    while not position.outcome:
        (tree,) = kit.search_on(group, [0], 80)
        kit.audit(group.trees, 0)
        assert tree.words == tuple(map(int, position.state.view(np.uint64)))
        assert tree.visits >= 80 or tree.proof
        action = group.best(0)
        assert action in position.actions
        position = position.play(action)
        group.play(0, action, position.state.view(np.uint64))
    outcome = 3 if position.outcome.winner is None else 1 + position.outcome.winner
    assert kit.read_tree(group.trees, 0).proof == outcome


@pytest.mark.parametrize(
    "game", [CONNECT4, ludus.game("tictactoe"), ludus.game("gomoku:9x9")], ids=lambda game: game.name
)
@pytest.mark.parametrize("leaves", [1, 8])
def test_a_pruned_tree_is_half_empty_and_searches_on(kit, game, leaves):
    group, visits, pruned = kit.make_group(game, max_visits=400, leaves=leaves), 0, 0
    group.new_tree(0, kit.words_after(game))
    while visits < VISITS and not kit.read_tree(group.trees, 0).proof:
        (before,) = kit.search_on(group, [0], VISITS)
        if group.trees.tree["full"][0]:
            group.prune(0)
            pruned += 1
            after = kit.read_tree(group.trees, 0)
            assert 1 < sum(1 for _ in after.walk()) <= group.trees.node.shape[1] // 2
            assert [each._replace(place=0, index=0, children=[]) for each in (after, *after.children)] == [
                each._replace(place=0, index=0, children=[]) for each in (before, *before.children)
            ]
            kit.audit(group.trees, 0, pruned=True)
            assert before.visits > visits
        visits = before.visits
    assert pruned > (VISITS // 800 if game is not ludus.game("tictactoe") else 0)
    kit.audit(group.trees, 0, pruned=True)


@pytest.mark.full
@pytest.mark.parametrize("leaves", [1, 4])
def test_a_hundred_thousand_moves_of_play_leak_nothing(kit, leaves):
    """Every node, edge and block is accounted for during long self-play in the same trees."""
    played, seen = 0, 0

    def count(samples):
        nonlocal played
        played += len(samples)

    game_batch = GameBatch(
        [CONNECT4],
        Source(NullEvaluator(Shapes.of(CONNECT4)), make_cache(0, 7)),
        SearchSettings(leaves=leaves, cache_entries=0),
        SelfplaySettings(parallel=32, visits=24, fast_visits=8, full_share=0.3),
        Quota(1 << 40),
        count,
        stream(leaves, "a long time"),
        1.0,
    )
    trees = game_batch.group.trees
    while played < MOVES:
        assert game_batch.turn()
        if played >= seen:
            seen += MOVES // 40
            for g in range(32):
                kit.audit(trees, g, inexact=1e-5)
    assert not trees.tree["full"].any()
    assert game_batch.group.counters()["full_trees"] == 0
    game_batch.leave()
