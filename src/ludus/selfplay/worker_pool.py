"""Self-play workers: threads that each play batches of games in turn, and measurements of their speed."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from types import TracebackType

from ludus.games.game import Game
from ludus.kernel import working_s
from ludus.progress import patience_s
from ludus.search.settings import SearchSettings
from ludus.search.tree import COUNTERS
from ludus.seeding import stream
from ludus.selfplay.game_batch import GameBatch
from ludus.selfplay.reading import Reading, WorkerReport
from ludus.selfplay.settings import SelfplaySettings
from ludus.selfplay.source import Quota, Source
from ludus.selfplay.spent import read_spent
from ludus.store import Samples

IDLE_S = 0.02  # interval at which a worker without games checks for new ones


class WorkerPool:
    """A pool of threads that play a quota of games; as a context manager, it stops all threads at the end."""

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
        """Create the threads.

        Args:
            games: the games of the run.
            source: creates the source of evaluations for a worker, given its number; workers may share one.
            search: the search settings.
            settings: the self-play settings.
            quota: the games to play.
            seed: seed of the generation.
            workers: number of threads.
            progress: progress of the run, 0 to 1.
            on_game: called with every finished game, in the thread that played it.
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
            except BaseException as error:  # noqa: BLE001 - raised in the thread that waits
                self._failures.append(error)
                quota.cancelled.set()
            finally:
                self._ends[worker].set()

        # Used for waiting, because a `Thread.join` interrupted by a signal marks a running thread as ended (CPython
        # issue 90882), and a process that exits while a thread is inside the evaluator aborts.
        self._ends = [threading.Event() for _ in range(workers)]
        self._threads = [threading.Thread(target=work, args=(worker,), daemon=True) for worker in range(workers)]

    def __enter__(self) -> WorkerPool:
        """Start the workers."""
        self._last = (working_s(), *self._last[1:])
        try:
            for thread in self._threads:
                thread.start()
        except BaseException as error:  # interrupted: stop the threads that were started
            self.__exit__(type(error), error, None)
            raise
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        """Stop the workers, wait for them, and raise the first error of a worker."""
        self._quota.cancelled.set()
        until = time.monotonic() + patience_s(kind)
        for thread, end in zip(self._threads, self._ends, strict=True):
            left_s = max(0.0, until - time.monotonic())
            if thread.ident is not None and end.wait(left_s):  # the thread was started and has ended
                thread.join()
        if self._failures and error is None:
            raise self._failures[0]

    def wait(self, seconds: float) -> bool:
        """Wait at most `seconds` for the workers to end; return whether some still play."""
        playing = [end for end in self._ends if not end.is_set()]
        if playing:
            playing[0].wait(seconds)
        return not all(end.is_set() for end in self._ends)

    def report(self) -> WorkerReport:
        """Return the totals of all workers so far."""
        return report_of(list(self._game_batches))

    def reading(self) -> Reading:
        """Return rates and shares since the last reading."""
        game_batches = list(self._game_batches)
        counters = [game_batch.group.counters() for game_batch in game_batches]
        count = lambda name: float(sum(each[name] for each in counters))  # noqa: E731 - a sum over batches
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


def run_worker(  # noqa: PLR0913 - a worker gets all its settings at its start
    games: Sequence[Game],
    source: Source,
    search: SearchSettings,
    settings: SelfplaySettings,
    quota: Quota,
    on_game: Callable[[Samples], None],
    *,
    seed: int,
    worker: int,
    progress: float = 1.0,
    on_game_batch: Callable[[GameBatch], object] = lambda _game_batch: None,
) -> WorkerReport:
    """Play games until the quota is used up.

    Args:
        games: the games of the run; the quota determines which of them to play.
        source: evaluates the leaves.
        search: the search settings.
        settings: the self-play settings.
        quota: shared with the other workers.
        on_game: called with every finished game.
        seed: seed of the generation.
        worker: number of this worker, which determines its random streams.
        progress: progress of the run, 0 to 1.
        on_game_batch: called once with each batch of games before its first evaluation; the caller may keep the batch
            and read its counters while it plays.

    Returns:
        Totals of this worker.
    """
    game_batches = [
        GameBatch(games, source, search, settings, quota, on_game, stream(seed, "selfplay", worker, number), progress)
        for number in range(settings.groups)
    ]
    for game_batch in game_batches:
        on_game_batch(game_batch)
    busy = True
    with ExitStack() as stack:
        for game_batch in game_batches:
            stack.callback(game_batch.leave)  # all batches are left, even if the evaluator fails again
        while (busy or quota.is_open) and not quota.cancelled.is_set():
            if not busy:
                quota.cancelled.wait(IDLE_S)
            busy = False
            for game_batch in game_batches:  # every batch has its turn, even if an earlier one has work
                busy = game_batch.turn() or busy
    return report_of(game_batches)


def report_of(game_batches: Sequence[GameBatch]) -> WorkerReport:
    """Combine the totals of several batches of games into one report."""
    counters = [game_batch.group.counters() for game_batch in game_batches]
    return WorkerReport(
        counters={name: sum(each[name] for each in counters) for name in COUNTERS},
        search_s=sum(game_batch.spent.search_s for game_batch in game_batches),
        evaluator_s=sum(game_batch.spent.evaluator_s for game_batch in game_batches),
        batches=sum(game_batch.batches for game_batch in game_batches),
        rows=sum(game_batch.rows for game_batch in game_batches),
        capacity=sum(game_batch.batches * len(game_batch.group.lane.planes) for game_batch in game_batches),
        played_out=sum(game_batch.played_out for game_batch in game_batches),
        wrongly_resigned=sum(game_batch.wrongly_resigned for game_batch in game_batches),
    )
