"""Measurements of self-play report correct shares and plausible rates."""

import subprocess
from pathlib import Path

import pytest

import ludus
from ludus.network.config import Shapes
from ludus.network.evaluator import UniformEvaluator
from ludus.players.thinking.group import cache_for
from ludus.search.settings import SearchSettings
from ludus.selfplay.measure import (
    commit_of,
    describe_machine,
    measure_deep_search,
    measure_first_search,
    measure_memory,
    measure_selfplay,
    measure_tree,
)
from ludus.selfplay.settings import SelfplaySettings
from ludus.selfplay.source import Source

CONNECT4 = ludus.game("connect4")


def assert_plausible(reading):
    assert reading.seconds >= 0.2
    assert reading.simulations_per_s > reading.evaluations_per_s > 0
    assert min(reading.evaluator_share, reading.search_share) > 0
    assert reading.evaluator_share + reading.search_share < 1 + 1e-9
    assert 0 < reading.batch_fill <= 1.1
    assert reading.games_in_flight > 0


def test_the_search_alone_is_measured():
    result = measure_tree(CONNECT4, parallel=8, visits=30, seconds=0.3)
    reading = result.reading
    assert_plausible(reading)
    assert result.simulations_per_cpu_s > reading.simulations_per_s / 2, "one thread searches, the other waits"
    assert (reading.workers, reading.cache_hit_share) == (1, 0)


def test_selfplay_with_two_workers_is_measured():
    source = Source(UniformEvaluator(Shapes.of(CONNECT4)), cache_for(CONNECT4, SearchSettings()))
    result = measure_selfplay(
        [CONNECT4],
        lambda _worker: source,
        SearchSettings(),
        SelfplaySettings(parallel=4, visits=8, fast_visits=4),
        workers=2,
        seconds=0.3,
    )
    assert_plausible(result.reading)
    assert result.games_per_hour > 0
    assert result.positions_per_s > 0
    assert 0 < result.reading.cache_hit_share < 1
    for word in ("evaluations/s", "cache hits", "full", "busy", "search", "games in flight"):
        assert word in str(result.reading), "the line shown to users"


def test_a_single_deep_search_is_measured():
    assert measure_deep_search(CONNECT4, leaves=4, visits=50, seconds=0.05) > 0


def test_the_memory_of_a_tree_is_counted():
    in_use, aside = measure_memory(CONNECT4, visits=100, trees=2)
    assert 32 + 20 + 8 * CONNECT4.state_words < in_use < aside < 1000, "a child, a node and a state at least"


def test_the_first_search_needs_no_network():
    measure_first_search(CONNECT4)


def test_the_machine_is_described():
    machine = describe_machine()
    assert machine.keys() == {"processor", "python", "commit", "date"}
    assert all(machine.values())


@pytest.fixture
def repository(tmp_path):
    """Return a repository with one commit, tagged `theirs`."""
    git = ["git", "-C", str(tmp_path), "-c", "user.name=a", "-c", "user.email=a@b"]
    for command in (["init", "-q"], ["commit", "-q", "--allow-empty", "-m", "one"], ["tag", "-m", "one", "theirs"]):
        subprocess.run([*git, *command], check=True)
    return tmp_path


@pytest.mark.parametrize(
    ("place", "commit"),
    [
        ("src/ludus", "theirs"),
        (".venv/lib/python3.11/site-packages/ludus", "unknown"),
        ("ludus/src/ludus", "unknown"),
        ("ludus", "unknown"),
    ],
)
def test_the_commit_is_that_of_our_own_checkout(repository, place, commit):
    package = repository / place
    package.mkdir(parents=True)
    assert commit_of(package) == commit


def test_a_package_at_the_root_of_the_disk_has_no_commit():
    assert commit_of(Path("/ludus")) == "unknown"
