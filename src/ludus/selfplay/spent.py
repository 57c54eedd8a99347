"""Time accounting of a batch of games: one immutable value, so that another thread can read it during a turn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple, Protocol

from ludus.kernel import working_s

Doing = Literal["search", "evaluator", ""]
"""Activity of a batch of games: searching, waiting for the evaluator, or idle while others have their turn."""


class Spent(NamedTuple):
    """Seconds spent on each activity, plus the current activity and when it began."""

    search_s: float = 0.0
    evaluator_s: float = 0.0
    doing: Doing = ""
    since: float = 0.0

    def then(self, doing: Doing, now: float) -> Spent:
        """Return the times as of `now`, when the activity changes to `doing`."""
        search_s, evaluator_s, was, since = self
        if was == "search":
            search_s += now - since
        elif was == "evaluator":
            evaluator_s += now - since
        return Spent(search_s, evaluator_s, doing, now)


class Spender(Protocol):
    """An object that replaces its `spent` whenever its activity changes."""

    spent: Spent


def read_spent(game_batches: Sequence[Spender]) -> tuple[float, list[Spent]]:
    """Return the current time and the times spent by all batches up to it, including their unfinished turns."""
    while True:
        spent = [game_batch.spent for game_batch in game_batches]
        now = working_s()
        if all(
            game_batch.spent is each for game_batch, each in zip(game_batches, spent, strict=True)
        ):  # otherwise an activity changed meanwhile: read again
            return now, [each.then(each.doing, now) for each in spent]
