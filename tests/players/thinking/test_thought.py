"""Reading the result of a search from its tree: best move, candidates, main line, proofs, temperature."""

import numpy as np
import pytest

import ludus
from ludus.games.rules import DRAW, FIRST_WINS, SECOND_WINS
from ludus.network.config import Shapes
from ludus.network.evaluator import UniformEvaluator
from ludus.players.thinking.group import Group
from ludus.players.thinking.thought import read_thought
from ludus.search.settings import SearchSettings

CONNECT4 = ludus.game("connect4")


def searched(visits):
    """Return a group whose tree has searched the start with `visits` visits."""
    evaluator = UniformEvaluator(Shapes.of(CONNECT4))
    group = Group(CONNECT4, evaluator, SearchSettings(cache_entries=0), num_trees=1, max_visits=400)
    group.new_tree(0, CONNECT4.start_state().view(np.uint64))
    group.set_target(0, visits)
    while group.step():
        pass
    return group


@pytest.fixture
def group():
    """Return a group whose tree has searched the start with 400 visits."""
    return searched(400)


def paint(group, **columns):
    """Set visits, values (seen by player 0) or proofs of the root's children; return their actions."""
    t = group.trees
    root = t.child[0, 0]
    first, count = int(root["first_child"]), int(root["num_children"])
    first_edge = int(t.node[0, int(root["node"])]["first_edge"])
    assert count == 7
    for name, numbers in columns.items():
        for k, number in enumerate(numbers):
            child = t.child[0]
            if name == "value":
                child["value_sum"][first + k] = number * int(child["visits"][first + k])
            else:
                child[name][first + k] = number
    return [int(edge) & 0xFFFF for edge in t.edge[0, first_edge : first_edge + count]]


def test_candidates_are_sorted_by_visits(group):
    actions = paint(group, visits=[50, 90, 70, 60, 80, 10, 39], value=[0.1, 0.2, 0.3, 0.4, 0.5, 0.6, -0.7])
    thought = read_thought(group.trees, 0)
    assert [each.visits for each in thought.candidates] == [90, 80, 70, 60, 50, 39, 10]
    assert [each.action for each in thought.candidates] == [actions[k] for k in (1, 4, 2, 3, 0, 6, 5)]
    assert [each.value for each in thought.candidates] == pytest.approx([0.2, 0.5, 0.3, 0.4, 0.1, -0.7, 0.6], abs=1e-6)
    assert thought.best == [actions[1]]
    assert thought.visits == 400
    assert sum(each.prior for each in thought.candidates) == pytest.approx(1, abs=1e-3)


def test_a_won_action_is_best_even_with_few_visits(group):
    actions = paint(group, visits=[90, 1, 50, 50, 50, 50, 50], proof=[0, FIRST_WINS, 0, 0, 0, DRAW, SECOND_WINS])
    thought = read_thought(group.trees, 0, temperature=5.0, rng=np.random.default_rng(1))
    assert thought.best == thought.line[:1] == [actions[1]]
    assert thought.candidates[0].action == actions[0], "candidates are still sorted by visits"
    assert thought.candidates[-1].proof == FIRST_WINS


def test_a_lost_action_is_never_drawn(group):
    actions = paint(group, visits=[300, 1, 1, 1, 1, 1, 1], proof=[SECOND_WINS, 0, 0, 0, 0, 0, 0])
    rng = np.random.default_rng(1)
    drawn = {read_thought(group.trees, 0, temperature=1.0, rng=rng).best[0] for _ in range(100)}
    assert drawn == set(actions[1:])


def test_a_proved_draw_is_better_than_a_proved_loss(group):
    actions = paint(group, visits=[300, 1, 1, 1, 1, 1, 1], proof=[SECOND_WINS, *6 * [DRAW]])
    group.trees.child["proof"][0, 0] = DRAW
    thought = read_thought(group.trees, 0)
    assert thought.best[0] in actions[1:]
    assert thought.proof == DRAW


def test_temperature_draws_in_proportion_to_visits(group):
    actions = paint(group, visits=[200, 100, 50, 25, 0, 0, 0])
    rng = np.random.default_rng(1)
    drawn = [read_thought(group.trees, 0, temperature=1.0, rng=rng).best[0] for _ in range(1_500)]
    shares = [drawn.count(action) / 1_500 for action in actions]
    assert shares == pytest.approx([200 / 375, 100 / 375, 50 / 375, 25 / 375, 0, 0, 0], abs=0.04)


def test_the_caller_may_name_the_best_action(group):
    actions = paint(group, visits=[200, 100, 50, 25, 1, 1, 1])
    assert read_thought(group.trees, 0, best=actions[2]).best == [actions[2]]


@pytest.mark.parametrize("lines", [1, 3])
@pytest.mark.parametrize("how", ["named", "drawn"])
def test_the_best_move_has_its_line_even_with_few_visits(group, how, lines):
    actions = paint(group, visits=[200, 100, 50, 25, 2, 2, 2])
    drawn = {"temperature": 100.0, "rng": np.random.default_rng(1)} if how == "drawn" else {}
    for best in actions:
        thought = read_thought(group.trees, 0, best=best, lines=lines, **drawn)
        told = {each.action: each.line for each in thought.candidates if each.line}
        assert told[thought.best[0]] == thought.line
        assert lines <= len(told) <= lines + 1


def test_lines_are_omitted_unless_requested(group):
    assert not any(each.line for each in read_thought(group.trees, 0).candidates)


def test_the_main_line_can_be_played(group):
    thought = read_thought(group.trees, 0)
    position = CONNECT4.start()
    for action in thought.line:
        position = position.play(action)
    assert len(thought.line) >= 3


def test_the_best_move_of_an_unvisited_root_is_its_best_prior():
    thought = read_thought(searched(1).trees, 0)
    assert (len(thought.best), len(thought.candidates), thought.visits) == (1, 1, 1)
    assert thought.candidates[0].visits == 0
