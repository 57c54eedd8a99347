"""The root's policy as a mean over symmetries: its values, when it is computed, and that it changes nothing else."""

import numpy as np
import pytest

import ludus
from ludus.games.game import Position
from ludus.players.thinking.group import Group
from ludus.search.settings import SearchSettings

GAMES = {name: ludus.game(name) for name in ("tictactoe", "connect4", "wallgame:classic:5x5")}


class Projection:
    """A network of one layer with random weights, which respects no symmetry."""

    def __init__(self, game):
        rng = np.random.default_rng(7)
        self.shape, self.weights = game.planes, rng.normal(0, 0.5, (int(np.prod(game.planes)), game.num_actions))

    def judge(self, planes):
        logits = planes.reshape(len(planes), -1).astype(np.float32) @ self.weights.astype(np.float32)
        return logits, np.tile(np.float32([0.5, 0.25, 0.25]), (len(planes), 1))

    def lane(self, batch):
        return ProjectionLane(self, batch)


class ProjectionLane:
    def __init__(self, network, batch):
        self.network, self.planes, self.count = network, np.zeros((batch, *network.shape), np.uint8), 0

    def submit(self, count):
        self.count = count

    def answer(self):
        return self.network.judge(self.planes[: self.count])


def make_group(game, symmetries, num_trees=1, **settings):
    search = SearchSettings(root_symmetries=symmetries, cache_entries=0, policy_temperature=1.0, **settings)
    return Group(game, Projection(game), search, num_trees=num_trees, max_visits=200)


def slow_mean(game, words, symmetries):
    """Return the softmax of the mean logits by action, computed from the rules alone."""
    state = np.array(words, np.uint64).view(game.dtype)
    actions = [int(action) for action in Position(game, state).actions]
    total = np.zeros(len(actions))
    for symmetry in range(symmetries):
        turned, planes = state.copy(), np.zeros((1, *game.planes), np.uint8)
        images = actions
        if symmetry:
            game.rules.symmetric_state(state, symmetry, turned)
            images = [int(game.rules.symmetric_action(state, symmetry, action)) for action in actions]
        game.rules.encode(turned, planes[0])
        total += Projection(game).judge(planes)[0][0, images]
    shares = np.exp(total / symmetries - (total / symmetries).max())
    return dict(zip(actions, shares / shares.sum(), strict=True))


def assert_priors(tree, expected):
    found = {action: prior / 65535 for action, prior in tree.edges}
    assert found.keys() == expected.keys()
    for action, prior in expected.items():
        assert found[action] == pytest.approx(prior, abs=1e-4)


def after(game, random_actions, seed):
    rng, position = np.random.default_rng(seed), game.start()
    for _ in range(random_actions):
        position = position.play(int(rng.choice(position.actions)))
    return game.for_search(position.state).view(np.uint64).copy()


@pytest.mark.parametrize("explores", [False, True])
@pytest.mark.parametrize("name", GAMES)
def test_the_policy_of_a_root_is_the_mean_over_symmetries(kit, name, explores):
    game = GAMES[name]
    for seed in range(3):
        words = after(game, seed, seed)
        group = make_group(game, game.num_symmetries, noise_share=0.0)
        (tree,) = kit.search(group, [words], 40, explores=explores)
        assert_priors(tree, slow_mean(game, words, game.num_symmetries))
        kit.audit(group.trees, 0)
        for child in tree.children:
            if child.edges and len(child.edges) == child.num_edges:
                assert_priors(child, slow_mean(game, child.words, 1))


def test_fewer_symmetries_may_be_asked_for_and_no_more_than_there_are_count(kit):
    game = GAMES["tictactoe"]
    words = after(game, 1, 5)
    for asked, used in ((1, 1), (3, 3), (8, 8), (50, 8)):
        (tree,) = kit.search(make_group(game, asked), [words], 20)
        assert_priors(tree, slow_mean(game, words, used))


def test_a_symmetric_position_gets_a_symmetric_policy(kit):
    game = GAMES["connect4"]
    words = kit.words_after(game, (3, 3))
    (plain,) = kit.search(make_group(game, 1), [words], 10)
    (mean,) = kit.search(make_group(game, 2), [words], 10)
    for tree, symmetric in ((plain, False), (mean, True)):
        priors = dict(tree.edges)
        assert all(abs(priors[column] - priors[6 - column]) <= 1 for column in range(3)) == symmetric


def test_a_root_that_was_reached_by_reuse_is_averaged_once_it_is_the_root(kit):
    game = GAMES["connect4"]
    group, position = make_group(game, 2), game.start()
    group.new_tree(0, after(game, 0, 0))
    for _ in range(4):
        words = position.state.view(np.uint64).copy()
        group.set_target(0, 60)
        judged = group.counters()["evaluations"]
        while group.step():
            pass
        tree = kit.read_tree(group.trees, 0)
        assert_priors(tree, slow_mean(game, words, 2))
        assert group.counters()["evaluations"] > judged
        for child, (_, prior) in zip(tree.children, tree.edges, strict=False):
            assert int(group.trees.child[0, child.place]["prior"]) == prior
        kit.audit(group.trees, 0)
        action = group.best(0)
        position = position.play(action)
        group.play(0, action, position.state.view(np.uint64).copy())


def test_many_trees_share_batches_that_hold_few_averages(kit):
    game, num_trees = GAMES["tictactoe"], 7
    search = SearchSettings(root_symmetries=8, cache_entries=0, policy_temperature=1.0)
    group = Group(game, Projection(game), search, num_trees=num_trees, max_visits=100, batch=9)
    words = [after(game, seed % 3, seed) for seed in range(num_trees)]
    for tree, seen in zip(kit.search(group, words, 30), words, strict=True):
        assert_priors(tree, slow_mean(game, seen, 8))


def test_an_evaluator_of_states_gets_no_symmetric_boards(kit):
    game = GAMES["connect4"]
    words = after(game, 3, 1)
    (plain,) = kit.search(kit.make_group(game), [words], 50)
    assert kit.search(kit.make_group(game, root_symmetries=2), [words], 50) == [plain]
