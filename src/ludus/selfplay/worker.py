"""A self-play worker: one thread with its own batches of games, which take turns while positions are evaluated."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack

import msgspec

from ludus.games.game import Game
from ludus.search.settings import SearchSettings
from ludus.search.tree import COUNTERS
from ludus.seeding import stream
from ludus.selfplay.game_batch import GameBatch
from ludus.selfplay.settings import SelfplaySettings
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
    on_game_batch: Callable[[GameBatch], object] = lambda _game_batch: None,
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
        on_game_batch: is given each batch of games before its first evaluation, to read its counters while it plays.

    Returns:
        Counts and times.
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
            stack.callback(game_batch.leave)  # all are left, even if the evaluator fails again
        while (busy or quota.is_open) and not quota.cancelled.is_set():
            if not busy:
                quota.cancelled.wait(IDLE_S)
            busy = False
            for game_batch in game_batches:  # each in turn, whether the others have work or not
                busy = game_batch.turn() or busy
    return report_of(game_batches)


def report_of(game_batches: Sequence[GameBatch]) -> WorkerReport:
    """Return what batches of games have done so far, as one worker."""
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
