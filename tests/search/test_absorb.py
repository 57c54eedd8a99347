"""Evaluations become priors: of all edges at a root, of the best ones elsewhere, and of the rest when needed."""

import numpy as np
import pytest

import ludus
from ludus.network.config import Shapes
from ludus.network.evaluator import TableLane
from ludus.search.tree import EXPANDED, KEPT

CONNECT4 = ludus.game("connect4")


def test_priors_are_the_softmax_of_the_legal_actions(kit):
    evaluator = kit.hashed(CONNECT4)
    words = kit.words_after(CONNECT4, [3, 3, 3, 3, 3, 3])  # the middle column is full
    (tree,) = kit.search(kit.make_group(CONNECT4, evaluator), [words], 1)
    logits, _ = evaluator.evaluate_states(CONNECT4, words[None])
    exact = {action: np.exp(logits[0, action]) for action in (0, 1, 2, 4, 5, 6)}
    assert {action: prior / 65535 for action, prior in tree.edges} == pytest.approx(
        {action: weight / sum(exact.values()) for action, weight in exact.items()}, rel=1e-3, abs=1e-5
    )
    assert tree.edges[0] == max(tree.edges, key=lambda edge: edge[1]), "the best comes first"


def test_priors_survive_logits_of_any_size(kit):
    class Sure:
        def lane(self, batch):
            rows = ([-300, 200, 900, 0, 0, 0, -900], [0.5, 0, 0.5])
            return TableLane(Shapes.of(CONNECT4), batch, *(np.tile(np.float32(row), (batch, 1)) for row in rows))

    group = kit.make_group(CONNECT4, Sure())
    (tree,) = kit.search(group, [kit.words_after(CONNECT4)], 1)
    assert sorted(tree.edges) == [(action, 65535 if action == 2 else 0) for action in range(7)]


def test_values_are_turned_to_player_0(kit):
    class Winning:
        def lane(self, batch):
            rows = (np.zeros(7), [0.75, 0.125, 0.125])
            return TableLane(Shapes.of(CONNECT4), batch, *(np.tile(np.float32(row), (batch, 1)) for row in rows))

    for actions, value in (([], 0.625), ([3], -0.625)):
        (tree,) = kit.search(kit.make_group(CONNECT4, Winning()), [kit.words_after(CONNECT4, actions)], 1)
        assert (tree.value_sum, tree.draw_sum) == (value, 0.125)


def priors_of(kit, words):
    """Return the evaluator's priors for all actions of a position."""
    return dict(kit.search(kit.make_group(kit.hand_made), [words], 1)[0].edges)


def test_inner_nodes_keep_the_best_edges_until_more_are_wanted(kit):
    words = kit.words_after(kit.hand_made, setup=kit.wide)
    group = kit.make_group(kit.hand_made, max_visits=900, fpu_reduction=-2.0, cpuct=0.1)
    (tree,) = kit.search(group, [words], 900)
    assert len(tree.edges) == kit.width, "a root has them all"
    inner = [node for node in tree.walk() if node.kind == EXPANDED and node is not tree]
    narrow, widened = ([node for node in inner if (len(node.edges) == kit.width) == wide] for wide in (False, True))
    assert min(len(narrow), len(widened)) > 2
    assert group.counters()["widenings"] == len(widened)
    assert group.evaluator.num_judged == 900 + len(widened) == group.counters()["evaluations"]
    for node in (*narrow[:20], *widened):
        priors = priors_of(kit, np.array(node.words, np.uint64))
        best = sorted(priors.items(), key=lambda edge: edge[::-1], reverse=True)
        assert KEPT / 2 < len(node.edges) <= KEPT or node in widened
        assert sorted(node.edges) == sorted(best[: len(node.edges)])
        assert node.edges[: len(node.children)] == best[: len(node.children)], "visited in the order of their priors"
        assert len(node.children) > KEPT / 2 or node not in widened


def test_the_root_of_a_reused_tree_is_widened_only_to_be_explored(kit):
    words = kit.words_after(kit.hand_made, setup=kit.wide)
    for explores in (False, True):
        group = kit.make_group(kit.hand_made, max_visits=100)
        (tree,) = kit.search(group, [words], 60)
        (action, child) = max(zip(tree.actions, tree.children, strict=False), key=lambda pair: pair[1].visits)
        group.play(0, action, np.array(child.words, np.uint64))
        (after,) = kit.search_on(group, [0], 60, explores=explores)
        kit.audit(group.trees, 0)
        assert after.visits == 60
        assert (len(after.edges) == kit.width) == explores
        assert group.counters()["widenings"] == explores
