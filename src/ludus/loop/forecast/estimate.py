"""Predicts how long a preset takes on this machine, from about a minute of its own work.

What is measured: the first teacher's games, learning from them, self-play by the network that came out, and matches.
What is assumed: later networks play at the speed of that network (which begins as the preset's `start`, if there is
one; if not, its games last half as long again, `LENGTHENING`),
every generation plays all its games, every network passes the gate in a match of all its pairs, and nothing else runs
on the machine.
"""

from __future__ import annotations

import sys
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

LENGTHENING = 1.5  # of games, as play gets better: Connect Four, 13.5 actions by a novice, 19.9 a generation later


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
    gate_s: float
    """Of the gate's match, with all the pairs that it may have: a sequential test often ends earlier; 0: no gate."""
    selfplay_s: list[float]
    """Of each generation."""
    learner_s: list[float]
    matches_s: list[float]
    """The gate's included."""
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


def estimate(preset: Preset, *, workers: int, seconds: float = 60.0, tell: Tell = lambda *_: None) -> Estimate:
    """Measure this machine for about `seconds`, longer where games are long, and predict the run."""
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
        progress=1.0,
        seconds=seconds * 0.3,
        shares=preset.shares_of(preset.generations - 1),
    )
    pair_s, anchor_pair_s = pair_times(stage, learned.checkpoint, tell)
    lengthening = 1.0 if preset.start else LENGTHENING  # what it begins as plays well already
    length = min(lengthening * later.length, float(max(game.max_actions for game in stage.games)))
    opening, settled = preset.selfplay.num_games(0) * first.length, preset.selfplay.games * length
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
        novice_length=later.length,
        length=length,
        first_positions_per_s=first.positions_per_s,
        positions_per_s=later.positions_per_s,
        evaluations_per_s=later.evaluations_per_s,
        steps_per_s=learned.steps_per_s,
        match_s=pair_s * preset.match.pairs,
        anchor_s=anchor_pair_s * preset.match.pairs,
        gate_s=pair_s * most_pairs(preset),
        selfplay_s=selfplay,
        learner_s=[each / learned.steps_per_s for each in steps],
        matches_s=_matches(preset, pair_s, anchor_pair_s),
        disk_bytes=round(shard_bytes * sum(positions)) + learned.model_bytes * preset.generations + learned.state_bytes,
        memory_bytes=_peak_memory() + round(_window(preset, positions) * samples.nbytes / len(samples)),
        measured_s=time.perf_counter() - begun,
    )


def _matches(preset: Preset, pair_s: float, anchor_pair_s: float) -> list[float]:
    """Return the seconds of the matches of each generation, as if every network passed the gate."""
    settings, gate_pairs, times = preset.match, most_pairs(preset), list[float]()
    for generation in range(preset.generations):
        met = opponents_of(preset, generation) if settings.pairs else []
        pairs = settings.pairs * sum(each is not None for each in met)
        if gate_pairs and generation:  # against the network that plays, the last one; one of a score measures it, too
            pairs += gate_pairs - settings.pairs * (preset.gate.kind == "score" and generation - 1 in met)
        times.append(pair_s * pairs + anchor_pair_s * settings.pairs * (None in met))
    return times


def _window(preset: Preset, positions: list[float]) -> float:
    """Return how many positions the window holds at most."""
    rule, longest = preset.learner.window, 0.0
    for generation in range(len(positions)):
        played = positions[: generation + 1]
        if rule.by == "generations":
            held = sum(played[-rule.length(generation) :])
        else:
            held = max(float(rule.size(round(sum(played)))), sum(played[-rule.shortest :]))
        longest = max(longest, held)
    return longest


def _peak_memory() -> int:
    """Return the most memory that this process has used."""
    try:
        import resource
    except ImportError:  # not on Windows
        return 0
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit
