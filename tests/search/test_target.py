"""Targets and choices of a finished search: proofs first, then visits, bounds, temperature, or Gumbel's policy."""

import math

import numpy as np
import pytest

import ludus
from ludus.search.settings import SearchSettings
from ludus.search.target import best_child, best_halved, sample_child, weigh_visits, write_policy

CONNECT4 = ludus.game("connect4")


def searched(kit, *, mover=0, visits=60, explores=True, seed=0, **settings):
    """Search a position of Connect Four; return the trees for plain Python, and the parameters."""
    group = kit.make_group(CONNECT4, max_visits=visits, seed=seed, fpu_reduction=-2.0, **settings)
    (tree,) = kit.search(group, [kit.words_after(CONNECT4, [3] * mover)], visits, explores=explores)
    assert len(tree.children) == 7
    return kit.plain(group.trees), SearchSettings(**settings).parameters(5000)


def children_of_root(trees):
    root = trees.child[0, 0]
    return trees.child[0, int(root.first_child) : int(root.first_child) + int(root.num_children)]


def rig(trees, *, visits, values=0.0, draws=0.0, priors=None, proofs=0):
    """Replace the root's search result; values are from the mover's perspective."""
    root, children = trees.child[0, 0], children_of_root(trees)
    children["visits"] = visits
    children["value_sum"] = np.asarray(values) * np.asarray(visits) * (1 - 2 * int(root.mover))
    children["draw_sum"] = np.asarray(draws) * np.asarray(visits)
    if priors is not None:
        children["prior"] = np.rint(65535 * np.asarray(priors))
    children["proof"] = proofs
    root.visits = 1 + children["visits"].sum()
    won, lost, known = 1 + int(root.mover), 2 - int(root.mover), set(children["proof"].tolist())
    whole = int(trees.node[0, 0].num_edges) == len(children)
    root.proof = won if won in known else (0 if 0 in known or not whole else 3 if 3 in known else lost)


def policy(trees, parameters):
    """Return the policy target by index of the child."""
    actions, weights = np.full(64, -1, np.int16), np.zeros(64, np.float32)
    end = write_policy(trees, 0, parameters, actions, weights, 5)
    assert (actions[:5] == -1).all()
    assert (actions[end:] == -1).all()
    first = int(trees.node[0, 0].first_edge)
    edges = (trees.edge[0, first : first + int(trees.node[0, 0].num_edges)] & 0xFFFF).tolist()
    assert (weights[5:end] > 0).all()
    return {
        edges.index(int(action)): float(weight) for action, weight in zip(actions[5:end], weights[5:end], strict=True)
    }


def draws_of(trees, parameters, temperature, count=2000):
    with np.errstate(over="ignore"):
        drawn = [sample_child(trees, 0, parameters, temperature) for _ in range(count)]
    return np.bincount(drawn, minlength=7)


# ---- proofs ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("mover", [0, 1])
@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"choice": "bound"},
        {"forced_playouts": 2.0},
        {"gumbel_actions": 16},
        {"forced_playouts": 2.0, "choice": "bound"},
    ],
    ids=str,
)
def test_proofs_take_precedence_over_visits(kit, settings, mover):
    trees, parameters = searched(kit, mover=mover, **settings)
    won, lost, rng = 1 + mover, 2 - mover, np.random.default_rng(mover)
    for _ in range(300):
        proofs = rng.choice([0, won, lost, 3], p=rng.dirichlet([2, 0.3, 2, 0.7]), size=7)
        rig(trees, visits=rng.integers(1, 60, 7), values=rng.uniform(-1, 1, 7), draws=0.0, proofs=proofs)
        for sound in ([won], [0, 3] if 0 in proofs else [3], [lost]):
            allowed = set(np.flatnonzero(np.isin(proofs, sound)).tolist())
            if allowed:
                break
        assert best_child(trees, 0, parameters) in allowed
        with np.errstate(over="ignore"):
            assert {sample_child(trees, 0, parameters, temperature) for temperature in (0.0, 1.0, 5.0)} <= allowed
        taught = policy(trees, parameters)
        assert sum(taught.values()) > 0
        if "gumbel_actions" not in settings or trees.child[0, 0].proof:
            assert taught.keys() <= allowed


@pytest.mark.parametrize("choice", ["visits", "bound"])
def test_a_drawn_root_plays_a_draw_and_a_lost_one_the_most_visited_action(kit, choice):
    trees, parameters = searched(kit, choice=choice)
    rig(trees, visits=[9, 3, 40, 5, 6, 7, 8], proofs=[2, 3, 2, 3, 2, 2, 2])
    assert policy(trees, parameters) == {1: 3, 3: 5}
    assert best_child(trees, 0, parameters) == 3
    rig(trees, visits=[9, 3, 40, 5, 6, 7, 8], proofs=2)
    assert policy(trees, parameters) == {0: 9, 1: 3, 2: 40, 3: 5, 4: 6, 5: 7, 6: 8}
    assert best_child(trees, 0, parameters) == 2


# ---- visits and temperature ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("temperature", [0.3, 1.0, 2.5])
def test_children_are_drawn_by_visits_and_temperature(kit, temperature):
    trees, parameters = searched(kit)
    visits = np.array([50, 1, 20, 40, 5, 10, 30])
    rig(trees, visits=visits)
    expected = visits ** (1 / temperature) / (visits ** (1 / temperature)).sum()
    assert draws_of(trees, parameters, temperature) / 2000 == pytest.approx(expected, abs=0.05)


@pytest.mark.parametrize("visits", [[400, 398, 399, 1, 1, 1, 1], [7, 8, 7, 7, 7, 7, 7]])
def test_without_temperature_the_most_visited_child_is_always_played(kit, visits):
    trees, parameters = searched(kit)
    rig(trees, visits=visits)
    assert draws_of(trees, parameters, 0.0, 300)[int(np.argmax(visits))] == 300


def test_the_policy_is_made_of_visits_and_the_best_has_most(kit):
    trees, parameters = searched(kit, choice="visits")
    visits = [3, 9, 2, 12, 1, 7, 12]
    rig(trees, visits=visits)
    assert policy(trees, parameters) == dict(enumerate(visits))
    assert best_child(trees, 0, parameters) == 3, "the first of two"


# ---- the lower confidence bound --------------------------------------------------------------------------------------


@pytest.mark.parametrize("mover", [0, 1])
def test_the_bound_is_for_the_outcome_from_the_movers_perspective(kit, mover):
    trees, parameters = searched(kit, mover=mover, choice="bound")
    rng = np.random.default_rng(1)
    differs = 0
    for _ in range(200):
        visits, values = rng.integers(5, 100, 7), rng.uniform(-0.4, 0.4, 7)
        draws = rng.uniform(0, 1 - np.abs(values))
        rig(trees, visits=visits, values=values, draws=draws)
        variance = np.maximum(0, 1 - draws - values**2)
        bounds = values - 1.96 * np.sqrt((variance + 1 / visits) / visits)
        bounds[10 * visits < visits.max()] = -np.inf
        assert best_child(trees, 0, parameters) == int(bounds.argmax())
        differs += int(bounds.argmax() != visits.argmax())
    assert differs > 50


def test_the_bound_prefers_the_better_of_two_children_with_many_visits(kit):
    trees, parameters = searched(kit, choice="bound")
    rig(trees, visits=[400, 390, 20, 1, 1, 1, 1], values=[0.1, 0.3, 0.99, 1, 1, 1, 1])
    assert best_child(trees, 0, parameters) == 1
    rig(trees, visits=[400, 390, 60, 1, 1, 1, 1], values=[0.1, 0.3, 0.99, 1, 1, 1, 1])
    assert best_child(trees, 0, parameters) == 2, "a tenth of the most visits is enough"


# ---- forced playouts are pruned --------------------------------------------------------------------------------------


def pruned(trees, parameters, forced_playouts, cpuct):
    """Remove visits one by one as in the paper: up to the forced ones, while the best child keeps the best score."""
    root, children = trees.child[0, 0], children_of_root(trees)
    sign = 1 - 2 * int(root.mover)
    visits = children["visits"].astype(int)
    values, shares = sign * children["value_sum"] / visits, children["prior"] / 65535
    best = int(visits.argmax())

    def score(k, count):
        return values[k] + cpuct * shares[k] * math.sqrt(int(root.visits)) / (1 + count)

    left = visits.copy()
    for k in range(len(children)):
        for _ in range(math.floor(math.sqrt(forced_playouts * shares[k] * int(root.visits))) if k != best else 0):
            if left[k] > 0 and score(k, left[k] - 1) <= score(best, visits[best]):
                left[k] -= 1
    left[(left <= 1) & (np.arange(len(left)) != best)] = 0
    return {k: count for k, count in enumerate(left.tolist()) if count}


@pytest.mark.parametrize("mover", [0, 1])
def test_forced_playouts_are_pruned_as_slowly_as_in_the_paper(kit, mover):
    trees, parameters = searched(kit, mover=mover, forced_playouts=2.0)
    rng, changed, gone = np.random.default_rng(5), 0, 0
    for _ in range(400):
        visits = rng.permutation([*rng.integers(1, 12, 6), 60])
        rig(trees, visits=visits, values=rng.uniform(-1, 0.6, 7), priors=rng.dirichlet(np.ones(7)))
        found = policy(trees, parameters)
        assert found == pruned(trees, parameters, 2.0, 2.0)
        assert found[int(visits.argmax())] == visits.max()
        changed += found != dict(enumerate(visits.tolist()))
        gone += len(found) < 7
    assert min(changed, gone) > 100


def test_a_hand_made_tree_is_pruned_as_calculated_by_hand(kit):
    trees, parameters = searched(kit, forced_playouts=2.0)
    rig(
        trees,
        visits=[70, 5, 5, 8, 8, 2, 1],  # 99 in all: the root has 100
        values=[0.5, -1.0, 0.4, 0.5, -1.0, 0.5, 0.5],
        priors=[0.3, 0.1, 0.1, 0.1, 0.25, 0.1, 0.05],
    )
    # The best scores 0.5 + 2 * 0.3 * 10 / 71 = 0.5845.  Forced are floor(sqrt(2 * prior * 100)): 4 of 0.1, 7 of 0.25.
    # 1: 5 - 4 = 1, which is none.  2: 2 / 0.1845 - 1 = 9.8, more than it has, so nothing is removed.  3: the same.
    # 4: 5 / 1.5845 - 1 = 2.2, so 3 are left.  5: 2 / 0.0845 - 1 = 22.7, nothing is removed.
    # 6: nothing is removed, but a single visit counts as none.
    assert policy(trees, parameters) == {0: 70, 2: 5, 3: 8, 4: 3, 5: 2}


def test_nothing_is_pruned_without_forced_playouts(kit):
    trees, parameters = searched(kit, explores=False, forced_playouts=2.0)
    visits = [70, 5, 5, 8, 8, 2, 1]
    rig(trees, visits=visits, values=[0.5, -1.0, 0.4, 0.5, -1.0, 0.5, 0.5])
    assert policy(trees, parameters) == dict(enumerate(visits))


def test_pruning_leaves_the_weights_in_place_for_the_choice(kit):
    trees, parameters = searched(kit, forced_playouts=2.0)
    rig(trees, visits=[70, 5, 5, 8, 8, 2, 1], values=[0.5, -1.0, 0.4, 0.5, -1.0, 0.5, 0.5], priors=[1 / 7] * 7)
    weigh_visits(trees, 0, parameters)
    assert set(np.flatnonzero(draws_of(trees, parameters, 1.0, 500)).tolist()) == set(np.flatnonzero(trees.weight[:7]))
    assert best_child(trees, 0, parameters) == 0


# ---- Gumbel ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("mover", [0, 1])
@pytest.mark.parametrize(("gumbel_visits", "gumbel_scale"), [(50.0, 1.0), (10.0, 0.2), (0.0, 0.05)])
def test_the_improved_policy_is_the_published_formula(kit, mover, gumbel_visits, gumbel_scale):
    for num_actions in (3, 7):
        settings = {"gumbel_visits": gumbel_visits, "gumbel_scale": gumbel_scale, "gumbel_actions": num_actions}
        group = kit.make_group(CONNECT4, max_visits=40, **settings)
        (tree,) = kit.search(group, [kit.words_after(CONNECT4, [3] * mover)], 40, explores=True)
        assert len(tree.children) == num_actions
        sign, prior = 1 - 2 * mover, np.array([prior for _, prior in tree.edges]) / 65535
        visits = np.zeros(7)
        visits[:num_actions] = tree.child_visits
        values = np.zeros(7)
        values[:num_actions] = [sign * child.value_sum / child.visits for child in tree.children]
        own, _ = kit.hashed(CONNECT4).value_and_draw(np.array(tree.words, np.uint64), mover)
        weighted = (prior * values)[visits > 0].sum() / prior[visits > 0].sum()
        mixed = (sign * own + visits.sum() * weighted) / (1 + visits.sum())
        completed = np.where(visits > 0, values, mixed)
        logits = np.log(prior) + (gumbel_visits + visits.max()) * gumbel_scale * (0.5 + 0.5 * completed)
        expected = np.exp(logits - logits.max()) / np.exp(logits - logits.max()).sum()
        found = policy(kit.plain(group.trees), SearchSettings(**settings).parameters(5000))
        assert found.keys() == set(np.flatnonzero(expected > 1e-4).tolist())
        assert list(found.values()) == pytest.approx(expected[expected > 1e-4], rel=1e-3)


@pytest.mark.parametrize("mover", [0, 1])
def test_the_improved_policy_teaches_no_action_that_is_proved_lost(kit, mover):
    trees, parameters = searched(kit, mover=mover, gumbel_actions=7, gumbel_visits=1.0, gumbel_scale=0.01)
    priors = [0.002, 0.988, 0.002, 0.002, 0.002, 0.002, 0.002]  # the first choice of all is lost
    rig(trees, visits=[9, 12, 9, 8, 8, 8, 8], priors=priors, proofs=[0, 2 - mover, *5 * [0]])
    first = int(trees.node[0, 0].first_edge)
    trees.edge[0, first : first + 7] = trees.edge[0, first : first + 7] & 0xFFFF | np.rint(
        65535 * np.array(priors)
    ).astype(np.uint32) << np.uint32(16)
    taught = policy(trees, parameters)
    assert set(taught) == {0, 2, 3, 4, 5, 6}
    assert sum(taught.values()) == pytest.approx(1.0, abs=1e-4)
    rig(
        trees,
        visits=[9, 12, 9, 8, 8, 8, 8],
        priors=priors,
        proofs=[2 - mover, 2 - mover, 2 - mover, 2 - mover, 0, 0, 0],
    )
    assert set(policy(trees, parameters)) == {4, 5, 6}


def test_the_improved_policy_teaches_actions_that_were_not_visited(kit):
    group = kit.make_group(CONNECT4, max_visits=10, gumbel_actions=2, gumbel_scale=0.01)
    kit.search(group, [kit.words_after(CONNECT4)], 10, explores=True)
    assert (
        len(policy(kit.plain(group.trees), SearchSettings(gumbel_actions=2, gumbel_scale=0.01).parameters(5000))) == 7
    )


def test_halving_plays_the_best_score_of_the_most_visited(kit):
    for seed in range(30):
        trees, parameters = searched(kit, gumbel_actions=7, seed=seed, gumbel_scale=0.1)
        children, scores = children_of_root(trees), trees.gumbel[0, :7]
        most = children["visits"].max()
        worth = scores + (50 + most) * 0.1 * (0.5 + 0.5 * children["value_sum"] / children["visits"])
        worth[children["visits"] < most] = -np.inf
        assert best_halved(trees, 0, parameters) == int(worth.argmax())
        with np.errstate(over="ignore"):
            assert {sample_child(trees, 0, parameters, temperature) for temperature in (0.0, 1.0, 9.0)} == {
                int(worth.argmax())
            }


def test_halving_never_plays_an_action_that_was_proved_lost_late(kit):
    trees, parameters = searched(kit, gumbel_actions=7)
    lost = [2, 0, 0, 0, 0, 0, 0]
    rig(trees, visits=[20, 9, 10, 8, 8, 10, 2], values=[-1, 0.5, -0.9, 0.9, 0, 0.4, 1], proofs=lost)
    assert best_halved(trees, 0, parameters) in (2, 5), "the most visits of those that are left"
    trees.gumbel[0, :7] = 0
    assert best_halved(trees, 0, parameters) == 5
