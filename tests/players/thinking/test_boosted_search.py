"""A search whose evaluator boosts a class of actions visits these more, at the root and below."""

import numpy as np
import pytest

import ludus
from ludus.network.boost import BoostedEvaluator
from ludus.network.config import Shapes
from ludus.network.evaluator import UniformEvaluator
from ludus.players.thinking.group import Group
from ludus.players.thinking.thought import read_thought
from ludus.search.settings import SearchSettings

CONNECT4 = ludus.game("connect4")


def searched(evaluator, visits):
    """Search the start position and return the result."""
    group = Group(
        CONNECT4, evaluator, SearchSettings(cache_entries=0, policy_temperature=1.0), num_trees=1, max_visits=visits
    )
    group.new_tree(0, CONNECT4.start_state().view(np.uint64))
    group.set_target(0, visits)
    while group.step():
        pass
    return read_thought(group.trees, 0)


@pytest.mark.parametrize("action", [0, 5])
def test_a_boosted_action_has_its_prior_and_most_visits(action):
    plain = UniformEvaluator(Shapes.of(CONNECT4))
    before, after = searched(plain, 60), searched(BoostedEvaluator(plain, [action], 1.0), 60)
    priors = {each.action: each.prior for each in before.candidates}
    assert list(priors.values()) == pytest.approx([1 / 7] * 7, abs=1e-4)
    priors = {each.action: each.prior for each in after.candidates}
    assert priors.pop(action) == pytest.approx((1 / 7 + 1.0) / 2.0, abs=1e-4)
    assert list(priors.values()) == pytest.approx([1 / 7 / 2.0] * len(priors), abs=1e-4)
    visits = {each.action: each.visits for each in after.candidates}
    assert visits[action] > 2 * max(count for other, count in visits.items() if other != action)
    assert after.line[:3] == [action] * 3, "also below the root"
