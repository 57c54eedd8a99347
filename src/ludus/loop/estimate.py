"""Predicts how long a preset takes on this machine, from about a minute of its own work.

What is measured: the first teacher's games, learning from them, self-play by the network that came out, and matches.
What is assumed: later networks play at the speed of that network, games that last half as long again (`LENGTHENING`),
every generation plays all its games, and nothing else runs on the machine.
"""

from __future__ import annotations

import itertools
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy as np

from ludus.arena import play_match
from ludus.learner.train import Learner
from ludus.loop.folder import Folder
from ludus.loop.measure import anchor, opponents_of, search_for_match
from ludus.loop.preset import Preset
from ludus.loop.sources import Sources, first_sources, network_sources
from ludus.loop.stage import Stage
from ludus.loop.start import info_of
from ludus.network.checkpoint import Checkpoint
from ludus.network.openvino import evaluator_of
from ludus.players.match import SearchPlayer
from ludus.selfplay.measure import ENDLESS, warm_up
from ludus.selfplay.pump import Pump
from ludus.selfplay.settings import SelfplaySettings
from ludus.selfplay.source import Quota
from ludus.store import Samples, write_shard

Tell = Callable[[str, float], object]  # what is measured, and which share of it is done
LENGTHENING = 1.5  # of games, as play gets better: Connect Four, 13.5 actions by a novice, 19.9 a generation later
MATCH_PAIRS = 8  # at most, of a measured match


class Estimate(msgspec.Struct, frozen=True):
    """What a run is expected to cost on this machine."""

    preset: str
    workers: int
    first_length: float
    """Recorded actions of a game of the first teacher, measured."""
    novice_length: float
    """Of a game of a network that learned for some seconds, measured."""
    length: float
    """Of a game of later networks, assumed."""
    first_positions_per_s: float
    positions_per_s: float
    """By the network, at the preset's full visits."""
    evaluations_per_s: float
    steps_per_s: float
    """Training steps."""
    match_s: float
    """Of a match between two generations."""
    anchor_s: float
    """Of a match against the fixed opponent."""
    selfplay_s: list[float]
    """Of each generation."""
    learner_s: list[float]
    matches_s: list[float]
    disk_bytes: int
    """Of the run's directory at its end."""
    memory_bytes: int
    """Greatest use, the window at its longest included."""
    measured_s: float
    """How long the measurement took."""

    @property
    def generation_s(self) -> list[float]:
        """Return the seconds of each generation."""
        return [sum(each) for each in zip(self.selfplay_s, self.learner_s, self.matches_s, strict=True)]

    @property
    def total_s(self) -> float:
        """Return the seconds of the run."""
        return sum(self.generation_s)


class Measured(NamedTuple):
    """How somebody played for a while."""

    games: list[Samples]
    positions_per_s: float
    evaluations_per_s: float
    length: float


def estimate(preset: Preset, *, workers: int, seconds: float = 60.0, tell: Tell = lambda *_: None) -> Estimate:
    """Measure this machine for about `seconds`, longer where games are long, and predict the run."""
    begun = time.perf_counter()
    with tempfile.TemporaryDirectory() as path:
        folder = Folder(Path(path))
        stage = Stage(preset, folder, preset.make_games(), workers, lambda _event: None)
        taught = preset.selfplay.of_teacher() if preset.begins_taught else preset.selfplay
        first = _play(
            stage,
            first_sources(stage),
            taught,
            partial(tell, "games of the first teacher"),
            progress=0.0,
            seconds=seconds * 0.2,
            needed=1,
        )
        samples = Samples.concatenate(first.games)
        shard = folder.path / "shard"
        write_shard(shard, samples, rules_key=stage.rules, names=preset.games)
        shard_bytes = shard.stat().st_size / len(samples)
    checkpoint, steps_per_s, model_bytes, state_bytes, learner = _learn(stage, samples, seconds * 0.25, tell)
    later = _play(
        stage,
        network_sources(stage, checkpoint, 1, network=0),
        preset.selfplay,
        partial(tell, "games of the network"),
        progress=1.0,
        seconds=seconds * 0.3,
    )
    match_s, anchor_s = _matches(stage, checkpoint, tell)
    length = min(LENGTHENING * later.length, float(max(game.max_actions for game in stage.games)))
    opening, settled = preset.selfplay.num_games(0) * first.length, preset.selfplay.games * length
    positions = [opening] + [settled] * (preset.generations - 1)
    selfplay = [positions[0] / first.positions_per_s]
    for generation in range(1, preset.generations):
        slower = _visits(preset, stage.progress(generation)) / _visits(preset, 1.0)
        selfplay.append(positions[generation] * slower / later.positions_per_s)
    matches: list[float] = []
    for generation in range(preset.generations if preset.match.pairs else 0):
        met = opponents_of(preset, generation)
        matches.append(match_s * sum(each is not None for each in met) + anchor_s * (None in met))
    return Estimate(
        preset=preset.name,
        workers=workers,
        first_length=first.length,
        novice_length=later.length,
        length=length,
        first_positions_per_s=first.positions_per_s,
        positions_per_s=later.positions_per_s,
        evaluations_per_s=later.evaluations_per_s,
        steps_per_s=steps_per_s,
        match_s=match_s,
        anchor_s=anchor_s,
        selfplay_s=selfplay,
        learner_s=[learner.steps_for(round(each)) / steps_per_s for each in positions],
        matches_s=matches or [0.0] * preset.generations,
        disk_bytes=round(shard_bytes * sum(positions)) + model_bytes * preset.generations + state_bytes,
        memory_bytes=_peak_memory() + round(_window(preset, positions) * samples.nbytes / len(samples)),
        measured_s=time.perf_counter() - begun,
    )


def _play(
    stage: Stage,
    sources: Sources,
    settings: SelfplaySettings,
    tell: Callable[[float], object],
    *,
    progress: float,
    seconds: float,
    needed: int = 0,
) -> Measured:
    """Let all workers play for `seconds`, or longer, until the games with which they began are over.

    That takes three times as long at most, unless fewer than `needed` games have ended by then, or fewer positions been
    searched than there are games: the searches begin together, and the short ones of them end first.  The mean length
    is that of the games with which they began: whichever games end within a given time are the short ones.
    """
    tell(0.0)
    warm_up(stage.games, sources, stage.preset.search, settings)
    begun_with = stage.workers * settings.parallel * settings.groups
    pump = Pump(
        stage.games,
        sources,
        stage.preset.search,
        settings,
        Quota(ENDLESS, openings=stage.openings),
        seed=1,
        workers=stage.workers,
        progress=progress,
    )
    with pump:
        pump.wait(0.5)
        pump.reading()
        over, took, positions, evaluations, done = 0, 0.0, 0.0, 0.0, 0.0
        while done < 1.0:
            if not pump.wait(0.25):
                break  # a worker has failed, which the pump raises as it is left
            reading = pump.reading()
            took += reading.seconds
            positions += reading.positions_per_s * reading.seconds
            evaluations += reading.evaluations_per_s * reading.seconds
            over = sum(int(game.game_id[0]) < begun_with for game in list(pump.finished))
            done = min(
                took / seconds,
                max(over / begun_with, took / (3.0 * seconds)),
                len(pump.finished) / needed if needed else 1.0,
                positions / begun_with,
            )
            tell(min(done, 1.0))
    lengths = [len(game) for game in pump.finished if int(game.game_id[0]) < begun_with]
    length = float(np.mean(lengths or [stage.games[0].max_actions]))
    return Measured(pump.finished, positions / took, evaluations / took, length)


def _learn(stage: Stage, samples: Samples, seconds: float, tell: Tell) -> tuple[Checkpoint, float, int, int, Learner]:
    """Learn for some seconds; return the model, steps per second, bytes of model and state, and the learner."""
    tell("learning", 0.0)
    preset = stage.preset
    learner = Learner(stage.games, preset.network, preset.learner, preset.seed, threads=stage.workers)
    window = learner.window()
    window.extend(samples)
    learner.learn(window, steps=3, progress=0.0, seed=0)  # memory is touched, kernels are chosen
    steps, took = 0, 0.0
    for seed in itertools.count(1):
        portion = max(10, steps // 2)
        begun = time.perf_counter()
        learner.learn(window, steps=portion, progress=0.0, seed=seed, done=1, of=portion + 2)
        steps, took = steps + portion, took + time.perf_counter() - begun
        tell("learning", min(took / seconds, 1.0))
        if took > seconds:
            break
    learner.learn(window, steps=1, progress=0.0, seed=0)  # the weights that play are made ready
    arrays = learner.arrays()
    checkpoint = Checkpoint(info_of(preset, stage.games, 0), arrays)
    return checkpoint, steps / took, _nbytes(arrays), _nbytes(learner.state()), learner


def _matches(stage: Stage, checkpoint: Checkpoint, tell: Tell) -> tuple[float, float]:
    """Return the seconds of a match between two generations, and of one against the fixed opponent."""
    settings = stage.preset.match
    if settings.pairs == 0:
        return 0.0, 0.0
    tell("matches", 0.0)
    pairs = min(MATCH_PAIRS, settings.pairs)
    one, other = (
        SearchPlayer(
            name,
            evaluator_of(checkpoint, threads=stage.workers),
            search_for_match(stage.preset.search),
            visits=settings.visits,
        )
        for name in ("one", "other")
    )
    times: list[float] = []
    over = itertools.count(1)  # games of both matches
    for rival in (other, anchor(stage.preset)):
        play_match(stage.games, one, rival, pairs=len(stage.games), seed=1, opening_actions=settings.opening_actions)
        begun = time.perf_counter()
        play_match(
            stage.games,
            one,
            rival,
            pairs=pairs,
            seed=0,
            opening_actions=settings.opening_actions,
            on_game=lambda _game: tell("matches", next(over) / (4 * pairs)),
        )
        times.append((time.perf_counter() - begun) * settings.pairs / pairs)
    return times[0], times[1]


def _visits(preset: Preset, progress: float) -> float:
    """Return the mean visits of a move."""
    schedule = preset.selfplay.schedule(progress)
    return schedule.full_share * schedule.visits + (1.0 - schedule.full_share) * schedule.fast_visits


def _window(preset: Preset, positions: list[float]) -> float:
    """Return how many positions the window holds at most."""
    rule, longest = preset.learner.window, 0.0
    for generation in range(len(positions)):
        played = positions[: generation + 1]
        held = sum(played[-rule.length(generation) :])
        longest = max(longest, held if rule.by == "generations" else float(rule.size(round(sum(played)))))
    return longest


def _nbytes(arrays: dict[str, Any]) -> int:
    return sum(array.nbytes for array in arrays.values())


def _peak_memory() -> int:
    """Return the most memory that this process has used."""
    try:
        import resource
    except ImportError:  # not on Windows
        return 0
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit
