"""Measures a pool that serves many sessions: answers and evaluations per second, waiting times, and fairness."""

from __future__ import annotations

import time
from collections.abc import Sequence
from queue import SimpleQueue

import msgspec
import numpy as np

from ludus.games.game import Game
from ludus.players.thinking.mind import Mind
from ludus.players.thinking.plan import SEAT_LEAVES
from ludus.players.thinking.pool import Pool
from ludus.players.thinking.seat import Request, Seat
from ludus.seeding import stream

OPENING_ACTIONS = 4  # at most so many random actions begin a session, so that sessions play different games


class SessionFigures(msgspec.Struct, frozen=True):
    """The figures for one number of simultaneous sessions; each figure is the median of the runs."""

    sessions: int
    leaves: int
    """Most leaves of one tree in a batch; 1 is a strictly sequential search."""
    answers_per_s: float
    evaluations_per_s: float
    visits_per_s: float
    cache_hit_share: float
    """Share of cache hits among the positions that needed an evaluation."""
    rows_per_batch: float
    batch_fill: float
    """Evaluated leaves divided by the capacity of the batches."""
    median_ms: float
    """Median time from a request to its answer."""
    p95_ms: float
    p99_ms: float
    worst_ms: float
    spread: float
    """Largest mean waiting time of a session divided by the smallest."""


def measure_sessions(
    mind: Mind,
    game: Game,
    sessions: Sequence[int],
    *,
    visits: int,
    seconds: float,
    runs: int = 3,
    slots: int = 256,
) -> list[SessionFigures]:
    """Measure the speed of sessions that play against themselves at the same time, for each number of sessions.

    Args:
        mind: the model.
        game: one of the model's games.
        sessions: numbers of sessions; one session with strictly sequential search is measured first, for comparison.
        visits: visits of each search, including those kept from the previous move.
        seconds: measured time of a run.
        runs: number of runs, whose median is returned.
        slots: number of trees of the pool.
    """
    mind.check(game)
    game.compile()
    services: list[SessionFigures] = []
    for number, leaves in [(1, 1), *((number, SEAT_LEAVES) for number in sessions)]:
        with Pool(game, mind.evaluator, mind.search, slots=slots, max_visits=2 * visits, leaves=leaves) as pool:
            pool.warm_up(game)
            _serve(pool, game, number, visits, 0.3, 0)
            services.append(_median([_serve(pool, game, number, visits, seconds, 1 + run) for run in range(runs)]))
    return services


def _serve(pool: Pool, game: Game, sessions: int, visits: int, seconds: float, seed: int) -> SessionFigures:
    """Serve a number of sessions for some seconds, and return the figures."""
    rng, answered = stream(seed, "sessions"), SimpleQueue[tuple[int, Request]]()
    pool.cache.forget()
    seats = [_sit_down(pool, game, rng) for _ in range(sessions)]
    waits: list[list[float]] = [[] for _ in seats]
    before, begun = pool.work(), time.perf_counter()

    def ask(index: int) -> None:
        seats[index].ask(visits).add_done_callback(lambda request: answered.put((index, request)))  # pyright: ignore

    for index in range(sessions):
        ask(index)
    open_requests = sessions
    while open_requests:
        index, request = answered.get()
        open_requests -= 1
        thought, seat = request.result(), seats[index]
        waits[index].append(thought.seconds)
        if time.perf_counter() - begun < seconds:
            for action in thought.best:
                seat.play(action)
            if seat.position.outcome:
                seats[index] = _sit_down(pool, game, rng)
            ask(index)
            open_requests += 1
    elapsed, work = time.perf_counter() - begun, pool.work()
    count = {name: work.counters[name] - before.counters[name] for name in work.counters}
    rows, batches = work.rows - before.rows, work.batches - before.batches
    milliseconds = 1e3 * np.concatenate([np.array(each) for each in waits])
    means = [float(np.mean(each)) for each in waits]
    return SessionFigures(
        sessions=sessions,
        leaves=pool.leaves,
        answers_per_s=len(milliseconds) / elapsed,
        evaluations_per_s=rows / elapsed,
        visits_per_s=count["simulations"] / elapsed,
        cache_hit_share=count["cache_hits"] / max(1, count["cache_hits"] + rows),
        rows_per_batch=rows / max(1, batches),
        batch_fill=rows / max(1, work.capacity - before.capacity),
        median_ms=float(np.median(milliseconds)),
        p95_ms=float(np.percentile(milliseconds, 95)),
        p99_ms=float(np.percentile(milliseconds, 99)),
        worst_ms=float(milliseconds.max()),
        spread=max(means) / max(1e-9, min(means)),
    )


def _sit_down(pool: Pool, game: Game, rng: np.random.Generator) -> Seat:
    """Return a seat at a random opening."""
    while True:
        position = game.start()
        for _ in range(int(rng.integers(OPENING_ACTIONS + 1))):
            if not position.outcome:
                position = position.play(int(rng.choice(position.actions)))
        if not position.outcome:
            return pool.seat(position)


def _median(runs: list[SessionFigures]) -> SessionFigures:
    """Return the median of each figure."""
    figures = [name for name in SessionFigures.__struct_fields__ if name not in ("sessions", "leaves")]
    return msgspec.structs.replace(
        runs[0], **{name: float(np.median([getattr(run, name) for run in runs])) for name in figures}
    )
