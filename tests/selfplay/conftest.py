"""Shared parts of the self-play tests: a worker that plays a few games, and a check of games by the rules."""

from typing import NamedTuple

import numpy as np
import pytest

from ludus.games.rules import DRAW
from ludus.network.config import Shapes
from ludus.network.evaluator import UniformEvaluator
from ludus.search.settings import SearchSettings
from ludus.selfplay.settings import SelfplaySettings
from ludus.selfplay.source import Quota, Source
from ludus.selfplay.worker_pool import run_worker
from ludus.store import Samples
from ludus.store.samples import NO_ACTION

QUICK = {"parallel": 6, "visits": 24, "fast_visits": 8, "full_share": 0.5, "halflife": 4.0}


def play(
    games,
    num_games,
    *,
    evaluator=None,
    search=None,
    seed=0,
    quota=None,
    worker=0,
    progress=1.0,
    on_game=None,
    **changed,
):
    """Play games with one worker; return the samples of each game in the order of their ends, and the report."""
    finished: list[Samples] = []
    source = evaluator if isinstance(evaluator, Source) else Source(evaluator or UniformEvaluator(Shapes.of(games[0])))
    report = run_worker(
        games,
        source,
        SearchSettings(**({"cache_entries": 0} | (search or {}))),
        SelfplaySettings(games=num_games, **QUICK | changed),
        quota or Quota(num_games),
        on_game or finished.append,
        seed=seed,
        worker=worker,
        progress=progress,
    )
    return finished, report


def whole(finished):
    return Samples.concatenate(sorted(finished, key=lambda each: int(each.game_id[0])))


def policy_of(samples, index):
    pairs = slice(samples.policy_start[index], samples.policy_start[index + 1])
    return dict(zip(samples.policy_action[pairs].tolist(), samples.policy_weight[pairs].tolist(), strict=True))


def children(game, words):
    """Return the legal actions and the states that they lead to."""
    state, actions = words.view(game.dtype), np.zeros(game.max_legal, np.int16)
    after = {}
    with np.errstate(over="ignore"):
        for action in map(int, actions[: game.rules.legal(state, actions)]):
            after[action] = state.copy()
            game.rules.play(after[action], action)
    return after


def check_game(games, samples, *, openings=()):
    """Replay one game by the rules; return the actions played, except the last one, which leaves no state."""
    game = games[int(samples.game[0])]
    assert (
        len(set(samples.game.tolist())) == len(set(samples.game_id.tolist())) == len(set(samples.outcome.tolist())) == 1
    )
    assert samples.ply.tolist() == list(range(int(samples.ply[0]), int(samples.ply[0]) + len(samples)))
    played = []
    for index in range(len(samples)):
        state = samples.states[index].view(game.dtype)
        assert int(game.rules.outcome(state)) == 0
        assert int(samples.mover[index]) == int(game.rules.to_play(state))
        assert -1 <= samples.root_value[index] <= 1
        assert 0 <= samples.root_draw[index] <= 1
        after, policy = children(game, samples.states[index]), policy_of(samples, index)
        assert policy.keys() <= after.keys()
        if policy:
            assert sum(policy.values()) == pytest.approx(1, abs=1e-5)
            assert min(policy.values()) > 0
        action = int(samples.action[index])
        if action == NO_ACTION:
            assert index + 1 == len(samples), "no action follows a resignation"
            assert int(samples.outcome[0]) == 2 - int(samples.mover[index])
            break
        assert not policy or action in policy
        if index + 1 < len(samples):
            assert (after[action].view(np.uint64) == samples.states[index + 1]).all()
            played.append(action)
        else:
            ended = int(game.rules.outcome(after[action]))
            assert int(samples.outcome[0]) == (ended or DRAW)
            assert ended or samples.ply[index] + 1 == game.max_actions
    return played


class Kit(NamedTuple):
    """The helpers of this file, for test modules, which cannot import a conftest."""

    play: object = play
    whole: object = whole
    policy_of: object = policy_of
    children: object = children
    check_game: object = check_game


@pytest.fixture(scope="session")
def kit():
    return Kit()
