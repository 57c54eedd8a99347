"""The policy temperature flattens a network's priors in play, but not those of heuristics."""

import numpy as np
import pytest

import ludus
from ludus.network.config import Shapes
from ludus.network.evaluator import TableLane
from ludus.players.judging.heuristic import PlayoutEvaluator
from ludus.players.thinking.group import Group
from ludus.players.thinking.thought import read_thought
from ludus.search.settings import SearchSettings

CONNECT4 = ludus.game("connect4")


class Network:
    """An evaluator of planes whose priors favour the first columns."""

    def lane(self, batch):
        logits = np.tile(-np.arange(CONNECT4.num_actions, dtype=np.float32) / 2, (batch, 1))
        return TableLane(Shapes.of(CONNECT4), batch, logits, np.tile(np.float32([0.4, 0.2, 0.4]), (batch, 1)))


class RuleOfThumb:
    """An evaluator of states with the same priors."""

    def evaluate_states(self, game, words):
        logits = np.tile(-np.arange(game.num_actions, dtype=np.float32) / 2, (len(words), 1))
        return logits, np.tile(np.float32([0.4, 0.2, 0.4]), (len(words), 1))


def thought(evaluator, temperature, visits=30):
    """Search the start position at this policy temperature and return the result."""
    search = SearchSettings(cache_entries=0, policy_temperature=temperature)
    group = Group(CONNECT4, evaluator, search, num_trees=1, max_visits=visits)
    group.new_tree(0, CONNECT4.start_state().view(np.uint64))
    group.set_target(0, visits)
    while group.step():
        pass
    return read_thought(group.trees, 0)


def priors(evaluator, temperature):
    """Return the prior of each visited action."""
    return {each.action: each.prior for each in thought(evaluator, temperature).candidates}


@pytest.mark.parametrize("temperature", [0.7, 1.0, 1.5, 3.0])
def test_priors_of_a_network_are_flattened_or_sharpened(temperature):
    weights = np.exp(-np.arange(7) / 2 / temperature)
    found = priors(Network(), temperature)
    assert len(found) > 3
    for action, prior in found.items():
        assert prior == pytest.approx(weights[action] / weights.sum(), abs=1e-3)


def test_a_search_of_one_visit_is_unaffected():
    network = Network()
    assert thought(network, 1.0, 1).best == thought(network, 4.0, 1).best


@pytest.mark.parametrize("judge", [RuleOfThumb, PlayoutEvaluator])
def test_evaluators_of_states_are_unaffected(judge):
    assert priors(judge(), 1.0) == priors(judge(), 3.0)
