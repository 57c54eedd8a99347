"""The root of an exploring search: noise, temperature, forced playouts, and sequential halving."""

import math

import numpy as np
import pytest

import ludus
from ludus.search.gumbel import considered_visits
from ludus.search.settings import SearchSettings
from ludus.search.tree import EXPANDED

CONNECT4 = ludus.game("connect4")
MANY = 500  # trees with a random stream each


def roots(kit, visits=2, *, num_trees=MANY, game=CONNECT4, words=None, **settings):
    """Return the roots of many searches of one position."""
    group = kit.make_group(game, num_trees=num_trees, max_visits=visits, **settings)
    words = kit.words_after(game) if words is None else words
    return group, kit.search(group, [words] * num_trees, visits, explores=True)


def clean_priors(kit, game=CONNECT4, words=None):
    """Return the evaluator's priors by action [A]."""
    words = kit.words_after(game) if words is None else words
    (tree,) = kit.search(kit.make_group(game), [words], 1)
    return np.array([prior for _, prior in sorted(tree.edges)]) / 65535


def priors(tree):
    return np.array([prior for _, prior in sorted(tree.edges)]) / 65535  # [A]


# ---- noise and temperature -------------------------------------------------------------------------------------------


def test_noise_changes_the_priors_of_the_root_alone(kit):
    group = kit.make_group(CONNECT4)
    root = kit.words_after(CONNECT4)
    (tree,) = kit.search(group, [root], 150, explores=True)
    assert not np.allclose(priors(tree), clean_priors(kit))
    assert sum(prior for _, prior in tree.edges) == pytest.approx(65535, abs=7)
    kit.audit(group.trees, 0)
    for node in tree.walk():
        if node.kind == EXPANDED and node is not tree:
            (expected,) = kit.search(kit.make_group(CONNECT4), [np.array(node.words, np.uint64)], 1)
            assert dict(node.edges) == dict(expected.edges)


def test_a_search_that_does_not_explore_has_no_noise(kit):
    settings = {"noise_share": 1.0, "root_temperature": 2.0, "forced_playouts": 5.0}
    (found,) = kit.search(kit.make_group(CONNECT4, **settings), [kit.words_after(CONNECT4)], 100)
    (expected,) = kit.search(kit.make_group(CONNECT4), [kit.words_after(CONNECT4)], 100)
    assert found == expected
    gumbel = kit.make_group(CONNECT4, gumbel_actions=4)
    assert kit.search(gumbel, [kit.words_after(CONNECT4)], 100)[0] == expected


def test_noise_is_the_same_for_the_same_seed_only(kit):
    def noisy(seed):
        return roots(kit, 100, num_trees=1, seed=seed)[1][0]

    assert noisy(3) == noisy(3)
    assert noisy(3).edges != noisy(4).edges


@pytest.mark.parametrize(("share", "alpha"), [(0.4, 0.3), (1.0, 2.0)])
def test_noise_has_the_moments_of_a_dirichlet_distribution(kit, share, alpha):
    _, trees = roots(kit, noise_share=share, noise_alpha=alpha)
    noise = (np.stack(list(map(priors, trees))) - (1 - share) * clean_priors(kit)) / share  # [trees, A]
    assert (noise > -1e-4).all()
    assert np.allclose(noise.sum(axis=1), 1, atol=1e-3)
    assert noise.mean(axis=0) == pytest.approx(np.full(7, 1 / 7), abs=0.05)
    assert noise.std(axis=0) == pytest.approx(np.full(7, np.sqrt(6 / 49 / (1 + 7 * alpha))), rel=0.15)


@pytest.mark.parametrize("shaped", [0.5, 1.0])
def test_shaped_noise_prefers_the_more_likely_actions(kit, shaped):
    # KataGo: log(min(prior, 0.01)) above its mean has its share of the concentration; here on 300 small priors.
    words = kit.words_after(kit.hand_made, setup=kit.wide)
    clean, alpha = clean_priors(kit, kit.hand_made, words), 0.5
    logs = np.log(np.minimum(0.01, clean))
    above = np.maximum(0.0, logs - logs.mean())
    concentrations = np.maximum(1e-3, alpha * ((1 - shaped) + shaped * above / above.sum() * 300))
    _, trees = roots(
        kit, game=kit.hand_made, words=words, noise_share=1.0, noise_alpha=alpha, noise_shaped=shaped, num_trees=300
    )
    noise = np.stack(list(map(priors, trees)))  # [trees, A]
    expected = concentrations / concentrations.sum()
    spread = np.sqrt(expected * (1 - expected) / (1 + concentrations.sum()))
    errors = (noise.mean(axis=0) - expected) / (spread / np.sqrt(len(trees)) + 1e-5)
    assert np.abs(errors).max() < 5
    assert errors.std() < 1.3
    assert noise.std(axis=0) == pytest.approx(spread, rel=0.5, abs=1e-3)
    assert np.corrcoef(noise.std(axis=0), spread)[0, 1] > 0.9


def test_shaped_noise_of_likely_actions_alone_has_no_shape(kit):
    # Priors above 1 % count as 1 %, so that no action of Connect Four is more likely than another here.
    assert clean_priors(kit).min() > 0.01
    trees = [roots(kit, num_trees=20, noise_shaped=shaped)[1] for shaped in (0.0, 0.5)]
    assert trees[0] == trees[1]


@pytest.mark.parametrize("temperature", [0.1, 0.5, 1.3, 4.0])
def test_a_temperature_flattens_the_priors_of_the_root(kit, temperature):
    _, (tree,) = roots(kit, num_trees=1, noise_share=0.0, root_temperature=temperature)
    expected = clean_priors(kit) ** (1 / temperature)
    assert priors(tree) == pytest.approx(expected / expected.sum(), abs=2 / 65535)


def test_noise_is_drawn_anew_when_the_root_moves_on(kit):
    group = kit.make_group(CONNECT4, max_visits=300)
    (tree,) = kit.search(group, [kit.words_after(CONNECT4)], 100, explores=True)
    action = group.best(0)
    before = tree.child(action)
    group.play(0, action, np.array(before.words, np.uint64))
    (after,) = kit.search_on(group, [0], before.visits + 20, explores=True)
    kit.audit(group.trees, 0)
    assert dict(after.edges) != dict(before.edges)
    assert after.actions[: len(before.actions)] == before.actions, "visited actions keep their indices"
    unvisited = after.edges[len(after.children) :]
    assert unvisited[:1] == sorted(unvisited, key=lambda edge: edge[::-1], reverse=True)[:1]
    again = kit.search_on(group, [0], after.visits + 20, explores=True)[0]
    assert dict(again.edges) == dict(after.edges), "once for each root"


# ---- forced playouts -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("forced_playouts", [1.0, 2.0, 6.0])
def test_every_visited_action_has_its_forced_playouts(kit, forced_playouts):
    behind = []
    states = [kit.random_words(CONNECT4, seed) for seed in range(20)]
    group = kit.make_group(CONNECT4, num_trees=20, max_visits=300, forced_playouts=forced_playouts)
    for tree in kit.search(group, states, 300, explores=True):
        if tree.proof:
            continue
        behind.append(0)
        for prior, child in zip([prior for _, prior in tree.edges], tree.children, strict=False):
            if child.proof != 2 - tree.mover:
                missing = math.sqrt(forced_playouts * prior / 65535 * tree.visits) - child.visits
                assert missing < 1.5, (
                    "the number of forced visits grows with each visit, and one action at a time catches up"
                )
                behind[-1] += missing > 0.1
    assert np.mean(behind) < 1.0


# ---- Gumbel ----------------------------------------------------------------------------------------------------------


def published_sequence(considered, simulations):
    """Return the sequence of considered visits by the paper's algorithm (mctx)."""
    if considered <= 1:
        return list(range(simulations))
    rounds, sequence, visits, left = math.ceil(math.log2(considered)), [], [0] * considered, considered
    while len(sequence) < simulations:
        for _ in range(max(1, int(simulations / (rounds * left)))):
            sequence += visits[:left]
            visits[:left] = [count + 1 for count in visits[:left]]
        left = max(2, left // 2)
    return sequence[:simulations]


def test_the_table_of_considered_visits_is_the_published_one():
    for considered in (1, 2, 3, 4, 5, 7, 8, 9, 16, 17, 31, 32, 33, 64, 300):
        for simulations in (1, 2, 3, 10, 16, 31, 32, 50, 64, 100, 200, 399):
            found = [considered_visits(considered, simulations, number) for number in range(simulations)]
            assert found == published_sequence(considered, simulations)


@pytest.mark.parametrize(
    ("num_actions", "visits", "expected"),
    [
        (4, 33, [4, 4, 12, 12]),  # 32 simulations: 4 for each of four, then 8 for each of two
        (2, 9, [4, 4]),
        (7, 8, [1] * 7),
        (16, 4, [1, 1, 1]),
    ],
)
def test_visits_are_halved_as_in_the_paper(kit, num_actions, visits, expected):
    _, trees = roots(kit, visits, num_trees=20, gumbel_actions=num_actions)
    for tree in trees:
        assert tree.visits == visits
        assert sorted(tree.child_visits) == expected


def test_actions_are_sampled_from_the_priors_without_replacement(kit):
    clean = clean_priors(kit)
    group, trees = roots(kit, 4, num_trees=4 * MANY, gumbel_actions=3)
    orders = np.array([tree.actions for tree in trees])  # [trees, 3]: in the order of their draws
    first = np.bincount(orders[:, 0], minlength=7) / len(orders)
    assert first == pytest.approx(clean, abs=5 * np.sqrt(0.25 / len(orders)))
    second = np.zeros(7)
    for action in range(7):
        rest = np.where(np.arange(7) == action, 0.0, clean)
        second += clean[action] * rest / rest.sum()
    assert np.bincount(orders[:, 1], minlength=7) / len(orders) == pytest.approx(second, abs=0.055)
    scores = group.trees.gumbel[:, :3]
    assert (np.diff(scores, axis=1) <= 0).all()
    noise = scores[:, 0] - np.log(np.exp(np.log(clean)).sum())
    assert noise.mean() == pytest.approx(np.euler_gamma, abs=0.15), "the largest of all is Gumbel's again"


def test_a_search_by_halving_shows_no_noise(kit):
    _, trees = roots(kit, 30, num_trees=5, gumbel_actions=4, noise_share=1.0, root_temperature=3.0)
    for tree in trees:
        assert np.allclose(priors(tree), clean_priors(kit), atol=1e-9)


def test_a_root_with_fewer_actions_than_considered_is_searched_whole(kit):
    words = kit.words_after(kit.hand_made, setup=kit.corridor)
    (tree,) = kit.search(kit.make_group(kit.hand_made, gumbel_actions=16), [words], 30, explores=True)
    assert tree.child_visits == [29]


@pytest.mark.parametrize("leaves", [2, 8])
def test_several_leaves_leave_halving_nearly_as_it_is(kit, leaves):
    _, alone = roots(kit, 65, num_trees=10, gumbel_actions=4)
    group, trees = roots(kit, 65, num_trees=10, gumbel_actions=4, leaves=leaves)
    for g, (tree, expected) in enumerate(zip(trees, alone, strict=True)):
        kit.audit(group.trees, g)
        assert tree.visits == 65
        assert sorted(tree.actions) == sorted(expected.actions)
        assert np.abs(np.sort(tree.child_visits) - np.sort(expected.child_visits)).max() <= leaves


def test_a_proof_at_the_root_ends_halving(kit):
    words = kit.words_after(kit.hand_made, setup=kit.blunder)
    group = kit.make_group(kit.hand_made, gumbel_actions=3, num_trees=20)
    for g, tree in enumerate(kit.search(group, [words] * 20, 60, explores=True)):
        kit.audit(group.trees, g)
        assert tree.proof == 1
        assert tree.visits < 20
        assert group.best(g) == 1


def test_the_next_root_of_a_halved_search_is_searched_plainly(kit):
    group = kit.make_group(CONNECT4, gumbel_actions=4, max_visits=100)
    (tree,) = kit.search(group, [kit.words_after(CONNECT4)], 60, explores=True)
    assert int(group.trees.tree["considered"][0]) == 4
    child = max(tree.children, key=lambda each: each.visits)
    group.play(0, tree.actions[tree.children.index(child)], np.array(child.words, np.uint64))
    assert int(group.trees.tree["considered"][0]) == 0
    (after,) = kit.search_on(group, [0], 60)
    kit.audit(group.trees, 0)
    assert after.visits == 60


def test_invalid_settings_of_the_root_are_rejected_by_name():
    for key, value in {"gumbel_actions": -1, "root_temperature": 0.0, "forced_playouts": -1.0}.items():
        with pytest.raises(ValueError, match=key):
            SearchSettings(**{key: value})


def test_when_all_sampled_actions_are_proved_lost_another_one_is_sampled(kit):
    # The second player must stop three in column 0; two of seven actions are drawn.
    words = kit.words_after(CONNECT4, (0, 1, 0, 1, 0))
    group, trees = roots(kit, 1000, num_trees=60, words=words, gumbel_actions=2)
    drawn_without = 0
    for g, tree in enumerate(trees):
        kit.audit(group.trees, g)
        assert any(child.proof != 1 for child in tree.children)
        assert group.best(g) == 0
        drawn_without += int(group.trees.tree["considered"][g]) > 2
    assert drawn_without > 20
