"""A member of a cluster: a worker pool in a process of this or another machine, with games dealt by the run.

A member needs the same Ludus and the same rules but no files: the run's questions contain all data, and the answers
return finished games.  When a member dies, its unfinished games are dealt to others.
"""

from __future__ import annotations

import tempfile
import threading
from pathlib import Path

import msgspec

from ludus.games.behaviour import behaviour
from ludus.loop.directory.folder import Folder
from ludus.loop.distributed.messages import JoinOrder, Turn, Weights
from ludus.loop.stages.sources import first_sources, network_sources, share, worker_pool_of
from ludus.loop.stages.stage import Order, Stage
from ludus.network.checkpoint import Checkpoint, load_checkpoint
from ludus.paths import spec_parts
from ludus.selfplay.openings import Openings
from ludus.selfplay.reading import WorkerReport
from ludus.selfplay.source import OpenQuota, Source
from ludus.selfplay.worker_pool import WorkerPool
from ludus.store import Samples
from ludus.trust import permit
from ludus.version import __version__


class Member:
    """A member's worker pool, with one method for each question of the run; the pool plays between questions."""

    def __init__(self) -> None:
        self._stage: Stage | None = None
        self._pool: WorkerPool | None = None
        self._quota = OpenQuota()
        self._sources: list[Source] = []
        self._folder: tempfile.TemporaryDirectory[str] | None = None  # received game files
        self._change = threading.Condition()
        self._finished: list[Samples] = []
        self._held = 0

    def version(self) -> str:
        """Return the version of Ludus on this machine."""
        return __version__

    def join(self, order: JoinOrder, openings: Openings | None) -> list[str]:
        """Join a run; return the fingerprints of its games' rules on this machine.

        Raises:
            BadGame: a game's file needs something that is missing here.
        """
        specs = [self._written(spec, order.files) for spec in order.preset.games]
        preset = msgspec.structs.replace(order.preset, games=specs)
        games, read_openings = preset.make_games(), lambda: openings  # the records exist only on the run's machine
        self._stage = Stage(preset, Folder(Path()), games, order.workers, lambda _: None, read_openings=read_openings)
        return [behaviour(game) for game in games]

    def begin(self, order: Order, weights: Weights | None) -> None:
        """Prepare to play games of a generation; abandon an earlier generation.

        Args:
            order: the generation; its games are dealt by `play`.
            weights: the playing network; None: the first teacher plays.
        """
        assert self._stage, "it joins before it begins"
        self._give_up()
        if weights is None:
            sources = first_sources(self._stage)
        else:
            self._sources = network_sources(
                self._stage, self._checkpoint(weights), order.generation, network=weights.network
            )
            sources = share(self._sources)
        shares = self._stage.preset.shares_of(order.generation)
        self._quota = OpenQuota(shares=shares, openings=self._stage.openings)
        self._finished, self._held = [], 0
        self._pool = worker_pool_of(self._stage, order, sources, self._take, quota=self._quota)
        self._pool.__enter__()

    def play(self, numbers: list[int], seconds: float, weights: Weights | None) -> Turn:
        """Add games, play for up to `seconds`, and return finished games; return at once when no game is left.

        Args:
            numbers: numbers of the games to add.
            seconds: the longest waiting time.
            weights: a newer network for all games; None: keep the current one.
        """
        assert self._pool, "begin() was called before play()"
        if weights is not None:
            checkpoint = self._checkpoint(weights)
            for source in self._sources:
                source.swap(checkpoint.arrays, weights.network)
        with self._change:
            self._held += len(numbers)
            self._quota.deal(numbers)
            self._change.wait_for(lambda: bool(self._finished) and not self._held, seconds)
            games, self._finished = self._finished, []
        if not self._pool.wait(0.0):
            self._give_up()  # raises the error of the workers
        return Turn(games, self._pool.reading(), [self._pool.report()])

    def end(self) -> list[WorkerReport]:
        """Finish the generation; return the workers' reports."""
        assert self._pool, "begin() was called before end()"
        pool = self._pool
        self._quota.close()
        while pool.wait(1.0):
            pass
        self._give_up()
        return pool.reports

    def _take(self, game: Samples) -> None:
        """Store a finished game for the next answer; called by the workers."""
        with self._change:
            self._finished.append(game)
            self._held -= 1
            self._change.notify_all()

    def _give_up(self) -> None:
        pool, self._pool, self._sources = self._pool, None, []
        if pool:
            pool.__exit__(None, None, None)

    def _checkpoint(self, weights: Weights) -> Checkpoint:
        """Load a network through a temporary file, which is deleted at once since members may be killed."""
        with tempfile.TemporaryDirectory(prefix="ludus-") as folder:
            path = Path(folder) / "network.safetensors"
            path.write_bytes(weights.checkpoint)
            return load_checkpoint(path)

    def _written(self, spec: str, files: dict[str, bytes]) -> str:
        """Return the spec of a game on this machine; write the game's file if the run sent it."""
        name, *parts = spec_parts(spec)
        if name not in files:
            return spec
        self._folder = self._folder or tempfile.TemporaryDirectory(prefix="ludus-")
        path = Path(self._folder.name) / f"game-{sorted(files).index(name)}" / Path(name).name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(files[name])
        permit(str(path))
        return ":".join([str(path), *parts])
