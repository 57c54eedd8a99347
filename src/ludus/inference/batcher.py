"""A batcher: evaluates the positions of many callers in common batches.

It does not wait for full batches: all positions that arrived during the last batch form the next one.  A single caller
therefore gets its answer at once, and batches grow with the load.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Sequence
from concurrent.futures import Future

import numpy as np

from ludus.errors import Unavailable
from ludus.network.evaluator import Evaluator, Lane, Logits, Outcomes, Planes

Judged = tuple[Logits, Outcomes]  # [B, A] and [B, 3]
QUEUE = 64  # maximum number of waiting batches; beyond them, callers should use another server


class _BatchJob:
    """A request of one caller to evaluate some rows."""

    def __init__(self, planes: Planes) -> None:
        self.planes = planes
        self.taken = 0  # rows already put into batches
        self.left = len(planes)  # rows not evaluated yet
        self.judged: Judged | None = None
        self.future: Future[Judged] = Future()

    def settle(self, error: Exception | None = None) -> None:
        """Set the future's result or exception, unless it is done or cancelled; only one thread may call this."""
        if self.future.done() or not self.future.set_running_or_notify_cancel():
            return
        if error is not None:
            self.future.set_exception(error)
        else:
            assert self.judged is not None, "all its rows were evaluated"
            self.future.set_result(self.judged)


class Batcher:
    """Evaluates rows of many callers in common batches; thread-safe."""

    def __init__(self, evaluators: Sequence[Evaluator], *, batch: int, lanes: int = 2) -> None:
        """Start a thread for each lane.

        Args:
            evaluators: evaluators of one network, one for each device.
            batch: maximum number of rows per batch.
            lanes: lanes per evaluator; with 2, one batch is filled while another is evaluated.
        """
        self._batch = batch
        self._change = threading.Condition()
        self._jobs: deque[_BatchJob] = deque()
        self._waiting = 0  # rows in the queue
        self._ended = False
        self.batches = self.rows = 0
        self._threads = [
            threading.Thread(target=self._run, args=(evaluator.lane(batch),), name="ludus-batcher", daemon=True)
            for evaluator in evaluators
            for _ in range(lanes)
        ]
        for thread in self._threads:
            thread.start()

    def ask(self, planes: Planes) -> Future[Judged]:
        """Queue any number of planes [B, C, H, W] for evaluation; cancel the returned future to drop them.

        Raises:
            Unavailable: the queue is full, or the batcher is closed.
        """
        job = _BatchJob(planes)
        with self._change:
            if self._ended:
                raise Unavailable("The server is shutting down.")
            if self._jobs and self._waiting + len(planes) > QUEUE * self._batch:
                raise Unavailable(f"{self._waiting:,} positions are already waiting; use another server.")
            self._jobs.append(job)
            self._waiting += len(planes)
            self._change.notify()
        return job.future

    def close(self) -> None:
        """Evaluate the waiting rows, refuse new ones, and end the threads."""
        with self._change:
            self._ended = True
            self._change.notify_all()
        for thread in self._threads:
            thread.join()

    def _run(self, lane: Lane) -> None:
        while parts := self._take():
            self._serve(lane, parts)

    def _serve(self, lane: Lane, parts: list[tuple[_BatchJob, int, int]]) -> None:
        """Evaluate a batch; after an error, evaluate its jobs one by one, since one job may be the cause."""
        try:
            logits, outcomes = _judge(lane, parts)
        except Exception as error:  # noqa: BLE001 - passed to the callers
            if len(parts) > 1:
                for part in parts:
                    self._serve(lane, [part])
                return
            with self._change:  # another lane may fail with the same job
                parts[0][0].settle(error)
            return
        self._give(parts, logits, outcomes)

    def _take(self) -> list[tuple[_BatchJob, int, int]]:
        """Wait for rows; return the next batch as (job, first row, number of rows), empty after closing."""
        with self._change:
            while True:
                parts = self._next()
                if parts or self._ended:
                    if self._jobs:
                        self._change.notify()  # other lanes may take the rest of a large job
                    return parts
                self._change.wait()

    def _next(self) -> list[tuple[_BatchJob, int, int]]:
        parts, room = list[tuple[_BatchJob, int, int]](), self._batch
        while self._jobs and room:
            job = self._jobs[0]
            rest = len(job.planes) - job.taken
            if job.future.done():  # cancelled, or failed in another batch
                self._jobs.popleft()
                self._waiting -= rest
                continue
            count = min(room, rest)
            parts.append((job, job.taken, count))
            job.taken += count
            room -= count
            self._waiting -= count
            if count == rest:
                self._jobs.popleft()
        return parts

    def _give(self, parts: list[tuple[_BatchJob, int, int]], logits: Logits, outcomes: Outcomes) -> None:
        """Store the results of a batch in its jobs."""
        at = 0
        with self._change:
            self.batches += 1
            for job, first, count in parts:
                if job.judged is None:
                    job.judged = (
                        np.empty((len(job.planes), logits.shape[1]), np.float32),
                        np.empty((len(job.planes), 3), np.float32),
                    )
                job.judged[0][first : first + count] = logits[at : at + count]
                job.judged[1][first : first + count] = outcomes[at : at + count]
                at, job.left = at + count, job.left - count
                if not job.left:
                    job.settle()
            self.rows += at


def _judge(lane: Lane, parts: list[tuple[_BatchJob, int, int]]) -> Judged:
    at = 0
    for job, first, count in parts:
        lane.planes[at : at + count] = job.planes[first : first + count]
        at += count
    lane.submit(at)
    return lane.answer()
