"""Measurements of this machine's speed in self-play, learning and matches, each over some seconds."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from ludus.arena.match import play_match
from ludus.learner.train import Learner
from ludus.loop.stages.measure import anchor, most_pairs, search_for_match
from ludus.loop.stages.sources import Sources
from ludus.loop.stages.stage import Stage
from ludus.loop.stages.start import grown_start, info_of
from ludus.network.backends import open_for_one
from ludus.network.checkpoint import Checkpoint
from ludus.players.matches.search_player import SearchPlayer
from ludus.selfplay.measure import ENDLESS, warm_up
from ludus.selfplay.settings import SelfplaySettings
from ludus.selfplay.source import Quota
from ludus.selfplay.worker_pool import WorkerPool
from ludus.store import Samples, Window

Tell = Callable[[str, float], object]  # (name of the measurement, share of it that is done)
MATCH_PAIRS = 8  # the most pairs in a measured match


class Measured(NamedTuple):
    """Measured speed of self-play."""

    games: list[Samples]
    positions_per_s: float
    evaluations_per_s: float
    length: float
    """Mean number of recorded actions per game."""
    weight: float
    """Mean weight of a position."""


class LearningSpeed(NamedTuple):
    """Measured speed of learning."""

    checkpoint: Checkpoint
    learner: Learner
    steps_per_s: float
    model_bytes: int
    state_bytes: int
    """Size of the learner's state between generations."""


def play_a_while(
    stage: Stage,
    sources: Sources,
    settings: SelfplaySettings,
    tell: Callable[[float], object],
    *,
    progress: float,
    seconds: float,
    shares: tuple[float, ...] = (),
    needed: int = 0,
) -> Measured:
    """Play for at least `seconds`, until the first games of all slots are finished; return the measured speed.

    It ends after three times `seconds` at the latest, unless fewer than `needed` games are finished or fewer positions
    are searched than there are games.  The mean length only includes the first games: those that finish within a fixed
    time are shorter than average.
    """
    tell(0.0)
    warm_up(stage.games, sources, stage.preset.search, settings)
    begun_with = stage.workers * settings.parallel * settings.groups
    pool = WorkerPool(
        stage.games,
        sources,
        stage.preset.search,
        settings,
        Quota(ENDLESS, shares=shares, openings=stage.openings),
        seed=1,
        workers=stage.workers,
        progress=progress,
    )
    with pool:
        pool.wait(0.5)
        pool.reading()
        over, took, positions, evaluations, done = 0, 0.0, 0.0, 0.0, 0.0
        while done < 1.0:
            if not pool.wait(0.25):
                break  # a worker failed; leaving the pool raises its error
            reading = pool.reading()
            took += reading.seconds
            positions += reading.positions_per_s * reading.seconds
            evaluations += reading.evaluations_per_s * reading.seconds
            over = sum(int(game.game_id[0]) < begun_with for game in list(pool.finished))
            done = min(
                took / seconds,
                max(over / begun_with, took / (3.0 * seconds)),
                len(pool.finished) / needed if needed else 1.0,
                positions / begun_with,
            )
            tell(min(done, 1.0))
    first = [game for game in pool.finished if int(game.game_id[0]) < begun_with]
    length = float(np.mean([len(game) for game in first] or [stage.games[0].max_actions]))
    weight = float(np.concatenate([game.weight for game in first]).mean()) if first else 1.0
    return Measured(pool.finished, positions / took, evaluations / took, length, weight)


def learn_a_while(stage: Stage, samples: Samples, seconds: float, tell: Tell) -> LearningSpeed:
    """Train on the given positions for `seconds`; return the measured speed."""
    tell("learning", 0.0)
    preset = stage.preset
    learner = Learner(stage.games, preset.network, preset.learner, preset.seed, threads=stage.workers)
    if preset.start:
        learner.begin(grown_start(preset, stage.games).arrays)
    settings = preset.learner
    window = Window(surprise=settings.surprise, deduplicate=settings.deduplicate)  # validation could take the only game
    window.extend(samples)
    learner.learn(window, steps=3, progress=0.0, seed=0)  # warm up memory and kernels
    steps, took = 0, 0.0
    for seed in itertools.count(1):
        portion = max(10, steps // 2)
        begun = time.perf_counter()
        learner.learn(window, steps=portion, progress=0.0, seed=seed, done=1, of=portion + 2)
        steps, took = steps + portion, took + time.perf_counter() - begun
        tell("learning", min(took / seconds, 1.0))
        if took > seconds:
            break
    learner.learn(window, steps=1, progress=0.0, seed=0)  # prepares the averaged weights
    arrays = learner.arrays()
    checkpoint = Checkpoint(info_of(preset, stage.games, 0), arrays)
    return LearningSpeed(checkpoint, learner, steps / took, _nbytes(arrays), _nbytes(learner.state()))


def pair_times(stage: Stage, checkpoint: Checkpoint, tell: Tell) -> tuple[float, float]:
    """Return the seconds per pair of games between two generations, and per pair against the fixed opponent.

    The measured matches have a few concurrent pairs; a match that the run does not play takes 0 seconds.
    """
    settings = stage.preset.match
    most = max(settings.pairs, most_pairs(stage.preset))
    if most == 0:
        return 0.0, 0.0
    tell("matches", 0.0)
    one, other = (
        SearchPlayer(
            name,
            open_for_one(stage.preset.device, checkpoint, threads=stage.workers),
            search_for_match(stage.preset.search),
            visits=settings.visits,
        )
        for name in ("one", "other")
    )
    rivals = [other, anchor(stage.preset)] if settings.pairs else [other]
    pairs = min(MATCH_PAIRS, most)
    times: list[float] = []
    over = itertools.count(1)  # finished games of all matches
    for rival in rivals:
        play_match(stage.games, one, rival, pairs=len(stage.games), seed=1, opening_actions=settings.opening_actions)
        begun = time.perf_counter()
        play_match(
            stage.games,
            one,
            rival,
            pairs=pairs,
            seed=0,
            opening_actions=settings.opening_actions,
            on_game=lambda _game: tell("matches", next(over) / (2 * pairs * len(rivals))),
        )
        times.append((time.perf_counter() - begun) / pairs)
    return times[0], times[1] if settings.pairs else 0.0


def _nbytes(arrays: dict[str, Any]) -> int:
    return sum(array.nbytes for array in arrays.values())
