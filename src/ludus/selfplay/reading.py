"""Measurements of self-play: totals of a worker, and recent rates of a pool."""

from __future__ import annotations

import msgspec


class WorkerReport(msgspec.Struct, frozen=True):
    """Totals of a worker: its counters, and the time that it spent on each kind of work."""

    counters: dict[str, int]
    search_s: float
    evaluator_s: float
    """Time spent waiting for the evaluator."""
    batches: int
    rows: int
    """Number of leaves in all batches."""
    capacity: int
    """Number of leaves that the batches could have held."""
    played_out: int
    """Number of games that were played to the end although a player would have resigned."""
    wrongly_resigned: int
    """Number of these games that the player who would have resigned did not lose."""


class Reading(msgspec.Struct, frozen=True):
    """Rates and shares of a pool of workers over a recent period."""

    seconds: float
    workers: int
    simulations_per_s: float
    evaluations_per_s: float
    """Rate of positions that the evaluator processed."""
    positions_per_s: float
    """Rate of positions that were searched and then played from, including those of unfinished games."""
    cache_hits_per_s: float
    evaluator_share: float
    """Share of the workers' time that they spent waiting for the evaluator."""
    search_share: float
    """Share of the workers' time that they spent in the compiled search."""
    batch_fill: float
    """Number of leaves in the batches divided by their capacity."""
    games_in_flight: int
    widening_share: float
    """Share of the evaluations that were repeated to get edges that had not been kept."""
    full_trees: int
    """Number of searches that ended early because a tree was full."""
    machines: int = 0
    """Number of machines that play together; 0 if only this one plays."""

    @property
    def cache_hit_share(self) -> float:
        """Return the share of cache hits among the positions that needed an evaluation."""
        return self.cache_hits_per_s / max(1e-9, self.cache_hits_per_s + self.evaluations_per_s)

    def __str__(self) -> str:
        """Return the line shown to users."""
        together = f" on {self.machines} machine{'s' * (self.machines > 1)}" if self.machines else ""
        return (
            f"{self.positions_per_s:,.0f} positions/s, {self.evaluations_per_s:,.0f} evaluations/s, "
            f"{self.cache_hit_share:.0%} cache hits, batches {self.batch_fill:.0%} full, "
            f"evaluator {self.evaluator_share:.0%} busy, search {self.search_share:.0%}, "
            f"{self.games_in_flight} games in flight{together}"
        )


def together(readings: list[Reading]) -> Reading:
    """Combine the readings of several pools: rates are summed, shares are means over workers or evaluations."""
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
