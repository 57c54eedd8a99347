"""Two compiled steps: choices in positions drawn by hand, virtual loss, full arenas, the cache, noise at the root."""

import numpy as np
import pytest

import ludus
from ludus.network.config import Shapes
from ludus.network.evaluator import TableLane, UniformEvaluator
from ludus.search.random import hash_words
from ludus.search.tree import EXPANDED

TICTACTOE, CONNECT4 = ludus.game("tictactoe"), ludus.game("connect4")


def drawn(picture):
    """Return a position of tic-tac-toe as words; the player with fewer cells is to move."""
    cells = [".XO".index(cell) for cell in picture.replace("/", " ").split()]
    turn = 0 if cells.count(1) == cells.count(2) else 1
    return np.array([*cells, turn, *[0] * 6], np.uint8).view(np.uint64)


def most_visited(tree):
    return tree.actions[int(np.argmax(tree.child_visits))]


def think(kit, game, words, visits, **settings):
    group = kit.make_group(game, UniformEvaluator(Shapes.of(game)), max_visits=visits, **settings)
    return kit.search(group, [words], visits)[0]


# ---- what it finds ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("picture", "wins"),
    [("X X . / O O . / . . .", 2), ("X X . / O O . / X . .", 5), ("X O . / . X O / . . .", 8)],
    ids=["crosses", "noughts", "diagonal"],
)
def test_a_win_in_one_is_found_for_either_player(kit, picture, wins):
    tree = think(kit, TICTACTOE, drawn(picture), 300)
    assert most_visited(tree) == wins
    assert tree.child(wins).value_sum == (1 if tree.mover == 0 else -1) * tree.child(wins).visits
    assert tree.value_sum / tree.visits * (1 if tree.mover == 0 else -1) > 0.8


@pytest.mark.parametrize(
    ("picture", "saves"),
    [("X X . / . O . / . . .", 2), ("O O . / X . . / . . X", 2)],
    ids=["noughts defend", "crosses defend"],
)
def test_a_loss_in_one_is_avoided_by_either_player(kit, picture, saves):
    assert most_visited(think(kit, TICTACTOE, drawn(picture), 600)) == saves


def test_a_forced_draw_is_seen_as_one(kit):
    tree = think(kit, TICTACTOE, drawn("X O X / X O O / O X ."), 300)
    assert tree.value_sum / tree.visits == pytest.approx(0, abs=0.01)
    assert tree.draw_sum / tree.visits > 0.98


def test_perfect_play_from_the_empty_board_is_a_draw(kit):
    tree = think(kit, TICTACTOE, drawn(". . . / . . . / . . ."), 20_000)
    assert tree.value_sum / tree.visits == pytest.approx(0, abs=0.12)
    assert tree.draw_sum / tree.visits > 0.4


@pytest.mark.parametrize("player", [0, 1])
def test_a_player_who_moves_twice_is_not_negated(kit, player):
    root = kit.words_after(kit.hand_made, setup=kit.twice + 10 * player)
    tree = think(kit, kit.hand_made, root, 400)
    sign = 1 - 2 * player
    assert [tree.mover, tree.child(0).mover, tree.child(1).mover] == [player] * 3
    assert most_visited(tree) == most_visited(tree.child(1)) == 1
    assert sign * tree.value_sum / tree.visits > 0.8
    assert sign * tree.child(1).value_sum / tree.child(1).visits > 0.9
    assert tree.child(1).child(1).value_sum == sign * tree.child(1).child(1).visits
    assert tree.child(1).child(0).value_sum == -sign * tree.child(1).child(0).visits


def test_the_opponent_is_expected_to_choose_what_is_best_for_itself(kit):
    tree = think(kit, kit.hand_made, kit.words_after(kit.hand_made, setup=kit.blunder), 400)
    assert most_visited(tree) == 1
    blunder = tree.child(0)
    assert blunder.mover == 1
    assert most_visited(blunder) == 0, "player 1 takes the win, not the draw"
    assert blunder.value_sum / blunder.visits < -0.5


# ---- several leaves at once ------------------------------------------------------------------------------------------


def assert_settled(kit, tree, evaluator):
    """No virtual loss is left: every node is its own evaluation and the sum of its children."""
    for node in tree.walk():
        if node.kind != EXPANDED:
            continue
        value, draw = evaluator.value_and_draw(np.array(node.words, np.uint64), node.mover)
        assert node.visits == 1 + sum(node.child_visits)
        assert node.child_visits == [child.visits for child in node.children]
        assert node.child_value_sums == [child.value_sum for child in node.children]
        assert node.value_sum == value + sum(node.child_value_sums)
        assert node.draw_sum == draw + sum(child.draw_sum for child in node.children)


@pytest.mark.parametrize("leaves", [1, 2, 8, 32])
def test_virtual_loss_is_taken_back_completely(kit, leaves):
    evaluator = kit.hashed(CONNECT4)
    group = kit.make_group(CONNECT4, evaluator, num_trees=3, max_visits=500, leaves=leaves)
    states = [kit.random_words(CONNECT4, seed) for seed in range(3)]
    for tree in kit.search(group, states, 500):
        assert tree.visits == 500
        assert_settled(kit, tree, evaluator)
    assert not group.trees.tree["pending"].any()
    assert group.counters()["simulations"] == 1500


def test_a_search_of_several_leaves_finds_the_same_win(kit):
    assert most_visited(think(kit, TICTACTOE, drawn("X X . / O O . / . . ."), 300, leaves=8)) == 2


def test_walks_that_collide_are_withdrawn(kit):
    root = kit.words_after(kit.hand_made, setup=kit.corridor)
    evaluator = kit.hashed(kit.hand_made)
    group = kit.make_group(kit.hand_made, evaluator, max_visits=60, leaves=8)
    (tree,) = kit.search(group, [root], 40)
    assert_settled(kit, tree, evaluator)
    assert [node.visits for node in tree.walk()] == list(range(40, 0, -1))
    assert group.counters()["collisions"] == 38, "one for each evaluation below the root but the last"
    assert evaluator.num_judged == group.counters()["evaluations"] + 40 == 80


def test_trees_that_share_a_batch_do_not_disturb_each_other(kit):
    states = [kit.random_words(CONNECT4, seed) for seed in range(6)]
    together = kit.search(kit.make_group(CONNECT4, num_trees=6, leaves=4), states, 150)
    alone = [kit.search(kit.make_group(CONNECT4, leaves=4), [state], 150)[0] for state in states]
    assert together == alone


def test_a_sleeping_tree_is_left_alone(kit):
    group = kit.make_group(CONNECT4, num_trees=2)
    start = kit.words_after(CONNECT4)
    group.plant(0, start)
    group.plant(1, start)
    (tree,) = kit.search_on(group, [1], 30)
    assert (kit.read_tree(group.trees, 0).visits, tree.visits) == (0, 30)


# ---- memory ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("leaves", [1, 4])
def test_a_full_tree_stops_cleanly_and_can_still_choose(kit, leaves):
    evaluator = kit.hashed(CONNECT4)
    group = kit.make_group(CONNECT4, evaluator, max_visits=20, leaves=leaves)
    (tree,) = kit.search(group, [kit.words_after(CONNECT4)], 1000)
    assert group.trees.tree["full"][0] == 1
    assert 20 <= tree.visits < 1000
    assert_settled(kit, tree, evaluator)
    group.play(0, most_visited(tree), kit.words_after(CONNECT4, [most_visited(tree)]))
    assert kit.search_on(group, [0], 15)[0].visits >= 15, "a smaller tree has room again"


@pytest.mark.parametrize("visits", [5, 66, 140, 280, 600])
def test_a_wide_flat_tree_reaches_its_target(kit, visits):
    words = kit.words_after(kit.hand_made, setup=kit.wide)
    tree = think(kit, kit.hand_made, words, visits, fpu_reduction=-2)  # what was not tried looks best
    assert (tree.visits, len(tree.children)) == (visits, min(visits - 1, kit.width))


# ---- the cache -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("leaves", [1, 8])
def test_the_cache_changes_nothing_but_the_number_of_evaluations(kit, leaves):
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


def test_a_small_cache_forgets_but_never_confuses(kit):
    states = [kit.random_words(CONNECT4, seed) for seed in range(4)]
    expected = kit.search(kit.make_group(CONNECT4, num_trees=4), states, 200)
    assert kit.search(kit.make_group(CONNECT4, num_trees=4, cache_entries=8), states, 200) == expected


def test_thousands_of_positions_have_keys_of_their_own(kit):
    group = kit.make_group(CONNECT4, num_trees=8, max_visits=1000)
    states = [kit.random_words(CONNECT4, seed) for seed in range(8)]
    positions = {node.words for tree in kit.search(group, states, 1000) for node in tree.walk()}
    assert len(positions) > 4000
    with np.errstate(over="ignore"):
        keys = [int(hash_words(np.array(words, np.uint64))) for words in positions]
    assert len(set(keys)) == len(positions)
    assert 0 not in keys
    places = [key >> 1 & 0xFFFF for key in keys]  # a cache of 65536 entries
    expected = 65536 * (1 - np.exp(-len(places) / 65536))
    assert len(set(places)) == pytest.approx(expected, rel=0.02), "keys fill the cache evenly"


# ---- priors and noise ------------------------------------------------------------------------------------------------


def test_priors_are_the_softmax_of_the_legal_actions(kit):
    evaluator = kit.hashed(CONNECT4)
    words = kit.words_after(CONNECT4, [3, 3, 3, 3, 3, 3])  # the middle column is full
    (tree,) = kit.search(kit.make_group(CONNECT4, evaluator), [words], 1)
    logits, _ = evaluator.evaluate_states(CONNECT4, words[None])
    exact = {action: np.exp(logits[0, action]) for action in (0, 1, 2, 4, 5, 6)}
    assert {action: prior / 65535 for action, prior in tree.edges} == pytest.approx(
        {action: weight / sum(exact.values()) for action, weight in exact.items()}, rel=1e-3, abs=1e-5
    )
    assert tree.edges[0] == max(tree.edges, key=lambda edge: edge[1]), "the best stands first"


def test_priors_survive_logits_of_any_size(kit):
    class Sure:
        def lane(self, batch):
            rows = ([-300, 200, 900, 0, 0, 0, -900], [0.5, 0, 0.5])
            return TableLane(Shapes.of(CONNECT4), batch, *(np.tile(np.float32(row), (batch, 1)) for row in rows))

    group = kit.make_group(CONNECT4, Sure())
    (tree,) = kit.search(group, [kit.words_after(CONNECT4)], 1)
    assert sorted(tree.edges) == [(action, 65535 if action == 2 else 0) for action in range(7)]


def noisy(kit, *, seed=0, visits=1, share=0.25, alpha=0.3):
    group = kit.make_group(CONNECT4, seed=seed, noise_share=share, noise_alpha=alpha)
    return kit.search(group, [kit.words_after(CONNECT4)], visits, noise=True)[0]


def test_noise_changes_the_priors_of_the_root_alone(kit):
    group = kit.make_group(CONNECT4)
    root = kit.words_after(CONNECT4)
    (tree,) = kit.search(group, [root], 150, noise=True)
    (first_look,) = kit.search(kit.make_group(CONNECT4), [root], 1)
    assert dict(tree.edges) != dict(first_look.edges)
    assert sum(prior for _, prior in tree.edges) == pytest.approx(65535, abs=7)
    for node in tree.walk():
        if node.kind == EXPANDED and node is not tree:
            (expected,) = kit.search(kit.make_group(CONNECT4), [np.array(node.words, np.uint64)], 1)
            assert dict(node.edges) == dict(expected.edges)


def test_noise_is_the_same_for_the_same_seed_only(kit):
    assert noisy(kit, seed=3, visits=100) == noisy(kit, seed=3, visits=100)
    assert noisy(kit, seed=3, visits=100).edges != noisy(kit, seed=4, visits=100).edges


def test_noise_has_its_share_and_no_preference(kit):
    clean = dict(kit.search(kit.make_group(CONNECT4), [kit.words_after(CONNECT4)], 1)[0].edges)
    draws = [dict(noisy(kit, seed=seed, visits=2, share=0.4).edges) for seed in range(300)]
    for action in range(7):
        mixed = np.array([draw[action] for draw in draws]) / 65535
        noise = (mixed - 0.6 * clean[action] / 65535) / 0.4
        assert (noise > -1e-4).all()
        assert noise.mean() == pytest.approx(1 / 7, abs=0.05)
        assert noise.std() == pytest.approx(np.sqrt(6 / 49 / (1 + 7 * 0.3)), abs=0.05), "of Dirichlet(0.3, ...)"


def test_noise_is_drawn_anew_when_the_root_moves_on(kit):
    group = kit.make_group(CONNECT4, max_visits=300)
    (tree,) = kit.search(group, [kit.words_after(CONNECT4)], 100, noise=True)
    action = most_visited(tree)
    before = tree.child(action)
    group.play(0, action, np.array(before.words, np.uint64))
    (after,) = kit.search_on(group, [0], before.visits + 20, noise=True)
    assert dict(after.edges) != dict(before.edges)
    assert after.actions[: len(before.actions)] == before.actions, "visited actions keep their places"
    unvisited = after.edges[len(after.children) :]
    assert unvisited[:1] == sorted(unvisited, key=lambda edge: edge[::-1], reverse=True)[:1]
    again = kit.search_on(group, [0], after.visits + 20, noise=True)[0]
    assert dict(again.edges) == dict(after.edges), "once for each root"
