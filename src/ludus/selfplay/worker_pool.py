"""The pool: self-play workers as threads, where their evaluations come from, and a reading of how well they run."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from types import TracebackType

import msgspec

from ludus.games.game import Game
from ludus.progress import patience_s
from ludus.search.settings import SearchSettings
from ludus.selfplay.game_batch import GameBatch
from ludus.selfplay.settings import SelfplaySettings
from ludus.selfplay.source import Quota, Source
from ludus.selfplay.spent import read_spent
from ludus.selfplay.worker import WorkerReport, report_of, run_worker
from ludus.store import Samples


class Reading(msgspec.Struct, frozen=True):
    """How the pool has run for a while."""

    seconds: float
    workers: int
    simulations_per_s: float
    evaluations_per_s: float
    """Positions that the evaluator judged."""
    positions_per_s: float
    """Positions that were searched and played on from, those of unfinished games included."""
    cache_hits_per_s: float
    evaluator_share: float
    """Of the workers' time: waiting for the evaluator."""
    search_share: float
    """In the compiled search."""
    batch_fill: float
    """Leaves in the batches over what they could have held."""
    games_in_flight: int
    widening_share: float
    """Of the evaluations: asked again for edges that were not kept."""
    full_trees: int
    """Searches that ended early because a tree was full."""
    machines: int = 0
    """That play together; 0: it is this one alone."""

    @property
    def cache_hit_share(self) -> float:
        """Of the positions that needed an evaluation, how many the cache knew."""
        return self.cache_hits_per_s / max(1e-9, self.cache_hits_per_s + self.evaluations_per_s)

    def __str__(self) -> str:
        """Return the line that users see."""
        together = f" on {self.machines} machine{'s' * (self.machines > 1)}" if self.machines else ""
        return (
            f"{self.positions_per_s:,.0f} positions/s, {self.evaluations_per_s:,.0f} evaluations/s, "
            f"{self.cache_hit_share:.0%} cache hits, batches {self.batch_fill:.0%} full, "
            f"evaluator {self.evaluator_share:.0%} busy, search {self.search_share:.0%}, "
            f"{self.games_in_flight} games in flight{together}"
        )


class WorkerPool:
    """Plays a quota of games with several workers; use it as a context, which ends all threads."""

    def __init__(
        self,
        games: Sequence[Game],
        source: Callable[[int], Source],
        search: SearchSettings,
        settings: SelfplaySettings,
        quota: Quota,
        *,
        seed: int,
        workers: int,
        progress: float = 1.0,
        on_game: Callable[[Samples], object] = lambda _samples: None,
    ) -> None:
        """Prepare the threads.

        Args:
            games: the games of the run.
            source: makes each worker's source from its number; workers may share one.
            search: the search.
            settings: how games are played.
            quota: how many games.
            seed: of the generation.
            workers: threads.
            progress: how far the run is, 0 to 1.
            on_game: is given every finished game, by the thread that played it.
        """
        self.finished: list[Samples] = []
        self.reports: list[WorkerReport] = []
        self._failures: list[BaseException] = []
        self._game_batches: list[GameBatch] = []
        self._quota, self._workers = quota, workers
        self._last = (0.0,) * 10

        def take(samples: Samples) -> None:
            self.finished.append(samples)
            on_game(samples)

        def work(worker: int) -> None:
            try:
                self.reports.append(
                    run_worker(
                        games,
                        source(worker),
                        search,
                        settings,
                        quota,
                        take,
                        seed=seed,
                        worker=worker,
                        progress=progress,
                        on_game_batch=self._game_batches.append,
                    )
                )
            except BaseException as error:  # noqa: BLE001 - carried to the thread that waits
                self._failures.append(error)
                quota.cancelled.set()
            finally:
                self._ends[worker].set()

        # To wait for: `Thread.join`, once interrupted by a signal, takes a thread for ended that still runs (CPython
        # issue 90882), and a process that ends while a thread is inside the evaluator aborts.
        self._ends = [threading.Event() for _ in range(workers)]
        self._threads = [threading.Thread(target=work, args=(worker,), daemon=True) for worker in range(workers)]

    def __enter__(self) -> WorkerPool:
        """Start the workers."""
        self._last = (time.perf_counter(), *self._last[1:])
        try:
            for thread in self._threads:
                thread.start()
        except BaseException as error:  # interrupted: those that were started must not be left alone
            self.__exit__(type(error), error, None)
            raise
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        """Have the workers leave their games, and wait for them; raise what one of them raised."""
        self._quota.cancelled.set()
        until = time.monotonic() + patience_s(kind)
        for thread, end in zip(self._threads, self._ends, strict=True):
            left_s = max(0.0, until - time.monotonic())
            if thread.ident is not None and end.wait(left_s):  # it was started, and has ended
                thread.join()
        if self._failures and error is None:
            raise self._failures[0]

    def wait(self, seconds: float) -> bool:
        """Wait for the workers to end, at most `seconds`; return whether some still play."""
        playing = [end for end in self._ends if not end.is_set()]
        if playing:
            playing[0].wait(seconds)
        return not all(end.is_set() for end in self._ends)

    def report(self) -> WorkerReport:
        """Return what all workers have done so far, in the middle of their games."""
        return report_of(list(self._game_batches))

    def reading(self) -> Reading:
        """Return how the pool has run since the last reading."""
        game_batches = list(self._game_batches)
        counters = [game_batch.group.counters() for game_batch in game_batches]
        count = lambda name: float(sum(each[name] for each in counters))  # noqa: E731 - sums of one kind
        moment, spent = read_spent(game_batches)
        now = (
            moment,
            count("simulations"),
            count("evaluations"),
            count("cache_hits"),
            count("widenings"),
            count("full_trees"),
            sum(each.evaluator_s for each in spent),
            sum(each.search_s for each in spent),
            float(sum(game_batch.batches * len(game_batch.group.lane.planes) for game_batch in game_batches)),
            float(sum(game_batch.positions_so_far for game_batch in game_batches)),
        )
        seconds, simulations, evaluations, hits, widenings, full, evaluator_s, search_s, capacity, positions = (
            new - old for new, old in zip(now, self._last, strict=True)
        )
        self._last = now
        busy = max(1e-9, seconds * self._workers)
        return Reading(
            seconds=seconds,
            workers=self._workers,
            simulations_per_s=simulations / max(1e-9, seconds),
            evaluations_per_s=evaluations / max(1e-9, seconds),
            positions_per_s=max(0.0, positions) / max(1e-9, seconds),
            cache_hits_per_s=hits / max(1e-9, seconds),
            evaluator_share=evaluator_s / busy,
            search_share=search_s / busy,
            batch_fill=evaluations / max(1.0, capacity),
            games_in_flight=sum(game_batch.in_flight for game_batch in game_batches),
            widening_share=widenings / max(1.0, evaluations),
            full_trees=int(full),
        )
