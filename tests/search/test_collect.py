"""Walks and batches: results in hand-made positions, several leaves per batch, depth and length limits."""

import numpy as np
import pytest

import ludus
from ludus.network.config import Shapes
from ludus.network.evaluator import UniformEvaluator
from ludus.search.tree import DEEPEST, TERMINAL

TICTACTOE, CONNECT4 = ludus.game("tictactoe"), ludus.game("connect4")
DRAW = 3


def drawn(picture):
    """Return a position of tic-tac-toe, given as a drawing, as words; the player with fewer marks is to move."""
    cells = [".XO".index(cell) for cell in picture.replace("/", " ").split()]
    turn = 0 if cells.count(1) == cells.count(2) else 1
    return np.array([*cells, turn, *[0] * 6], np.uint8).view(np.uint64)


def most_visited(tree):
    return tree.actions[int(np.argmax(tree.child_visits))]


def think(kit, game, words, visits, **settings):
    group = kit.make_group(game, UniformEvaluator(Shapes.of(game)), max_visits=visits, **settings)
    (tree,) = kit.search(group, [words], visits)
    kit.audit(group.trees, 0)
    return tree


# ---- search results --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("picture", "wins"),
    [("X X . / O O . / . . .", 2), ("X X . / O O . / X . .", 5), ("X O . / . X O / . . .", 8)],
    ids=["crosses", "noughts", "diagonal"],
)
def test_a_win_in_one_is_found_and_proved_for_either_player(kit, picture, wins):
    group = kit.make_group(TICTACTOE, UniformEvaluator(Shapes.of(TICTACTOE)), max_visits=300)
    (tree,) = kit.search(group, [drawn(picture)], 300)
    assert group.best(0) == wins
    assert tree.proof == 1 + tree.mover == tree.child(wins).proof
    assert tree.visits <= 10, "no visits are spent on a decided position"
    assert tree.value_sum == (1 if tree.mover == 0 else -1) * tree.visits


def test_without_proofs_a_win_in_one_is_found_and_visited_on(kit):
    group = kit.make_group(TICTACTOE, UniformEvaluator(Shapes.of(TICTACTOE)), max_visits=300, proofs=False)
    (tree,) = kit.search(group, [drawn("X X . / O O . / . . .")], 300)
    assert group.best(0) == 2
    assert (tree.proof, tree.visits) == (0, 300), "values of ends are averaged, without proofs"
    assert tree.child(2).value_sum == tree.child(2).visits


@pytest.mark.parametrize(
    ("picture", "saves"),
    [("X X . / . O . / . . .", 2), ("O O . / X . . / . . X", 2)],
    ids=["noughts defend", "crosses defend"],
)
def test_a_loss_in_one_is_avoided_by_either_player(kit, picture, saves):
    tree = think(kit, TICTACTOE, drawn(picture), 600)
    assert most_visited(tree) == saves
    lost = {action for action, child in zip(tree.actions, tree.children, strict=True) if child.proof == 2 - tree.mover}
    assert lost == set(tree.actions) - {saves}, "all other actions are proved lost"


def test_a_forced_draw_is_proved(kit):
    tree = think(kit, TICTACTOE, drawn("X O X / X O O / O X ."), 300)
    assert (tree.proof, tree.visits, tree.value_sum, tree.draw_sum) == (DRAW, 2, 0, 2)


def test_perfect_play_from_the_empty_board_is_a_draw(kit):
    tree = think(kit, TICTACTOE, drawn(". . . / . . . / . . ."), 20_000)
    assert tree.value_sum / tree.visits == pytest.approx(0, abs=0.12)
    assert tree.draw_sum / tree.visits > 0.4


@pytest.mark.parametrize("player", [0, 1])
def test_a_player_who_moves_twice_is_not_negated(kit, player):
    root = kit.words_after(kit.hand_made, setup=kit.twice + 10 * player)
    tree = think(kit, kit.hand_made, root, 400)
    assert [tree.mover, tree.child(0).mover, tree.child(1).mover] == [player] * 3
    assert tree.proof == tree.child(1).proof == tree.child(1).child(1).proof == 1 + player
    assert most_visited(tree) == most_visited(tree.child(1)) == 1
    assert tree.value_sum == (1 - 2 * player) * tree.visits


def test_the_opponent_chooses_its_own_best_action(kit):
    group = kit.make_group(kit.hand_made, UniformEvaluator(Shapes.of(kit.hand_made)), max_visits=400)
    (tree,) = kit.search(group, [kit.words_after(kit.hand_made, setup=kit.blunder)], 400)
    assert (tree.proof, group.best(0)) == (1, 1)
    blunder = tree.child(0)
    assert blunder.mover == 1
    assert blunder.proof in (0, 2), "player 1 takes the win, not the draw"


# ---- several leaves at once ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("leaves", [1, 2, 8, 32])
def test_virtual_loss_is_taken_back_completely(kit, leaves):
    group = kit.make_group(CONNECT4, num_trees=3, max_visits=500, leaves=leaves)
    states = [kit.random_words(CONNECT4, seed) for seed in range(3)]
    trees = kit.search(group, states, 500)
    for g, tree in enumerate(trees):
        kit.audit(group.trees, g)
        assert tree.visits == 500
        assert not any(node.in_flight for node in tree.walk())
    assert not group.trees.tree["pending"].any()
    assert group.counters()["simulations"] == 1500


def test_a_batch_holds_different_leaves_of_one_tree(kit):
    group = kit.make_group(CONNECT4, max_visits=500, leaves=8)
    kit.search(group, [kit.words_after(CONNECT4)], 100)
    group.set_target(0, 500)
    sizes = []
    while count := group.begin():
        rows, t = group.trees.row[:count], group.trees
        leaves = {int(t.path[int(rows["path"][row]), int(rows["depth"][row])]) for row in range(count)}
        assert len(leaves) == count
        sizes.append(count)
        kit.audit(t, 0)
        group.finish(count)
    assert np.mean(sizes) > 6


def test_a_search_of_several_leaves_finds_the_same_win(kit):
    group = kit.make_group(TICTACTOE, leaves=8)
    kit.search(group, [drawn("X X . / O O . / . . .")], 150)
    assert group.best(0) == 2
    kit.audit(group.trees, 0)


def test_walks_that_collide_are_withdrawn(kit):
    root = kit.words_after(kit.hand_made, setup=kit.corridor)
    evaluator = kit.hashed(kit.hand_made)
    group = kit.make_group(kit.hand_made, evaluator, max_visits=60, leaves=8)
    (tree,) = kit.search(group, [root], 40)
    kit.audit(group.trees, 0)
    assert [node.visits for node in tree.walk()] == list(range(40, 0, -1))
    assert evaluator.num_judged == group.counters()["evaluations"] == 40
    assert group.counters()["collisions"] == 39, "one for each evaluation except the last"


def test_trees_that_share_a_batch_do_not_disturb_each_other(kit):
    states = [kit.random_words(CONNECT4, seed) for seed in range(6)]
    together = kit.search(kit.make_group(CONNECT4, num_trees=6, leaves=4), states, 150)
    alone = [kit.search(kit.make_group(CONNECT4, leaves=4), [state], 150)[0] for state in states]
    assert together == alone


def test_a_batch_too_small_for_all_trees_serves_them_in_turn(kit):
    states = [kit.random_words(CONNECT4, seed) for seed in range(6)]
    expected = kit.search(kit.make_group(CONNECT4, num_trees=6), states, 150)
    group = kit.make_group(CONNECT4, num_trees=6, batch=4)
    for g, state in enumerate(states):
        group.new_tree(g, state)
        group.set_target(g, 150)
    for _ in range(60):
        assert 0 < group.step() <= 4
    visits = [kit.read_tree(group.trees, g).visits for g in range(6)]
    assert min(visits) > 30
    assert max(visits) < 2 * min(visits)
    assert kit.search_on(group, range(6), 150) == expected, "a shared batch does not change results"


def test_an_idle_tree_is_not_searched(kit):
    group = kit.make_group(CONNECT4, num_trees=2)
    start = kit.words_after(CONNECT4)
    group.new_tree(0, start)
    group.new_tree(1, start)
    (tree,) = kit.search_on(group, [1], 30)
    assert group.trees.child["visits"][0, 0] == 0
    assert tree.visits == 30


def test_a_finished_game_is_proved_at_its_root(kit):
    group = kit.make_group(TICTACTOE)
    (tree,) = kit.search(group, [drawn("X X X / O O . / . . .")], 30)
    assert (tree.kind, tree.proof, tree.visits, tree.value_sum) == (TERMINAL, 1, 1, 1)
    assert group.counters()["evaluations"] == 0


# ---- ends of a search ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("leaves", [1, 6])
def test_positions_at_the_length_cap_are_draws(kit, leaves):
    for left in (1, 2, 4):
        group = kit.make_group(CONNECT4, max_visits=300, leaves=leaves)
        group.new_tree(0, kit.random_words(CONNECT4, left, most=12), actions_left=left)
        (tree,) = kit.search_on(group, [0], 300)
        kit.audit(group.trees, 0)

        def check(node, depth, left=left):
            over = CONNECT4.rules.outcome(np.array(node.words, np.uint64).view(CONNECT4.dtype))
            assert depth <= left
            if depth == left or over:
                assert (node.kind, node.proof) == (TERMINAL, over or DRAW)
            for child in node.children:
                check(child, depth + 1)

        check(tree, 0)


def test_the_length_cap_moves_with_the_game(kit):
    group = kit.make_group(TICTACTOE, max_visits=2000)
    group.new_tree(0, kit.words_after(TICTACTOE), actions_left=5)
    actions = []
    for left in range(5, 0, -1):
        (tree,) = kit.search_on(group, [0], 2000)
        assert int(group.trees.tree["actions_left"][0]) == left
        assert max(len(line) for line in lines(tree)) <= left
        actions.append(group.best(0))
        group.play(0, actions[-1], kit.words_after(TICTACTOE, actions))
    assert kit.read_tree(group.trees, 0).proof in (1, DRAW)


def lines(node):
    """Yield the actions from a node to each leaf below it."""
    if not node.children:
        yield []
    for action, child in zip(node.actions, node.children, strict=False):
        yield from ([action, *line] for line in lines(child))


def test_proofs_respect_the_length_cap(kit):
    words = kit.words_after(kit.hand_made, setup=kit.twice)
    for left, proof in ((0, 1), (2, 1), (1, DRAW)):  # player 0 wins with its second action
        group = kit.make_group(kit.hand_made, max_visits=50)
        group.new_tree(0, words, actions_left=left)
        (tree,) = kit.search_on(group, [0], 50)
        assert tree.proof == (1 if left != 1 else DRAW) == proof


def test_walks_end_at_the_greatest_depth(kit):
    visits = DEEPEST + 200
    group = kit.make_group(kit.hand_made, max_visits=visits)
    group.new_tree(0, kit.words_after(kit.hand_made, setup=kit.endless))
    group.set_target(0, visits)
    while group.step():
        pass
    assert int(group.trees.tree["num_nodes"][0]) == DEEPEST + 1
    assert int(group.trees.child["visits"][0, 0]) == visits
    kit.audit(group.trees, 0, deepest=True)


# ---- memory ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("leaves", [1, 4])
def test_a_full_tree_stops_cleanly_and_can_still_choose(kit, leaves):
    group = kit.make_group(CONNECT4, max_visits=20, leaves=leaves)
    (tree,) = kit.search(group, [kit.words_after(CONNECT4)], 1000)
    assert group.trees.tree["full"][0] == 1
    assert group.counters()["full_trees"] == 1
    assert 20 <= tree.visits < 1000
    kit.audit(group.trees, 0)
    group.play(0, most_visited(tree), kit.words_after(CONNECT4, [most_visited(tree)]))
    assert kit.search_on(group, [0], 15)[0].visits >= 15, "a smaller tree has room again"
    kit.audit(group.trees, 0)


@pytest.mark.parametrize("visits", [5, 66, 140, 280, 600])
def test_a_wide_flat_tree_reaches_its_target(kit, visits):
    words = kit.words_after(kit.hand_made, setup=kit.wide)
    tree = think(kit, kit.hand_made, words, visits, fpu_reduction=-2)  # unvisited children look best
    assert (tree.visits, len(tree.children)) == (visits, min(visits - 1, kit.width))


@pytest.mark.parametrize("leaves", [1, 8, 40])
def test_edges_of_wide_positions_never_outgrow_their_arena(kit, leaves):
    settings = {"leaves": leaves, "fpu_reduction": -2.0, "cpuct": 500.0}  # as wide as can be: every node is widened
    group = kit.make_group(kit.hand_made, num_trees=2, max_visits=2000, **settings)
    trees = kit.search(group, [kit.words_after(kit.hand_made, setup=kit.wide)] * 2, 2000)
    for g, tree in enumerate(trees):
        kit.audit(group.trees, g)
        assert tree.visits > 1800
    assert group.counters()["widenings"] > 80
    assert trees[0] == trees[1]
