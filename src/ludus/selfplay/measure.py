"""Measures how fast search and self-play are on this machine; every figure in the documentation comes from here."""

from __future__ import annotations

import platform
import subprocess
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec
import numpy as np

from ludus.games.game import Game
from ludus.network.config import Shapes
from ludus.network.evaluator import Evaluator, NullEvaluator
from ludus.players.group import Group, StateEvaluator
from ludus.search.settings import SearchSettings
from ludus.selfplay.settings import SelfplaySettings
from ludus.selfplay.worker import Quota, WorkerReport, run_worker
from ludus.store import Samples

ENDLESS = 1 << 40  # games: the clock ends the measurement


class Throughput(msgspec.Struct, frozen=True):
    """What self-play did in a measured time."""

    seconds: float
    workers: int
    simulations_per_s: float
    evaluations_per_s: float
    games_per_hour: float
    positions_per_s: float
    cache_hit_share: float
    """Of the positions that needed an evaluation."""
    evaluator_share: float
    """Of the workers' time: in the network."""
    search_share: float
    """In the compiled search."""
    rest_share: float
    """Waiting for the processor, handing games in, Python."""
    batch_fill: float
    """Leaves in the batches over what they could have held."""


def measure_selfplay(
    games: Sequence[Game],
    evaluator: Callable[[int], Evaluator | StateEvaluator],
    search: SearchSettings,
    settings: SelfplaySettings,
    *,
    workers: int,
    seconds: float,
) -> Throughput:
    """Let workers play for some seconds, after a few games in which everything is compiled.

    Args:
        games: the games of the run.
        evaluator: makes each worker's evaluator from its number.
        search: the search.
        settings: how games are played.
        workers: threads.
        seconds: measured time.
    """
    quick = msgspec.structs.replace(settings, parallel=len(games), visits=2, fast_visits=2)
    _play(games, evaluator, search, quick, 1, Quota(len(games)), None)
    finished, reports, elapsed = _play(games, evaluator, search, settings, workers, Quota(ENDLESS), seconds)
    count = lambda name: sum(report.counters[name] for report in reports)  # noqa: E731 - several sums of one kind
    evaluations, busy = count("evaluations"), elapsed * workers
    evaluator_s, search_s = sum(report.evaluator_s for report in reports), sum(report.search_s for report in reports)
    return Throughput(
        seconds=elapsed,
        workers=workers,
        simulations_per_s=count("simulations") / elapsed,
        evaluations_per_s=evaluations / elapsed,
        games_per_hour=len(finished) / elapsed * 3600.0,
        positions_per_s=sum(map(len, finished)) / elapsed,
        cache_hit_share=count("cache_hits") / max(1, evaluations + count("cache_hits")),
        evaluator_share=evaluator_s / busy,
        search_share=search_s / busy,
        rest_share=1.0 - (evaluator_s + search_s) / busy,
        batch_fill=sum(report.rows for report in reports) / max(1, sum(report.capacity for report in reports)),
    )


def _play(
    games: Sequence[Game],
    evaluator: Callable[[int], Evaluator | StateEvaluator],
    search: SearchSettings,
    settings: SelfplaySettings,
    workers: int,
    quota: Quota,
    seconds: float | None,
) -> tuple[list[Samples], list[WorkerReport], float]:
    """Let workers play until the quota is used up, or the time is over."""
    finished, reports = list[Samples](), list[WorkerReport]()

    def work(worker: int) -> None:
        reports.append(
            run_worker(games, evaluator(worker), search, settings, quota, finished.append, seed=1, worker=worker)
        )

    threads = [threading.Thread(target=work, args=(worker,), daemon=True) for worker in range(workers)]
    begun = time.perf_counter()
    for thread in threads:
        thread.start()
    if seconds is not None:
        time.sleep(seconds)
        quota.cancelled.set()
    for thread in threads:
        thread.join()
    return finished, reports, time.perf_counter() - begun


def measure_tree(game: Game, *, parallel: int, visits: int, seconds: float) -> Throughput:
    """Measure the search alone: one worker, a table in place of the network, no cache, every search a full one."""
    return measure_selfplay(
        [game],
        lambda _worker: NullEvaluator(Shapes.of(game)),
        SearchSettings(cache_entries=0),
        SelfplaySettings(parallel=parallel, visits=visits, full_share=1.0),
        workers=1,
        seconds=seconds,
    )


def measure_first_search(game: Game) -> None:
    """Do one small search, so that a process can be timed from its start to its first simulations."""
    group = Group(game, NullEvaluator(Shapes.of(game)), SearchSettings(cache_entries=0), num_trees=1, max_visits=2)
    group.plant(0, game.start_state().view(np.uint64))
    group.wake(0, 2)
    while group.step():
        pass


def describe_machine() -> dict[str, str]:
    """Return processor, Python and commit, to stand beside every figure."""
    cpu = platform.processor() or platform.machine()
    info = Path("/proc/cpuinfo")
    if info.is_file():
        lines = info.read_text().splitlines()
        cpu = next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), cpu)
        cpu += f" x {sum(line.startswith('processor') for line in lines)}"
    try:
        answer = subprocess.run(
            ["git", "describe", "--always", "--dirty"],
            cwd=Path(__file__).parent,
            capture_output=True,
            text=True,
            check=False,
        )
        commit = answer.stdout.strip() or "unknown"
    except OSError:
        commit = "unknown"
    return {"processor": cpu, "python": platform.python_version(), "commit": commit, "date": time.strftime("%Y-%m-%d")}
