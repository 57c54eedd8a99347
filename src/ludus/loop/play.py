"""The first stage of a generation: self-play, whose finished games are on disk as soon as they end."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import msgspec
import numpy as np

from ludus.errors import BadRecord
from ludus.loop.cluster_pump import ClusterPump
from ludus.loop.fleet import Fleet
from ludus.loop.journal import Journal, read_journal
from ludus.loop.order import Order
from ludus.loop.stage import Stage, Stopped
from ludus.seeding import stream
from ludus.selfplay.pump import Pump
from ludus.selfplay.worker import WorkerReport
from ludus.store import Samples, read_shard, shard_path, write_shard

SYNC_S = 5.0  # between two moments in which the journal survives a power cut
TICK_S = 0.5  # between two reports of progress

OpenPump = Callable[  # (what to play, who is given each game) -> what plays
    [Order, Callable[[Samples], object]], Pump | Fleet | ClusterPump
]


class Played(msgspec.Struct, frozen=True):
    """The games of a generation, and how they were played."""

    samples: Samples
    reports: list[WorkerReport]
    """Of this process; empty if the games lay there already."""
    seconds: float

    @property
    def weight(self) -> float:
        """Return the sum of the samples' weights: as many positions are new to the learner."""
        return float(self.samples.weight.sum(dtype=np.float64))


def play(stage: Stage, generation: int, open_pump: OpenPump) -> Played:
    """Play the games of a generation that are missing, and write its shard.

    Args:
        stage: the run.
        generation: which one.
        open_pump: opens what plays; asked only if there are games to play.

    Raises:
        BadRecord: the games that lie there are damaged or of other rules.
        Unavailable: the disk refuses, or other processes or machines do; the finished games are kept.
        Stopped: `stage.stop` was set; the finished games are kept.
    """
    begun = time.perf_counter()
    shard = shard_path(stage.folder.shards, generation, 0)
    if shard.is_file():  # played before an interruption
        if read_journal(stage.folder.journal).generation == generation:
            stage.folder.journal.unlink()
        return Played(_read_again(shard, stage.rules), [], 0.0)
    preset, total = stage.preset, stage.preset.selfplay.num_games(generation)
    journal = Journal(stage.folder.journal, generation, stage.rules, keep=not preset.deterministic)
    try:
        done = [int(game.game_id[0]) for game in journal.games]
        if len(set(done)) < len(done):
            raise BadRecord(f"{journal.path}: holds a game twice; remove the file, its games will be played again.")
        pump = open_pump(Order(generation, total, done, _seed(stage, generation, journal.attempt)), journal.add)
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
        assert len(games) == total, "a pump ends when all games are there"
        samples = Samples.concatenate(sorted(games, key=lambda game: int(game.game_id[0])))
        write_shard(shard, samples, rules_key=stage.rules, names=preset.games)
    finally:
        journal.close()
    journal.remove()
    return Played(samples, pump.reports, time.perf_counter() - begun)


def _read_again(shard: Path, rules: str) -> Samples:
    """Return the games of a generation that is not over yet."""
    try:
        return read_shard(shard, rules_key=rules)
    except BadRecord as error:
        raise BadRecord(f"{error} Or delete it: its generation is not over, and is played again.") from error


def _seed(stage: Stage, generation: int, attempt: int) -> int:
    """Return the seed of self-play: another one after an interruption, or the same games would be played again."""
    seed = stage.seed(generation)
    return int(stream(seed, "attempt", attempt).integers(1 << 62)) if attempt else seed
