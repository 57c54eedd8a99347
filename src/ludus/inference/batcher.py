"""A batcher: what many callers ask of one network, judged in common batches.

It never waits for more: whatever has come while the last batch was judged is the next one, so that a lone caller is
answered at once, and batches grow with the load.
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
QUEUE = 64  # batches that may wait; a caller beyond them does better to ask another server


class _BatchJob:
    """What one caller asks."""

    def __init__(self, planes: Planes) -> None:
        self.planes = planes
        self.taken = 0  # rows that were put into batches
        self.left = len(planes)  # rows that are not judged yet
        self.judged: Judged | None = None
        self.future: Future[Judged] = Future()

    def settle(self, error: Exception | None = None) -> None:
        """Give the caller what was found, or what went wrong, unless he has it or has gone; one thread at a time."""
        if self.future.done() or not self.future.set_running_or_notify_cancel():
            return
        if error is not None:
            self.future.set_exception(error)
        else:
            assert self.judged is not None, "all its rows were judged"
            self.future.set_result(self.judged)


class Batcher:
    """Judges the rows of many callers; any thread may ask."""

    def __init__(self, evaluators: Sequence[Evaluator], *, batch: int, lanes: int = 2) -> None:
        """Start a thread for each lane.

        Args:
            evaluators: of the same network, one for each device.
            batch: rows of a lane.
            lanes: of each evaluator; with 2, one batch is put together while another is judged.
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
        """Have planes [B, C, H, W] judged, however many rows there are; who does not care any more cancels it.

        Raises:
            Unavailable: too much waits already, or the batcher is closed.
        """
        job = _BatchJob(planes)
        with self._change:
            if self._ended:
                raise Unavailable("The server is shutting down.")
            if self._jobs and self._waiting + len(planes) > QUEUE * self._batch:
                raise Unavailable(f"{self._waiting:,} positions wait already; ask another server.")
            self._jobs.append(job)
            self._waiting += len(planes)
            self._change.notify()
        return job.future

    def close(self) -> None:
        """Judge what is there, refuse what comes, and end the threads."""
        with self._change:
            self._ended = True
            self._change.notify_all()
        for thread in self._threads:
            thread.join()

    def _run(self, lane: Lane) -> None:
        while parts := self._take():
            self._serve(lane, parts)

    def _serve(self, lane: Lane, parts: list[tuple[_BatchJob, int, int]]) -> None:
        """Judge a batch; one that fails is judged job by job, since one caller's planes may be the reason."""
        try:
            logits, outcomes = _judge(lane, parts)
        except Exception as error:  # noqa: BLE001 - callers are told; nobody else would be
            if len(parts) > 1:
                for part in parts:
                    self._serve(lane, [part])
                return
            with self._change:  # another lane may fail with other rows of the same job
                parts[0][0].settle(error)
            return
        self._give(parts, logits, outcomes)

    def _take(self) -> list[tuple[_BatchJob, int, int]]:
        """Wait for rows, and return those of the next batch: (job, first row, number of rows); none: it is over."""
        with self._change:
            while True:
                parts = self._next()
                if parts or self._ended:
                    if self._jobs:
                        self._change.notify()  # a job of many rows is work for more lanes than the one that it woke
                    return parts
                self._change.wait()

    def _next(self) -> list[tuple[_BatchJob, int, int]]:
        parts, room = list[tuple[_BatchJob, int, int]](), self._batch
        while self._jobs and room:
            job = self._jobs[0]
            rest = len(job.planes) - job.taken
            if job.future.done():  # it was cancelled, or other rows of it have failed
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
        """Hand the rows of a batch to those who asked for them."""
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
