"""A run that takes a second, and what one wants to know about its directory."""

import pytest

from ludus.learner.settings import LearnerSettings
from ludus.loop.preset import MatchSettings, Preset
from ludus.network.config import NetworkSettings
from ludus.search.settings import SearchSettings
from ludus.selfplay.settings import SelfplaySettings


@pytest.fixture(scope="session")
def tiny():
    """Two generations of tic-tac-toe with one worker, so that every run of it writes the same bytes."""
    return Preset(
        name="tiny",
        games=["tictactoe"],
        generations=2,
        workers=1,
        network=NetworkSettings(blocks=1, channels=8, head_channels=2),
        search=SearchSettings(cache_entries=256),
        selfplay=SelfplaySettings(games=12, first_games=16, parallel=6, visits=8, fast_visits=4),
        learner=LearnerSettings(batch=32, max_steps=8),
        match=MatchSettings(pairs=2, visits=4, opening_actions=2, previous=(1,), anchor_visits=6, anchor_every=1),
    )
