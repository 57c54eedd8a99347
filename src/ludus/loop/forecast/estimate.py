"""Estimates the duration of a preset's run on this machine from about a minute of measurements.

It measures the first teacher's games, learning from them, self-play of the resulting network, and matches.  It assumes
that later networks play at the same speed and that their games are as long (within 12 % this held in 14 of 15 recorded
runs, see docs/ledger/runs/estimate-lengths.toml), that every generation plays all its games, that every network passes
the gate after the most pairs, and that the machine stays as busy as it is now.
"""

from __future__ import annotations

import tempfile
import time
from functools import partial
from pathlib import Path

import msgspec

from ludus.loop.directory.folder import Folder
from ludus.loop.forecast.speed import Tell, learn_a_while, pair_times, play_a_while
from ludus.loop.game_records.readers import read_openings
from ludus.loop.preset import Preset
from ludus.loop.stages.measure import most_pairs, opponents_of
from ludus.loop.stages.sources import first_sources, network_sources, share
from ludus.loop.stages.stage import Stage
from ludus.store import Samples, write_shard
from ludus.system import peak_memory


class Estimate(msgspec.Struct, frozen=True):
    """The expected duration, memory and disk space of a run on this machine."""

    preset: str
    workers: int
    first_length: float
    """Measured mean number of recorded actions per game of the first teacher."""
    length: float
    """Measured mean number of recorded actions per game of a network trained for some seconds."""
    first_positions_per_s: float
    positions_per_s: float
    """Positions per second of the trained network's self-play, at the preset's full visits."""
    evaluations_per_s: float
    steps_per_s: float
    """Training steps per second."""
    match_s: float
    """Duration of a match between two generations."""
    anchor_s: float
    """Duration of a match against the fixed opponent."""
    gate_s: float
    """Duration of the gate's match with the most pairs; sequential tests often end earlier; 0: no gate."""
    selfplay_s: list[float]
    """Duration of self-play for each generation."""
    learner_s: list[float]
    matches_s: list[float]
    """Duration of the probe and all matches for each generation, including the gate's."""
    disk_bytes: int
    """Size of the run's directory at the end."""
    memory_bytes: int
    """Peak memory use, with the longest window."""
    measured_s: float
    """Duration of the measurement."""

    @property
    def generation_s(self) -> list[float]:
        """Return the duration of each generation in seconds."""
        return [sum(each) for each in zip(self.selfplay_s, self.learner_s, self.matches_s, strict=True)]

    @property
    def total_s(self) -> float:
        """Return the duration of the run in seconds."""
        return sum(self.generation_s)


def estimate(preset: Preset, *, workers: int, seconds: float = 60.0, tell: Tell = lambda *_: None) -> Estimate:
    """Measure for about `seconds` (longer if games are long), and estimate the run."""
    begun = time.perf_counter()
    with tempfile.TemporaryDirectory() as path:
        folder = Folder(Path(path))
        games = preset.make_games()
        opened = partial(read_openings, preset, games)
        stage = Stage(preset, folder, games, workers, lambda _event: None, read_openings=opened)
        taught = preset.selfplay.of_teacher() if preset.begins_taught else preset.selfplay
        first = play_a_while(
            stage,
            first_sources(stage),
            taught,
            partial(tell, "games of the first teacher"),
            games=preset.selfplay.num_games(0),
            progress=0.0,
            seconds=seconds * 0.2,
            shares=preset.shares_of(0),
            needed=1,
        )
        samples = Samples.concatenate(first.games)
        shard = folder.path / "shard"
        write_shard(shard, samples, rules_key=stage.rules, names=preset.games)
        shard_bytes = shard.stat().st_size / len(samples)
    learned = learn_a_while(stage, samples, seconds * 0.25, tell)
    later = play_a_while(
        stage,
        share(network_sources(stage, learned.checkpoint, 1, network=0)),
        preset.selfplay,
        partial(tell, "games of the network"),
        games=preset.selfplay.games,
        progress=1.0,
        seconds=seconds * 0.3,
        shares=preset.shares_of(preset.generations - 1),
    )
    pair_s, anchor_pair_s = pair_times(stage, learned.checkpoint, tell)
    opening, settled = preset.selfplay.num_games(0) * first.length, preset.selfplay.games * later.length
    positions = [opening] + [settled] * (preset.generations - 1)
    weights = [first.weight] + [later.weight] * (preset.generations - 1)
    steps = [learned.learner.steps_for(each * weight) for each, weight in zip(positions, weights, strict=True)]
    selfplay = [positions[0] / first.positions_per_s]
    for generation in range(1, preset.generations):
        slower = preset.selfplay.mean_visits(stage.progress(generation)) / preset.selfplay.mean_visits(1.0)
        selfplay.append(positions[generation] * slower / later.positions_per_s)
    return Estimate(
        preset=preset.name,
        workers=workers,
        first_length=first.length,
        length=later.length,
        first_positions_per_s=first.positions_per_s,
        positions_per_s=later.positions_per_s,
        evaluations_per_s=later.evaluations_per_s,
        steps_per_s=learned.steps_per_s,
        match_s=pair_s * preset.match.pairs,
        anchor_s=anchor_pair_s * preset.match.pairs,
        gate_s=pair_s * most_pairs(preset),
        selfplay_s=selfplay,
        learner_s=[learned.besides_s + each / learned.steps_per_s for each in steps],
        matches_s=[learned.probe_s + each for each in _matches(preset, pair_s, anchor_pair_s)],
        disk_bytes=round(shard_bytes * sum(positions)) + learned.model_bytes * preset.generations + learned.state_bytes,
        memory_bytes=peak_memory() + round(_window(preset, positions) * samples.nbytes / len(samples)),
        measured_s=time.perf_counter() - begun,
    )


def _matches(preset: Preset, pair_s: float, anchor_pair_s: float) -> list[float]:
    """Return the duration of each generation's matches if every network passes the gate."""
    settings, gate_pairs, times = preset.match, most_pairs(preset), list[float]()
    for generation in range(preset.generations):
        met = opponents_of(preset, generation) if settings.pairs else []
        pairs = settings.pairs * sum(each is not None for each in met)
        if gate_pairs and generation:  # against the last network; a score gate's match also counts as a regular match
            pairs += gate_pairs - settings.pairs * (preset.gate.kind == "score" and generation - 1 in met)
        times.append(pair_s * pairs + anchor_pair_s * settings.pairs * (None in met))
    return times


def _window(preset: Preset, positions: list[float]) -> float:
    """Return the largest number of positions in the window."""
    rule, longest = preset.learner.window, 0.0
    for generation in range(len(positions)):
        played = positions[: generation + 1]
        if rule.by == "generations":
            held = sum(played[-rule.length(generation) :])
        else:
            held = max(float(rule.size(round(sum(played)))), sum(played[-rule.shortest :]))
        longest = max(longest, held)
    return longest
