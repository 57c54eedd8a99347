"""The self-play stage of a generation; each finished game is written to disk at once."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Protocol

import msgspec
import numpy as np

from ludus.errors import BadRecord
from ludus.kernel import working_s
from ludus.loop.directory.journal import Journal, read_journal
from ludus.loop.stages.stage import Order, Stage, Stopped
from ludus.seeding import stream
from ludus.selfplay.reading import Reading, WorkerReport
from ludus.store import Samples, read_shard, shard_path, write_shard

SYNC_S = 5.0  # seconds between two fsyncs of the journal, which protect it from power cuts
TICK_S = 0.5  # seconds between two progress reports


class SelfplayPool(AbstractContextManager[object], Protocol):
    """Plays an order in threads, processes or other machines; a context manager that ends unfinished games on exit."""

    @property
    def finished(self) -> list[Samples]:
        """Return the finished games."""
        ...

    @property
    def reports(self) -> list[WorkerReport]:
        """Return statistics of the workers."""
        ...

    def wait(self, seconds: float, /) -> bool:
        """Wait up to `seconds`; return whether games are still being played."""
        ...

    def reading(self) -> Reading | None:
        """Return current speeds of the workers; None: they have not started."""
        ...


OpenPool = Callable[[Order, Callable[[Samples], object]], SelfplayPool]
"""Opens a pool for an order; the pool calls the given function with each finished game."""


class PlayedGeneration(msgspec.Struct, frozen=True):
    """The games of a generation, with statistics and duration."""

    samples: Samples
    reports: list[WorkerReport]
    """Statistics of this process's workers; empty if the games were already on disk."""
    seconds: float

    @property
    def weight(self) -> float:
        """Return the sum of the sample weights, which determines the number of training steps."""
        return float(self.samples.weight.sum(dtype=np.float64))


def play(stage: Stage, generation: int, open_pool: OpenPool) -> PlayedGeneration:
    """Play the missing games of a generation and write its shard.

    Args:
        stage: the run.
        generation: its number.
        open_pool: opens the pool; only called if games are missing.

    Raises:
        BadRecord: games on disk are damaged, or were played under other rules.
        Unavailable: the disk cannot be written, or other processes or machines fail; finished games are kept.
        Stopped: `stage.stop` was set; the finished games are kept.
    """
    begun = working_s()
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
            raise BadRecord(f"{journal.path}: holds a game twice; remove the file to play its games again.")
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
    return PlayedGeneration(samples, pool.reports, working_s() - begun)


def _read_again(shard: Path, rules: str) -> Samples:
    """Read the shard of an unfinished generation; the error for a damaged one recommends to delete it."""
    try:
        return read_shard(shard, rules_key=rules)
    except BadRecord as error:
        raise BadRecord(f"{error} Or delete it: the run then plays this unfinished generation again.") from error


def _seed(stage: Stage, generation: int, attempt: int) -> int:
    """Return the seed of self-play; it changes after an interruption, so that finished games are not repeated."""
    seed = stage.seed(generation)
    return int(stream(seed, "attempt", attempt).integers(1 << 62)) if attempt else seed
