"""Self-play in several processes of this machine, each with a worker pool of its own, seen as one pool.

A process drives a GPU of its own, and its threads share no lock with those of the others.  Finished games are told to
the run, which alone writes.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import TracebackType

import msgspec

from ludus.loop.directory.folder import Folder
from ludus.loop.preset import Preset
from ludus.loop.processes import ParentConnection, WorkerProcesses
from ludus.loop.stages.sources import sources_of, worker_pool_of
from ludus.loop.stages.stage import Order, Stage
from ludus.network.backends import devices
from ludus.seeding import stream
from ludus.selfplay.openings import Openings
from ludus.selfplay.reading import Reading, WorkerReport, together
from ludus.store import Samples

READ_S = 0.5  # between two readings of a process


class ProcessPool:
    """Plays an order with several processes; use it as a context, which ends them all."""

    def __init__(
        self, stage: Stage, playing: int | None, order: Order, on_game: Callable[[Samples], object], *, size: int
    ) -> None:
        """Share an order out.

        Args:
            stage: the run.
            playing: generation of the network that plays; None: there is none yet.
            order: what is to be played.
            on_game: is given every finished game.
            size: how many processes; its workers are shared out, too.
        """
        self.finished: list[Samples] = []
        self.reports: list[WorkerReport] = []
        self._on_game = on_game
        self._readings: dict[int, Reading] = {}
        names = devices(stage.preset.device)
        self._processes = WorkerProcesses(
            "self-play",
            _play_share,
            [
                (
                    msgspec.structs.replace(stage.preset, device=names[number % len(names)]),
                    stage.folder.path,
                    stage.openings,
                    workers_of(stage.workers, number, size),
                    playing,
                    share_of(order, number, size),
                )
                for number in range(size)
            ],
        )

    def __enter__(self) -> ProcessPool:
        """Start the processes."""
        self._processes.__enter__()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        """End the processes; games that they have not told of are lost."""
        self._processes.__exit__(kind, error, at)

    def wait(self, seconds: float) -> bool:
        """Hear of the games for a while; return whether some processes still play.

        Raises:
            LudusError: a process raised it.
            Unavailable: a process died, or the disk refuses.
        """
        for number, said in self._processes.hear(seconds):
            if isinstance(said, Samples):
                self._on_game(said)
                self.finished.append(said)
            elif isinstance(said, Reading):
                self._readings[number] = said
            else:
                self.reports += said
        return self._processes.is_working

    def reading(self) -> Reading | None:
        """Return how the processes ran lately, all together; None: they have not begun."""
        return together(list(self._readings.values())) if self._readings else None


def share_of(order: Order, number: int, size: int) -> Order:
    """Return the part of an order that process `number` of `size` plays: as many games as others, of all boards.

    They are drawn by lot: a game's number says which board it has, so that every so-many-th may have but a few of them.
    """
    missing = sorted(set(range(order.games)).difference(order.done))
    own = stream(order.seed, "deal").permutation(missing)[number::size].tolist()
    seed = int(stream(order.seed, "process", number).integers(1 << 62))
    return msgspec.structs.replace(order, done=sorted(set(range(order.games)).difference(own)), seed=seed)


def workers_of(workers: int, number: int, size: int) -> int:
    """Return how many of the workers process `number` of `size` has: one at least."""
    return max(1, workers // size + (number < workers % size))


def _play_share(
    parent: ParentConnection,
    preset: Preset,
    directory: Path,
    openings: Openings | None,
    workers: int,
    playing: int | None,
    order: Order,
) -> None:
    """Be one of the processes."""
    stage = Stage(preset, Folder(directory), preset.make_games(), workers, lambda _event: None)
    stage.openings = openings  # which the run has read
    pool = worker_pool_of(stage, order, sources_of(stage, order.generation, playing), parent.say)
    with pool:
        while pool.wait(READ_S):
            parent.say(pool.reading())
    parent.say(pool.reports)
