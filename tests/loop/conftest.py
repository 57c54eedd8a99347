"""Fixtures: a run that takes a second, and lines of its records."""

import pytest

from ludus.arena.summary import MatchResult
from ludus.learner.losses import Losses
from ludus.learner.settings import LearnerSettings
from ludus.loop.directory.lines import Facts, GenerationMetrics
from ludus.loop.preset import MatchSettings, Preset
from ludus.network.config import NetworkSettings
from ludus.search.settings import SearchSettings
from ludus.selfplay.settings import SelfplaySettings


@pytest.fixture
def metrics():
    """Return a function that makes the metrics of a generation, with some fields changed."""

    def metrics(generation, **changed):
        facts = Facts(12, 60, 5.0, 0.5, 0.25, 0.0, 0.1, 0.9)
        numbers = dict.fromkeys(
            ("selfplay_s", "learner_s", "match_s", "seconds", "evaluator_share", "search_share", "fill"), 0.5
        )
        counts = dict.fromkeys(("evaluations", "simulations", "cache_hits"), 3)
        whole = {"generation": generation, "facts": facts, "losses": Losses(2.0, 1.0, 0.5, 8), "probe": None}
        return GenerationMetrics(**whole | numbers | counts | changed)

    return metrics


@pytest.fixture
def match():
    """Return a function that makes a match result."""

    def match(a="gen-0001", b="gen-0000"):
        return MatchResult(a, b, ["tictactoe"], 1, 2, 1, [0, 0, 2, 0, 0], [5, 6, 7, 8], [], 3.5, 40.0)

    return match


@pytest.fixture(scope="session")
def tiny():
    """Return a preset with two generations of tic-tac-toe and one worker, whose runs write equal bytes."""
    return Preset(
        name="tiny",
        games=["tictactoe"],
        generations=2,
        workers=1,
        deterministic=True,
        network=NetworkSettings(blocks=1, channels=8, head_channels=2),
        search=SearchSettings(cache_entries=256),
        selfplay=SelfplaySettings(games=12, first_games=16, parallel=6, visits=8, fast_visits=4),
        learner=LearnerSettings(batch=32, max_steps=8),
        match=MatchSettings(pairs=2, visits=4, opening_actions=2, previous=(1,), anchor_visits=6, anchor_every=1),
    )
