"""The conditions that end a search, with constructed trees and times."""

import numpy as np
import pytest

import ludus
from ludus.network.config import Shapes
from ludus.network.evaluator import UniformEvaluator
from ludus.players.thinking.group import Group
from ludus.players.thinking.plan import AT_A_TIME, IDLE, PONDERS, RUNS, VISITS_PER_LEAF, make_plan, review, rouse
from ludus.search.settings import SearchSettings

CONNECT4 = ludus.game("connect4")
OPEN = np.inf


@pytest.fixture
def group():
    """Return a group of two trees that have searched the start with 100 visits."""
    evaluator = UniformEvaluator(Shapes.of(CONNECT4))
    group = Group(CONNECT4, evaluator, SearchSettings(cache_entries=0), num_trees=2, max_visits=500)
    for tree in range(2):
        group.new_tree(tree, CONNECT4.start_state().view(np.uint64))
        group.set_target(tree, 100)
    while group.step():
        pass
    return group


def planned(goal=1_000, deadline=OPEN, extension=0.0, halfway=OPEN, may_stop=0, started=0.0):
    """Return plans with one search, in tree 1."""
    plan = make_plan(2)
    plan["work"] = IDLE, RUNS
    for name, number in {
        "goal": goal,
        "deadline": deadline,
        "extension": extension,
        "halfway": halfway,
        "started": started,
        "may_stop": may_stop,
        "early": -2.0,
    }.items():
        plan[name] = number
    return plan


def over(group, plan, now=0.0, turn_s=0.0):
    found = np.zeros(2, np.int32)
    return found[: review(group.t, plan, found, now, turn_s)].tolist()


def give_children(group, visits, values):
    """Set visits and values (seen by the mover, player 0) of the first children of the root of tree 1."""
    child = group.trees.child[1]
    first = int(child[0]["first_child"])
    for k, (count, value) in enumerate(zip(visits, values, strict=True)):
        child["visits"][first + k] = count
        child["value_sum"][first + k] = count * value


def test_a_search_is_over_at_its_visits(group):
    assert over(group, planned(goal=101)) == []
    assert over(group, planned(goal=100)) == [1]


def test_a_search_is_over_if_another_turn_would_end_too_late(group):
    assert over(group, planned(deadline=10.0), now=9.0, turn_s=0.5) == []
    assert over(group, planned(deadline=10.0), now=9.0, turn_s=1.5) == [1]


def test_an_idle_tree_is_never_over_and_a_full_one_always(group):
    plan = planned()
    plan["work"] = PONDERS, IDLE
    assert over(group, plan) == []
    group.trees.tree["full"] = 1
    assert over(group, plan) == [0]
    assert over(group, planned()) == [1]


def test_pondering_ends_at_the_size_of_the_tree(group):
    plan, record, most = planned(), group.trees.tree, group.trees.node.shape[1]
    plan["work"] = PONDERS
    group.trees.child["visits"][:, 0] = most - 1, most
    assert over(group, plan) == [1]
    assert rouse(group.t, plan, PONDERS, 32, 8) == 2
    assert record["target"].tolist() == [most, most]


def test_a_proved_root_needs_no_search(group):
    group.trees.child["proof"][1, 0] = 1
    assert over(group, planned()) == [1]


def test_a_sure_search_gets_no_extension(group):
    give_children(group, [60, 10, 10, 10, 3, 3, 3], [0.5, 0.9, 0.1, 0.1, 0.1, 0.1, 0.1])  # 10 visits are too few
    assert over(group, planned(deadline=10.0, extension=5.0), now=10.0) == [1]


def test_a_better_action_with_fewer_visits_extends_the_search_once(group):
    give_children(group, [50, 30, 10, 3, 2, 2, 2], [0.5, 0.6, 0.1, 0.1, 0.1, 0.1, 0.1])
    plan = planned(deadline=10.0, extension=5.0)
    assert over(group, plan, now=10.0) == []
    assert over(group, plan, now=14.0) == []
    assert over(group, plan, now=15.0) == [1]


def test_an_extension_shorter_than_a_turn_is_ignored(group):
    give_children(group, [50, 30, 10, 3, 2, 2, 2], [0.5, 0.6, 0.1, 0.1, 0.1, 0.1, 0.1])
    assert over(group, planned(deadline=10.0, extension=0.2), now=9.8, turn_s=0.5) == [1]
    assert over(group, planned(deadline=10.0, extension=0.4), now=9.8, turn_s=0.5) == []


@pytest.mark.parametrize(("fall", "extends"), [(0.3, True), (0.05, False), (-0.3, False)])
def test_a_falling_value_extends_the_search(group, fall, extends):
    give_children(group, [70, 10, 10, 3, 2, 2, 2], 7 * [0.2])
    root = group.trees.child[1]
    plan = planned(deadline=10.0, extension=5.0, halfway=5.0)
    root["value_sum"][0] = 100 * 0.2
    assert over(group, plan, now=5.0) == []
    root["value_sum"][0] = 100 * (0.2 - fall)
    assert over(group, plan, now=10.0) == ([] if extends else [1])


def test_an_unassailable_lead_stops_a_search_that_may_stop(group):
    give_children(group, [70, 20, 2, 2, 2, 2, 1], 7 * [0.0])
    assert over(group, planned(goal=150, may_stop=1)) == [], "with 50 visits left, a lead of 50 can be equalled"
    assert over(group, planned(goal=149, may_stop=1)) == [1]
    assert over(group, planned(goal=149)) == []


def test_a_lead_is_compared_with_the_visits_possible_in_the_remaining_time(group):
    give_children(group, [70, 20, 2, 2, 2, 2, 1], 7 * [0.0])
    plan = planned(goal=10_000, deadline=100.0, may_stop=1)  # 100 visits in 60 s, so 66 in the last 40 s
    assert over(group, plan, now=60.0) == []
    assert over(group, plan, now=75.0) == [1]


def test_running_trees_get_targets_and_others_do_not(group):
    plan, record = planned(goal=300), group.trees.tree
    assert rouse(group.t, plan, RUNS, 32, 8) == 1
    assert record["target"].tolist() == [0, 300]
    plan["work"] = RUNS
    plan["goal"] = 5_000
    assert rouse(group.t, plan, RUNS, 32, 8) == 2
    assert record["target"].tolist() == [100 + AT_A_TIME, 100 + AT_A_TIME]


@pytest.mark.parametrize(
    ("visits", "fill", "leaves"),
    [(10_000, 32, 8), (10_000, 12, 6), (10_000, 1, 1), (VISITS_PER_LEAF, 32, 1), (3 * VISITS_PER_LEAF, 32, 3)],
)
def test_trees_share_the_batch_and_small_ones_have_few_leaves(group, visits, fill, leaves):
    plan = planned()
    plan["work"] = RUNS
    group.trees.child["visits"][:, 0] = visits
    assert rouse(group.t, plan, RUNS, fill, 8) == 2
    assert group.trees.tree["leaves"].tolist() == [leaves, leaves]


def test_pondering_trees_have_no_target_while_others_run(group):
    plan, record = planned(), group.trees.tree
    plan["work"] = PONDERS, RUNS
    assert rouse(group.t, plan, RUNS, 32, 8) == 1
    assert (record["target"] > 0).tolist() == [False, True]
    assert rouse(group.t, plan, PONDERS, 32, 8) == 1
    assert (record["target"] > 0).tolist() == [True, False]
