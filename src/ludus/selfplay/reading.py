"""How self-play runs: what a worker has done, and how fast workers were lately."""

from __future__ import annotations

import msgspec


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


def together(readings: list[Reading]) -> Reading:
    """Return several pools' readings as one: rates are summed, shares are means over workers or evaluations."""
    rates = [each.evaluations_per_s for each in readings]
    workers = [float(each.workers) for each in readings]

    def mean(values: list[float], weights: list[float]) -> float:
        return sum(value * weight for value, weight in zip(values, weights, strict=True)) / max(1e-9, sum(weights))

    return Reading(
        seconds=max(each.seconds for each in readings),
        workers=sum(each.workers for each in readings),
        simulations_per_s=sum(each.simulations_per_s for each in readings),
        evaluations_per_s=sum(rates),
        positions_per_s=sum(each.positions_per_s for each in readings),
        cache_hits_per_s=sum(each.cache_hits_per_s for each in readings),
        evaluator_share=mean([each.evaluator_share for each in readings], workers),
        search_share=mean([each.search_share for each in readings], workers),
        batch_fill=mean([each.batch_fill for each in readings], rates),
        games_in_flight=sum(each.games_in_flight for each in readings),
        widening_share=mean([each.widening_share for each in readings], rates),
        full_trees=sum(each.full_trees for each in readings),
    )
