"""What plays on a machine of a cluster: a pool that is dealt games by the run, in a process that Ray has started.

It needs the same Ludus and the same rules, and nothing on disk: all else comes with the questions of the run, and
finished games go back with the answers.  Whatever it holds when it dies is dealt to others.
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
from ludus.selfplay.openings import Openings
from ludus.selfplay.reading import WorkerReport
from ludus.selfplay.source import OpenQuota, Source
from ludus.selfplay.worker_pool import WorkerPool
from ludus.store import Samples
from ludus.version import __version__


class Member:
    """Answers the run, one question at a time; its pool plays meanwhile."""

    def __init__(self) -> None:
        self._stage: Stage | None = None
        self._pool: WorkerPool | None = None
        self._hand = OpenQuota()
        self._sources: list[Source] = []
        self._folder = tempfile.TemporaryDirectory(prefix="ludus-")
        self._change = threading.Condition()
        self._finished: list[Samples] = []
        self._held = 0

    def version(self) -> str:
        """Return this machine's Ludus."""
        return __version__

    def join(self, charge: JoinOrder, openings: Openings | None) -> list[str]:
        """Take part in a run; return the fingerprints of what the rules of its games do here.

        Raises:
            BadGame: a game's file needs what is not here.
        """
        specs = [self._written(spec, charge.files) for spec in charge.preset.games]
        preset = msgspec.structs.replace(charge.preset, games=specs)
        stage = Stage(preset, Folder(Path(self._folder.name)), preset.make_games(), charge.workers, lambda _event: None)
        stage.openings = openings  # of the run's machine, which has the records
        self._stage = stage
        return [behaviour(game) for game in stage.games]

    def begin(self, order: Order, weights: Weights | None) -> None:
        """Be ready to play games of a generation; what an earlier one has left is given up.

        Args:
            order: the generation; its games are dealt later.
            weights: of the network that plays; None: the first teacher does.
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
        self._hand = OpenQuota(shares=shares, openings=self._stage.openings)
        self._finished, self._held = [], 0
        self._pool = worker_pool_of(self._stage, order, sources, self._take, quota=self._hand)
        self._pool.__enter__()

    def play(self, numbers: list[int], seconds: float, weights: Weights | None) -> Turn:
        """Add games to the hand, play on, and return those that ended; at once when the last one has.

        Args:
            numbers: of the games.
            seconds: how long to play at most.
            weights: of a newer network, which the games go on with; None: there is none.
        """
        assert self._pool, "it begins before it plays"
        if weights is not None:
            checkpoint = self._checkpoint(weights)
            for source in self._sources:
                source.swap(checkpoint.arrays, weights.network)
        with self._change:
            self._held += len(numbers)
            self._hand.deal(numbers)
            self._change.wait_for(lambda: bool(self._finished) and not self._held, seconds)
            games, self._finished = self._finished, []
        if not self._pool.wait(0.0):
            self._give_up()  # raises why its workers ended
        return Turn(games, self._pool.reading(), [self._pool.report()])

    def end(self) -> list[WorkerReport]:
        """End the generation; return how the workers have played."""
        assert self._pool, "it begins before it ends"
        pool = self._pool
        self._hand.close()
        while pool.wait(1.0):
            pass
        self._give_up()
        return pool.reports

    def _take(self, game: Samples) -> None:
        """Keep a finished game until the run asks; called by the workers."""
        with self._change:
            self._finished.append(game)
            self._held -= 1
            self._change.notify_all()

    def _give_up(self) -> None:
        pool, self._pool, self._sources = self._pool, None, []
        if pool:
            pool.__exit__(None, None, None)

    def _checkpoint(self, weights: Weights) -> Checkpoint:
        """Return the network; what crossed the net is held against its checksum, and does not stay on the disk."""
        path = Path(self._folder.name) / "network.safetensors"
        try:
            path.write_bytes(weights.checkpoint)
            return load_checkpoint(path)
        finally:
            path.unlink(missing_ok=True)  # a member that is killed leaves its folder behind

    def _written(self, spec: str, files: dict[str, bytes]) -> str:
        """Return the name of a game here, whose file is written if it came along."""
        name, colon, parts = spec.partition(":")
        if name not in files:
            return spec
        path = Path(self._folder.name) / f"game-{sorted(files).index(name)}" / Path(name).name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(files[name])
        return f"{path}{colon}{parts}"
