"""An order: which games of a generation are to be played, and the pool that plays them."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from ludus.loop.stages.sources import Sources
from ludus.loop.stages.stage import Stage
from ludus.selfplay.source import Quota
from ludus.selfplay.worker_pool import WorkerPool
from ludus.store import Samples


class Order(msgspec.Struct, frozen=True):
    """Games to play, numbered from 0."""

    generation: int
    games: int
    """How many the generation has."""
    done: list[int]
    """The numbers of those that are not to be played: they are finished already, or others play them."""
    seed: int


def worker_pool_of(
    stage: Stage,
    order: Order,
    sources: Sources,
    on_game: Callable[[Samples], object],
    *,
    quota: Quota | None = None,
) -> WorkerPool:
    """Return a pool of this process that plays an order.

    Args:
        stage: the run.
        order: what is to be played.
        sources: of each worker.
        on_game: is given each game as it ends.
        quota: where the games come from, if others deal them; None: all that the order asks for.
    """
    preset, generation = stage.preset, order.generation
    if quota is None:
        shares = preset.shares_of(generation)
        quota = Quota(order.games, done=order.done, shares=shares, openings=stage.openings)
    taught = generation == 0 and preset.begins_taught
    return WorkerPool(
        stage.games,
        sources,
        preset.search,
        preset.selfplay.of_teacher() if taught else preset.selfplay,
        quota,
        seed=order.seed,
        workers=stage.workers,
        progress=stage.progress(generation),
        on_game=on_game,
    )
