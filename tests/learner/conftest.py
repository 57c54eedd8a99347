"""Fixtures: samples of self-play games without a network."""

import numpy as np
import pytest
import torch

import ludus
from ludus.network.config import Shapes
from ludus.network.evaluator import UniformEvaluator
from ludus.players.thinking.group import cache_for
from ludus.search.settings import SearchSettings
from ludus.selfplay.settings import SelfplaySettings
from ludus.selfplay.source import Quota, Source
from ludus.selfplay.worker_pool import run_worker
from ludus.store import Samples


@pytest.fixture(scope="session", autouse=True)
def one_thread():
    """Limit torch to one thread, since several threads are slow on busy cores."""
    torch.set_num_threads(1)


@pytest.fixture(scope="session")
def play():
    """Return a function that plays games and returns their samples."""

    def play(specs, num_games, full_share=0.7):
        games = [ludus.game(spec) for spec in specs]
        finished: list[Samples] = []
        search = SearchSettings(cache_entries=0)
        run_worker(
            games,
            Source(UniformEvaluator(Shapes.of(games[0])), cache_for(games[0], search)),
            search,
            SelfplaySettings(parallel=8, visits=40, fast_visits=10, full_share=full_share),
            Quota(num_games),
            finished.append,
            seed=1,
            worker=0,
        )
        return games, Samples.concatenate(sorted(finished, key=lambda each: int(each.game_id[0])))

    return play


@pytest.fixture
def one_sample():
    """Return a function that makes samples of a single position of tic-tac-toe."""

    def one_sample(*, mover, outcome, root_value, root_draw):
        state = ludus.game("tictactoe").start_state()
        state[9] = mover
        return Samples(
            states=state.view(np.uint64)[None].copy(),
            game=np.zeros(1, np.uint8),
            ply=np.zeros(1, np.int16),
            mover=np.array([mover], np.uint8),
            action=np.array([5], np.int16),
            policy_start=np.array([0, 2], np.int32),
            policy_action=np.array([3, 5], np.int16),
            policy_weight=np.array([0.25, 0.75], np.float32),
            outcome=np.array([outcome], np.uint8),
            root_value=np.array([root_value], np.float32),
            root_draw=np.array([root_draw], np.float32),
            surprise=np.zeros(1, np.float32),
            weight=np.ones(1, np.float32),
            network=np.zeros(1, np.int32),
            game_id=np.zeros(1, np.int64),
        )

    return one_sample
