"""Measurements of this machine's speed in self-play, learning and matches, each over some seconds."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from ludus.learner.train import Learner
from ludus.loop.diagnostics.probe import probe
from ludus.loop.stages.measure import anchor, meet, most_pairs, search_for_match
from ludus.loop.stages.sources import Sources
from ludus.loop.stages.stage import Stage
from ludus.loop.stages.start import grown_start, info_of
from ludus.network.backends import open_for_one
from ludus.network.checkpoint import Checkpoint
from ludus.players.matches.search_player import SearchPlayer
from ludus.selfplay.measure import warm_up
from ludus.selfplay.settings import SelfplaySettings
from ludus.selfplay.source import Quota
from ludus.selfplay.worker_pool import WorkerPool
from ludus.store import Samples, Window

Tell = Callable[[str, float], object]  # (name of the measurement, share of it that is done)
FIRST_PAIRS = 4  # of a match that also prepares everything that matches need
MATCH_S = 6.0  # duration of a measured match; longer ones are scaled


class Measured(NamedTuple):
    """Measured speed of self-play."""

    games: list[Samples]
    positions_per_s: float
    """Positions of all games per second, if the whole generation was played; else positions searched per second."""
    evaluations_per_s: float
    whole_s: float
    """Duration of the whole generation; 0: it was too long to be played."""
    length: float
    """Mean number of recorded actions per game."""
    weight: float
    """Mean weight of a position."""


class LearningSpeed(NamedTuple):
    """Measured speed of learning."""

    checkpoint: Checkpoint
    learner: Learner
    steps_per_s: float
    besides_s: float
    """Seconds for each generation besides the steps: the learner's start, normalisation, validation."""
    probe_s: float
    """Duration of the comparison of a new network with its games."""
    model_bytes: int
    state_bytes: int
    """Size of the learner's state between generations."""


def play_a_while(
    stage: Stage,
    sources: Sources,
    settings: SelfplaySettings,
    tell: Callable[[float], object],
    *,
    games: int,
    progress: float,
    seconds: float,
    shares: tuple[float, ...] = (),
    needed: int = 0,
) -> Measured:
    """Play for at least `seconds`, until the first games of all slots or all `games` are finished; return the speed.

    The end of a generation is slow, because fewer and fewer games share a batch, so a short one is played as a whole.

    A long one ends after three times `seconds` at the latest, unless fewer than `needed` games are finished or fewer
    positions are searched than there are games.  The mean length then only includes the first games: those that finish
    within a fixed time are shorter than average.
    """
    tell(0.0)
    warm_up(stage.games, sources, stage.preset.search, settings)
    begun_with = min(games, stage.workers * settings.parallel * settings.groups)
    pool = WorkerPool(
        stage.games,
        sources,
        stage.preset.search,
        settings,
        Quota(games, shares=shares, openings=stage.openings),
        seed=1,
        workers=stage.workers,
        progress=progress,
    )
    begun = time.perf_counter()
    with pool:
        is_playing = pool.wait(0.5)
        pool.reading()
        over, took, positions, evaluations, done = 0, 0.0, 0.0, 0.0, 0.0
        while is_playing and done < 1.0:
            is_playing = pool.wait(0.25)
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
        whole_s = 0.0 if is_playing else time.perf_counter() - begun
    tell(1.0)
    if whole_s:
        took, first = whole_s, pool.finished
        positions = float(sum(map(len, first)))
        evaluations = float(sum(report.counters["evaluations"] for report in pool.reports))
    else:
        first = [game for game in pool.finished if int(game.game_id[0]) < begun_with]
    length = float(np.mean([len(game) for game in first] or [stage.games[0].max_actions]))
    weight = float(np.concatenate([game.weight for game in first]).mean()) if first else 1.0
    return Measured(pool.finished, positions / took, evaluations / took, whole_s, length, weight)


def learn_a_while(stage: Stage, samples: Samples, seconds: float, tell: Tell) -> LearningSpeed:
    """Train on the given positions for `seconds`; return the speed of the later steps.

    The first steps are slow: memory is allocated, threads start, and PyTorch chooses and prepares its kernels.
    """
    tell("learning", 0.0)
    preset = stage.preset

    def new_learner() -> Learner:
        return Learner(stage.games, preset.network, preset.learner, preset.seed, threads=stage.workers)

    learner = new_learner()
    if preset.start:
        learner.begin(grown_start(preset, stage.games).arrays)
    window = learner.window()
    window.extend(samples)
    if not window.weights().any():  # the only game is held out for validation
        window = Window(surprise=preset.learner.surprise, deduplicate=preset.learner.deduplicate)
        window.extend(samples)
    is_warm, steps, took, spent = False, 0, 0.0, 0.0
    for seed in itertools.count(1):
        portion = max(10, steps // 2)
        begun = time.perf_counter()
        learner.learn(window, steps=portion, progress=0.0, seed=seed, done=1, of=portion + 2)
        passed = time.perf_counter() - begun
        spent += passed
        if is_warm:
            steps, took = steps + portion, took + passed
        is_warm = spent > seconds / 3.0
        tell("learning", min(spent / seconds, 1.0))
        if spent > seconds and steps:
            break
    state = learner.state()
    begun = time.perf_counter()
    learner = new_learner()
    learner.restore(state)
    learner.learn(window, steps=1, progress=0.0, seed=0)  # also prepares the averaged weights
    besides_s = max(0.0, time.perf_counter() - begun - took / steps)
    arrays = learner.arrays()
    checkpoint = Checkpoint(info_of(preset, stage.games, 0), arrays)
    evaluator = open_for_one(preset.device, checkpoint, threads=stage.workers)
    begun = time.perf_counter()
    probe(stage.games, evaluator, samples, 0)
    probe_s = time.perf_counter() - begun
    sizes = _nbytes(arrays), _nbytes(learner.state())
    return LearningSpeed(checkpoint, learner, steps / took, besides_s, probe_s, *sizes)


def pair_times(stage: Stage, checkpoint: Checkpoint, tell: Tell) -> tuple[float, float]:
    """Return the seconds per pair of games between two generations, and per pair against the fixed opponent.

    The pairs of a match share batches, so a match that takes seconds is played as a whole.  A match that the run does
    not play takes 0 seconds.
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
    times: list[float] = []
    for number, rival in enumerate(rivals):
        begun = time.perf_counter()
        few = min(FIRST_PAIRS, most)
        meet(stage, 0, one, rival, pairs=few)
        tell("matches", (number + 0.5) / len(rivals))
        affordable = int(few * MATCH_S / max(1e-9, time.perf_counter() - begun))
        pairs = min(most, max(few, affordable))
        begun = time.perf_counter()
        meet(stage, 1, one, rival, pairs=pairs)
        times.append((time.perf_counter() - begun) / pairs)
        tell("matches", (number + 1.0) / len(rivals))
    return times[0], times[1] if settings.pairs else 0.0


def _nbytes(arrays: dict[str, Any]) -> int:
    return sum(array.nbytes for array in arrays.values())
