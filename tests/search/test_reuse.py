"""Reuse keeps the subtree of the played action, whole and alone."""

import numpy as np
import pytest

import ludus
from ludus.search.tree import EXPANDED

CONNECT4 = ludus.game("connect4")


def without_indices(node):
    return node._replace(index=0, children=[without_indices(child) for child in node.children])


@pytest.mark.parametrize("leaves", [1, 8])
def test_the_subtree_of_the_played_action_is_kept_exactly(kit, leaves):
    for seed in range(5):
        group = kit.make_group(CONNECT4, max_visits=300, leaves=leaves)
        (tree,) = kit.search(group, [kit.random_words(CONNECT4, seed)], 300)
        for action, kept in zip(tree.actions, tree.children, strict=True):
            if kept.kind == EXPANDED and kept.visits > 20:
                group.play(0, action, np.array(kept.words, np.uint64))
                assert without_indices(kit.read_tree(group.trees, 0)) == without_indices(kept)
                break
        else:
            raise AssertionError("no subtree to keep")


def test_the_arenas_hold_nothing_but_the_subtree(kit):
    group = kit.make_group(CONNECT4, max_visits=300)
    (tree,) = kit.search(group, [kit.words_after(CONNECT4)], 300)
    group.play(0, 3, kit.words_after(CONNECT4, [3]))
    kept = list(kit.read_tree(group.trees, 0).walk())
    counts = group.trees.tree[0]
    assert sorted(node.index for node in kept) == list(range(int(counts["num_nodes"])))
    assert int(counts["num_edges"]) == sum(len(node.edges) for node in kept)
    assert int(counts["num_children"]) == sum(len(node.children) for node in kept)
    assert len(kept) < sum(1 for _ in tree.walk())


def test_parents_and_blocks_fit_after_reuse(kit):
    group = kit.make_group(CONNECT4, max_visits=300)
    kit.search(group, [kit.words_after(CONNECT4)], 300)
    group.play(0, 3, kit.words_after(CONNECT4, [3]))
    t = group.trees
    for index in range(1, int(t.tree["num_nodes"][0])):
        node = t.node[0, index]
        parent = t.node[0, int(node["parent"])]
        assert int(t.child["node"][0, int(parent["first_child"]) + int(node["ordinal"])]) == index
    assert int(t.node["parent"][0, 0]) == -1


def test_a_game_can_be_followed_to_its_end(kit):
    group = kit.make_group(CONNECT4, max_visits=80, leaves=4)
    position = CONNECT4.start()
    group.plant(0, position.state.view(np.uint64))
    while not position.outcome:
        (tree,) = kit.search_on(group, [0], 80)
        assert tree.words == tuple(map(int, position.state.view(np.uint64)))
        assert tree.visits >= 80
        assert sorted(action for action, _ in tree.edges) == position.actions
        action = tree.actions[int(np.argmax(tree.child_visits))]
        position = position.play(action)
        group.play(0, action, position.state.view(np.uint64))
    assert kit.read_tree(group.trees, 0).outcome == (
        3 if position.outcome.winner is None else 1 + position.outcome.winner
    )
