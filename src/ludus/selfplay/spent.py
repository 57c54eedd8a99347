"""Where the time of a batch of games has gone: one value, which another thread reads whole in the middle of a turn."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Literal, NamedTuple, Protocol

Doing = Literal["search", "evaluator", ""]
"""What a batch of games does: it searches, waits for the evaluator, or leaves the turn to others."""


class Spent(NamedTuple):
    """Seconds of a batch's turns, and what it has been doing since."""

    search_s: float = 0.0
    evaluator_s: float = 0.0
    doing: Doing = ""
    since: float = 0.0

    def then(self, doing: Doing, now: float) -> Spent:
        """Return what is spent at a later moment, from which on it does something else."""
        search_s, evaluator_s = self.search_s, self.evaluator_s
        if self.doing == "search":
            search_s += now - self.since
        elif self.doing == "evaluator":
            evaluator_s += now - self.since
        return Spent(search_s, evaluator_s, doing, now)


class Spender(Protocol):
    """Whoever replaces what it has spent whenever it begins to do something else."""

    spent: Spent


def read_spent(game_batches: Sequence[Spender]) -> tuple[float, list[Spent]]:
    """Return a moment, and what all have spent until then; turns that go on count as far as they have come."""
    while True:
        spent = [game_batch.spent for game_batch in game_batches]
        now = time.perf_counter()
        if all(
            game_batch.spent is each for game_batch, each in zip(game_batches, spent, strict=True)
        ):  # else somebody went on
            return now, [each.then(each.doing, now) for each in spent]
