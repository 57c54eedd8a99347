"""The pipelined mode: self-play of the next generation runs while the network learns from the last one.

Self-play is at most one generation ahead, so the ratio of trained to played samples is the same as in the other mode.
The running pool receives new weights as soon as they are learned.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from types import TracebackType
from typing import NamedTuple

from ludus.loop.stages.play import OpenPool, PlayedGeneration, SelfplayPool, play
from ludus.loop.stages.sources import Sources, first_sources, open_sources, share, worker_pool_of
from ludus.loop.stages.stage import Order, Stage
from ludus.network.checkpoint import load_checkpoint
from ludus.selfplay.source import Source
from ludus.store import Samples


class RemotePlayers(NamedTuple):
    """Other machines, which play self-play games in place of this machine."""

    play_with: Callable[[int | None], object]
    """Sends them the network of a generation; None: no generation is trained yet."""
    open_pool: OpenPool


class Pipeline:
    """Plays generations in its own thread; a context manager that ends the thread on exit."""

    def __init__(self, stage: Stage, first: int, remote: RemotePlayers | None = None) -> None:
        """Prepare self-play from generation `first` on; `remote` plays instead of this machine."""
        self._stage, self._first, self._remote = stage, first, remote
        self._change = threading.Condition()
        self._played: dict[int, PlayedGeneration] = {}
        self._learned = first - 1  # newest generation with a model
        self._sources: list[Source] = []
        self._failure: BaseException | None = None
        self._ended = False
        self._thread = threading.Thread(target=self._work, daemon=True)

    def __enter__(self) -> Pipeline:
        """Start the self-play thread."""
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        """Stop the self-play thread, abandon unfinished games and wait for its end."""
        with self._change:
            self._ended = True
            self._change.notify_all()
        self._stage.stop.set()
        self._thread.join()
        self._stage.stop.clear()

    def take(self, generation: int) -> PlayedGeneration:
        """Wait for the games of a generation and return them; raises the error of the self-play thread."""
        with self._change:
            while generation not in self._played and self._failure is None:
                self._change.wait(0.5)  # with a timeout, so that Ctrl-C takes effect
            if generation in self._played:
                return self._played.pop(generation)
            assert self._failure is not None, "the thread ends with games or with an error"
            raise self._failure

    def learned(self, generation: int) -> None:
        """Load the model of a generation into the running self-play."""
        checkpoint = load_checkpoint(self._stage.folder.model(generation))
        with self._change:
            if self._remote and self._thread.is_alive():  # otherwise all games are played
                self._remote.play_with(generation)
            for source in self._sources:
                source.swap(checkpoint.arrays, generation)
            self._learned = generation
            self._change.notify_all()

    def _work(self) -> None:
        try:
            for generation in range(self._first, self._stage.preset.generations):
                if not self._may_begin(generation):
                    return
                played = play(self._stage, generation, self._open_pool)
                if self._ended:
                    return
                with self._change:
                    self._played[generation] = played
                    self._change.notify_all()
        except BaseException as error:  # noqa: BLE001 - raised again in the waiting thread
            with self._change:
                self._failure = error
                self._change.notify_all()

    def _may_begin(self, generation: int) -> bool:
        """Wait until self-play may start a generation; return False if the pipeline has ended."""
        needed = min(generation - 1, max(0, generation - 2))  # generation 1 needs the first network
        with self._change:
            while self._learned < needed and not self._ended:
                self._change.wait()
            return not self._ended

    def _open_pool(self, order: Order, on_game: Callable[[Samples], object]) -> SelfplayPool:
        if self._remote:
            with self._change:  # otherwise older weights could replace newer ones
                self._remote.play_with(self._learned if order.generation else None)
            return self._remote.open_pool(order, on_game)
        return worker_pool_of(self._stage, order, self._open(order.generation), on_game)

    def _open(self, generation: int) -> Sources:
        if generation == 0:
            return first_sources(self._stage)
        with self._change:
            if not self._sources:
                checkpoint = load_checkpoint(self._stage.folder.model(self._learned))
                self._sources = open_sources(self._stage, checkpoint, network=self._learned)
            return share(self._sources)
