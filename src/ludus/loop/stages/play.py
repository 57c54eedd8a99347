"""The first stage of a generation: self-play, whose finished games are on disk as soon as they end."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Protocol

import msgspec
import numpy as np

from ludus.errors import BadRecord
from ludus.loop.directory.journal import Journal, read_journal
from ludus.loop.stages.stage import Order, Stage, Stopped
from ludus.seeding import stream
from ludus.selfplay.reading import Reading, WorkerReport
from ludus.store import Samples, read_shard, shard_path, write_shard

SYNC_S = 5.0  # between two moments in which the journal survives a power cut
TICK_S = 0.5  # between two reports of progress


class SelfplayPool(AbstractContextManager[object], Protocol):
    """Plays an order: threads of this process, other processes, or other machines; games in flight end with it."""

    @property
    def finished(self) -> list[Samples]:
        """Return the finished games."""
        ...

    @property
    def reports(self) -> list[WorkerReport]:
        """Return how the workers have played."""
        ...

    def wait(self, seconds: float, /) -> bool:
        """Wait for a while; return whether some games are still being played."""
        ...

    def reading(self) -> Reading | None:
        """Return how the workers ran lately; None: they have not begun."""
        ...


OpenPool = Callable[[Order, Callable[[Samples], object]], SelfplayPool]
"""Opens what plays an order, and calls the function with each finished game."""


class PlayedGeneration(msgspec.Struct, frozen=True):
    """The games of a generation, and how they were played."""

    samples: Samples
    reports: list[WorkerReport]
    """Of this process; empty if the games lay there already."""
    seconds: float

    @property
    def weight(self) -> float:
        """Return the sum of the samples' weights: as many positions are new to the learner."""
        return float(self.samples.weight.sum(dtype=np.float64))


def play(stage: Stage, generation: int, open_pool: OpenPool) -> PlayedGeneration:
    """Play the games of a generation that are missing, and write its shard.

    Args:
        stage: the run.
        generation: which one.
        open_pool: opens what plays; asked only if there are games to play.

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
        return PlayedGeneration(_read_again(shard, stage.rules), [], 0.0)
    preset, total = stage.preset, stage.preset.selfplay.num_games(generation)
    journal = Journal(stage.folder.journal, generation, stage.rules, keep=not preset.deterministic)
    try:
        done = [int(game.game_id[0]) for game in journal.games]
        if len(set(done)) < len(done):
            raise BadRecord(f"{journal.path}: holds a game twice; remove the file, its games will be played again.")
        pool = open_pool(Order(generation, total, done, _seed(stage, generation, journal.attempt)), journal.add)
        synced = time.monotonic()
        with pool:
            while pool.wait(TICK_S):
                if stage.stop.is_set():
                    raise Stopped
                if time.monotonic() - synced > SYNC_S:
                    journal.sync()
                    synced = time.monotonic()
                stage.tell(generation, "self-play", len(done) + len(pool.finished), total, pool.reading())
        stage.tell(generation, "self-play", len(done) + len(pool.finished), total, pool.reading())
        games = [game for game in [*journal.games, *pool.finished] if int(game.game_id[0]) < total]
        assert len(games) == total, "a pool ends when all games are there"
        samples = Samples.concatenate(sorted(games, key=lambda game: int(game.game_id[0])))
        write_shard(shard, samples, rules_key=stage.rules, names=preset.games)
    finally:
        journal.close()
    journal.remove()
    return PlayedGeneration(samples, pool.reports, time.perf_counter() - begun)


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
