"""Measurements report shares that add up and rates that mean something."""

import pytest

import ludus
from ludus.network.config import Shapes
from ludus.network.evaluator import UniformEvaluator
from ludus.search.settings import SearchSettings
from ludus.selfplay.measure import describe_machine, measure_first_search, measure_selfplay, measure_tree
from ludus.selfplay.settings import SelfplaySettings

CONNECT4 = ludus.game("connect4")


def assert_plausible(result):
    assert result.seconds >= 0.2
    assert result.simulations_per_s > result.evaluations_per_s > 0
    assert result.evaluator_share + result.search_share + result.rest_share == pytest.approx(1)
    assert min(result.evaluator_share, result.search_share) > 0
    assert 0 < result.batch_fill <= 1


def test_the_search_alone_is_measured():
    result = measure_tree(CONNECT4, parallel=8, visits=30, seconds=0.2)
    assert_plausible(result)
    assert (result.workers, result.cache_hit_share) == (1, 0)


def test_selfplay_with_two_workers_is_measured():
    settings = SelfplaySettings(parallel=4, visits=8, fast_visits=4)
    result = measure_selfplay(
        [CONNECT4],
        lambda _worker: UniformEvaluator(Shapes.of(CONNECT4)),
        SearchSettings(),
        settings,
        workers=2,
        seconds=0.3,
    )
    assert_plausible(result)
    assert result.games_per_hour > 0
    assert result.positions_per_s > 0
    assert 0 < result.cache_hit_share < 1


def test_the_first_search_needs_no_network():
    measure_first_search(CONNECT4)


def test_the_machine_is_described():
    machine = describe_machine()
    assert machine.keys() == {"processor", "python", "commit", "date"}
    assert all(machine.values())
