"""Measurements of search and self-play speed on this machine, and its description, for `ludus bench`."""

from __future__ import annotations

import hashlib
import platform
import subprocess
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec
import numpy as np

from ludus.games.game import Game
from ludus.network.config import Shapes
from ludus.network.evaluator import NullEvaluator
from ludus.players.thinking.group import Group, cache_for
from ludus.search.settings import SearchSettings
from ludus.search.tree import Trees
from ludus.selfplay.reading import Reading
from ludus.selfplay.settings import SelfplaySettings
from ludus.selfplay.source import Quota, Source
from ludus.selfplay.worker_pool import WorkerPool
from ludus.system import processor

ENDLESS = 1 << 40  # number of games; the measurement ends by time


class Throughput(msgspec.Struct, frozen=True):
    """Speed of self-play during a measurement."""

    reading: Reading
    games_per_hour: float
    positions_per_s: float
    """Rate of positions in finished games."""
    simulations_per_cpu_s: float
    """Simulations per second of processor time of this process, which other programs hardly change."""
    settings: str
    """Key of the measured games and settings."""


def measure_selfplay(
    games: Sequence[Game],
    source: Callable[[int], Source],
    search: SearchSettings,
    settings: SelfplaySettings,
    *,
    workers: int,
    seconds: float,
    settle_s: float = 0.5,
) -> Throughput:
    """Measure self-play for some seconds, after a few games that trigger compilation.

    Args:
        games: the games of the run.
        source: creates the source of evaluations for a worker, given its number.
        search: the search settings.
        settings: the self-play settings.
        workers: number of threads.
        seconds: duration of the measurement.
        settle_s: waiting time before it, in which memory is touched and clocks rise.
    """
    warm_up(games, source, search, settings)
    with WorkerPool(games, source, search, settings, Quota(ENDLESS), seed=1, workers=workers) as pool:
        while pool.reading().simulations_per_s == 0.0 and pool.wait(0.05):  # trees are being allocated
            pass
        pool.wait(settle_s)
        pool.reading()
        before, begun = len(pool.finished), time.process_time()
        pool.wait(seconds)
        reading, after = pool.reading(), len(pool.finished)
        used = time.process_time() - begun
    return Throughput(
        reading=reading,
        games_per_hour=(after - before) / reading.seconds * 3600.0,
        positions_per_s=sum(map(len, pool.finished[before:after])) / reading.seconds,
        simulations_per_cpu_s=reading.simulations_per_s * reading.seconds / max(1e-9, used),
        settings=settings_key([game.name for game in games], search, settings),
    )


def settings_key(*settings: object) -> str:
    """Return eight hexadecimal digits that change if any of these structs, names or numbers changes."""
    return hashlib.sha256(msgspec.json.encode(settings)).hexdigest()[:8]


def warm_up(
    games: Sequence[Game], source: Callable[[int], Source], search: SearchSettings, settings: SelfplaySettings
) -> None:
    """Play a few short games, so that all code is compiled."""
    quick = msgspec.structs.replace(settings, parallel=len(games), groups=1, visits=2, fast_visits=2, first_visits=0)
    with WorkerPool(games, source, search, quick, Quota(len(games)), seed=0, workers=1) as pool:
        while pool.wait(1.0):
            pass


def measure_tree(
    game: Game, *, parallel: int, visits: int, seconds: float, workers: int = 1, foresight: bool = True
) -> Throughput:
    """Measure the search alone: a table instead of the network, no cache, and full searches with noise only."""
    search = SearchSettings(cache_entries=0, foresight=foresight)
    return measure_selfplay(
        [game],
        lambda _worker: Source(NullEvaluator(Shapes.of(game)), cache_for(game, search)),
        search,
        SelfplaySettings(parallel=parallel, visits=visits, full_share=1.0),
        workers=workers,
        seconds=seconds,
    )


def measure_deep_search(game: Game, *, leaves: int, visits: int, seconds: float, foresight: bool = True) -> float:
    """Return the simulations per second of repeated searches of a single tree with `leaves` leaves in each batch."""
    settings = SearchSettings(cache_entries=0, leaves=leaves, foresight=foresight)
    group = Group(game, NullEvaluator(Shapes.of(game)), settings, num_trees=1, max_visits=visits)
    start = game.for_search(game.start_state()).view(np.uint64)

    def search() -> None:
        group.new_tree(0, start)
        group.set_target(0, visits)
        while group.step():
            pass

    search()  # compiles all code and touches the memory
    before, begun = group.counters()["simulations"], time.perf_counter()
    while time.perf_counter() - begun < seconds:
        search()
    return (group.counters()["simulations"] - before) / (time.perf_counter() - begun)


def measure_memory(game: Game, *, visits: int, trees: int = 16) -> tuple[float, float]:
    """Return the memory of a tree in bytes per simulation of one search: used at its end, and allocated."""
    group = Group(
        game, NullEvaluator(Shapes.of(game)), SearchSettings(cache_entries=0), num_trees=trees, max_visits=visits
    )
    for tree in range(trees):
        group.new_tree(tree, game.for_search(game.start_state()).view(np.uint64))
        group.set_target(tree, visits)
    while group.step():
        pass
    t: Trees = group.trees
    in_use = sum(
        int(t.tree[count].sum()) * size
        for count, size in (
            ("num_nodes", t.node.itemsize + t.words[0, 0].nbytes),
            ("num_edges", t.edge.itemsize),
            ("num_children", t.child.itemsize),
        )
    )
    aside = sum(array.nbytes for array in (t.tree, t.child, t.node, t.words, t.edge, t.free, t.gumbel))
    return in_use / (trees * visits), aside / (trees * visits)


def measure_first_search(game: Game) -> None:
    """Run one small search, so that the time from process start to the first simulations can be measured."""
    group = Group(game, NullEvaluator(Shapes.of(game)), SearchSettings(cache_entries=0), num_trees=1, max_visits=2)
    group.new_tree(0, game.start_state().view(np.uint64))
    group.set_target(0, 2)
    while group.step():
        pass


def commit_of(package: Path) -> str:
    """Return the commit of the checkout that contains the package as `src/ludus`, or "unknown" if it is installed.

    An installed package may be in an environment inside an unrelated repository.
    """
    checkout = package.parent.parent
    if package != checkout / "src" / "ludus" or not (checkout / ".git").exists():
        return "unknown"
    try:
        answer = subprocess.run(
            ["git", "describe", "--always", "--dirty"], cwd=checkout, capture_output=True, text=True, check=False
        )
    except OSError:
        return "unknown"
    return answer.stdout.strip() or "unknown"


def describe_machine() -> dict[str, str]:
    """Return this machine's processor, Python version and commit, to list with every figure."""
    return {
        "processor": processor(),
        "python": platform.python_version(),
        "commit": commit_of(Path(__file__).resolve().parents[1]),
        "date": time.strftime("%Y-%m-%d"),
    }
