"""The first stage of a generation: self-play, whose finished games are on disk as soon as they end."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import cast

import msgspec

from ludus.errors import BadPreset, BadRecord
from ludus.loop.journal import Journal, read_journal
from ludus.loop.stage import Stage, Stopped
from ludus.loop.start import grown_start
from ludus.network.backends import open_evaluators
from ludus.network.boost import BoostedEvaluator
from ludus.network.checkpoint import Checkpoint
from ludus.network.config import Shapes
from ludus.network.evaluator import NetworkEvaluator, UniformEvaluator
from ludus.players.group import cache_for
from ludus.players.instinct import HeuristicEvaluator, RolloutEvaluator
from ludus.seeding import stream
from ludus.selfplay.pump import Pump
from ludus.selfplay.source import Quota, Source
from ludus.selfplay.worker import WorkerReport
from ludus.store import Samples, read_shard, shard_path, write_shard

SYNC_S = 5.0  # between two moments in which the journal survives a power cut
TICK_S = 0.5  # between two reports of progress

Sources = Callable[[int], Source]  # number of a worker -> its source


class Played(msgspec.Struct, frozen=True):
    """The games of a generation, and how they were played."""

    samples: Samples
    reports: list[WorkerReport]
    """Of this process; empty if the games lay there already."""
    seconds: float


def play(stage: Stage, generation: int, sources: Callable[[], Sources]) -> Played:
    """Play the games of a generation that are missing, and write its shard.

    Args:
        stage: the run.
        generation: which one.
        sources: opens the evaluators; asked only if there are games to play.

    Raises:
        BadRecord: the games that lie there are damaged or of other rules.
        Unavailable: the disk refuses; the finished games are kept.
        Stopped: `stage.stop` was set; the finished games are kept.
    """
    begun = time.perf_counter()
    shard = shard_path(stage.folder.shards, generation, 0)
    if shard.is_file():  # played before an interruption
        if read_journal(stage.folder.journal).generation == generation:
            stage.folder.journal.unlink()
        return Played(read_shard(shard, rules_key=stage.rules), [], 0.0)
    preset, total = stage.preset, stage.preset.selfplay.num_games(generation)
    taught = generation == 0 and not preset.start
    journal = Journal(stage.folder.journal, generation, stage.rules, keep=not preset.deterministic)
    try:
        done = [int(game.game_id[0]) for game in journal.games]
        if len(set(done)) < len(done):
            raise BadRecord(f"{journal.path}: holds a game twice; remove the file, its games will be played again.")
        pump = Pump(
            stage.games,
            sources(),
            preset.search,
            preset.selfplay.of_teacher() if taught else preset.selfplay,
            Quota(total, done=done, shares=preset.shares_of(generation)),
            seed=_seed(stage, generation, journal.attempt),
            workers=stage.workers,
            progress=stage.progress(generation),
            on_game=journal.add,
        )
        synced = time.monotonic()
        with pump:
            while pump.wait(TICK_S):
                if stage.stop.is_set():
                    raise Stopped
                if time.monotonic() - synced > SYNC_S:
                    journal.sync()
                    synced = time.monotonic()
                stage.tell(generation, "self-play", len(done) + len(pump.finished), total, pump.reading())
        stage.tell(generation, "self-play", len(done) + len(pump.finished), total, pump.reading())
        games = [game for game in [*journal.games, *pump.finished] if int(game.game_id[0]) < total]
        samples = Samples.concatenate(sorted(games, key=lambda game: int(game.game_id[0])))
        write_shard(shard, samples, rules_key=stage.rules, names=preset.games)
    finally:
        journal.close()
    journal.remove()
    return Played(samples, pump.reports, time.perf_counter() - begun)


def _seed(stage: Stage, generation: int, attempt: int) -> int:
    """Return the seed of self-play: another one after an interruption, or the same games would be played again."""
    seed = stage.seed(generation)
    return int(stream(seed, "attempt", attempt).integers(1 << 62)) if attempt else seed


def first_sources(stage: Stage) -> Sources:
    """Return who plays generation 0: the model from which the run starts, or the first teacher."""
    preset, game = stage.preset, stage.games[0]
    cache = cache_for(game, preset.search)
    if preset.start:
        return network_sources(stage, grown_start(stage), network=-1)
    teacher = preset.first_teacher
    if teacher == "heuristic" and not game.has_heuristic:
        raise BadPreset(f'{preset.name}: {game.name} has no heuristic; set first_teacher = "rollouts".')
    if teacher == "uniform":
        return lambda _worker: Source(UniformEvaluator(Shapes.of(game)), cache, network=-1)
    if teacher == "heuristic" or (teacher == "auto" and game.has_heuristic):
        return lambda _worker: Source(HeuristicEvaluator(), cache, network=-1)
    return lambda worker: Source(RolloutEvaluator(seed=preset.seed + worker), cache, network=-1)


def network_sources(stage: Stage, checkpoint: Checkpoint, *, network: int) -> Sources:
    """Return sources that ask a network, one for each device of the preset; workers share them.

    They play the generation after the network's, for which the preset may boost priors.
    """
    sources, boost = open_sources(stage, checkpoint, network=network), stage.preset.boost
    if boost.boosts(network + 1):
        chosen = boost.chosen(stage.games[0].action_classes)
        for source in sources:
            source.evaluator = BoostedEvaluator(cast(NetworkEvaluator, source.evaluator), chosen, boost.prior)
    return share(sources)


def open_sources(stage: Stage, checkpoint: Checkpoint, *, network: int) -> list[Source]:
    """Return a source for each device of the preset; raises Unavailable if there is no such device."""
    cache = cache_for(stage.games[0], stage.preset.search)
    return [
        Source(evaluator, cache, network=network)
        for evaluator in open_evaluators(stage.preset.device, checkpoint, streams=stage.workers)
    ]


def share(sources: list[Source]) -> Sources:
    """Return the sources of workers that share these."""
    return lambda worker: sources[worker % len(sources)]
