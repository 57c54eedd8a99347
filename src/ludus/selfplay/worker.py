"""A self-play worker: one thread with its own simuls, which take turns while their batches are judged."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack

import msgspec

from ludus.games.game import Game
from ludus.search.settings import SearchSettings
from ludus.search.tree import COUNTERS
from ludus.seeding import stream
from ludus.selfplay.settings import SelfplaySettings
from ludus.selfplay.simul import Simul
from ludus.selfplay.source import Quota, Source
from ludus.store.samples import Samples

IDLE_S = 0.02  # between two looks whether a worker without games was dealt some


class WorkerReport(msgspec.Struct, frozen=True):
    """What a worker did and where its time went."""

    counters: dict[str, int]
    search_s: float
    evaluator_s: float
    """Waiting for the evaluator."""
    batches: int
    rows: int
    """Leaves in all batches."""
    capacity: int
    """Leaves that the batches could have held."""
    played_out: int
    """Games that were played on after somebody would have resigned."""
    wrongly_resigned: int
    """Of those, the games that the player who would have resigned did not lose."""


def run_worker(  # noqa: PLR0913 - a worker is told everything at its start
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
    on_simul: Callable[[Simul], object] = lambda _simul: None,
) -> WorkerReport:
    """Play games until the quota is used up.

    Args:
        games: the games of the run; the quota says which of them a game plays.
        source: judges the leaves.
        search: the search.
        settings: how games are played.
        quota: shared with the other workers.
        on_game: is given every finished game.
        seed: of the generation.
        worker: this worker's number, which names its random streams.
        progress: how far the run is, 0 to 1.
        on_simul: is given each group's simul before its first batch, to read its counters while it plays.

    Returns:
        Counts and times.
    """
    simuls = [
        Simul(games, source, search, settings, quota, on_game, stream(seed, "selfplay", worker, number), progress)
        for number in range(settings.groups)
    ]
    for simul in simuls:
        on_simul(simul)
    busy = True
    with ExitStack() as stack:
        for simul in simuls:
            stack.callback(simul.leave)  # all are left, even if the evaluator fails again
        while (busy or quota.is_open) and not quota.cancelled.is_set():
            if not busy:
                quota.cancelled.wait(IDLE_S)
            busy = False
            for simul in simuls:  # each in turn, whether the others have work or not
                busy = simul.turn() or busy
    return report_of(simuls)


def report_of(simuls: Sequence[Simul]) -> WorkerReport:
    """Return what simuls have done so far, as one worker."""
    counters = [simul.group.counters() for simul in simuls]
    return WorkerReport(
        counters={name: sum(each[name] for each in counters) for name in COUNTERS},
        search_s=sum(simul.spent.search_s for simul in simuls),
        evaluator_s=sum(simul.spent.evaluator_s for simul in simuls),
        batches=sum(simul.batches for simul in simuls),
        rows=sum(simul.rows for simul in simuls),
        capacity=sum(simul.batches * len(simul.group.lane.planes) for simul in simuls),
        played_out=sum(simul.played_out for simul in simuls),
        wrongly_resigned=sum(simul.wrongly_resigned for simul in simuls),
    )
