"""What a `go` asks of a search: visits and seconds, by the clock where there is one."""

from __future__ import annotations

from ludus.players.thinking.clock import ClockState
from ludus.players.thinking.seat import Limits
from ludus.protocol.uci import Go
from ludus.search.settings import MAX_VISITS

LEAST_S = 0.001


def limits_of(go: Go, mover: int, *, overhead_s: float, most_visits: int = MAX_VISITS, waits: bool = False) -> Limits:
    """Return when a search ends.

    Args:
        go: what was asked.
        mover: whose clock counts, 0 for White.
        overhead_s: what a move loses on its way to the clock.
        most_visits: however much time there is.
        waits: for the program's word; no time counts.
    """
    visits = min(go.nodes or MAX_VISITS, most_visits)
    clock = go.times[mover]
    if waits or (clock is None and go.movetime is None):
        return Limits(visits)
    if go.movetime is not None:
        return Limits(visits, seconds=max(LEAST_S, go.movetime / 1000.0 - overhead_s))
    assert clock is not None, "there is a clock, or a time for the move"
    control = ClockState(
        remaining_s=clock / 1000.0,
        increment_s=go.increments[mover] / 1000.0,
        moves_to_go=go.movestogo,
        overhead_s=overhead_s,
    )
    budget = control.budget()
    return Limits(visits, seconds=max(LEAST_S, budget.seconds), extension=budget.extension, may_stop=True)
