"""A finished game in a line of a list: what was played, by whom, and how it ended."""

from datetime import datetime
from typing import Any

from ludus.games.registry import told_name
from ludus.site.catalogue.catalogue import title_of
from ludus.site.messages.archive import GameSummary, ReplayPlayer
from ludus.site.people.time_class import time_class


def summary_of(row: Any, sitting: list[Any], ratings: tuple[float | None, float | None]) -> GameSummary:  # noqa: ANN401
    """Return the summary of a game.

    Args:
        row: of the table of games.
        sitting: the rows of its two seats.
        ratings: the players' before the game.
    """
    first, second = (_who(seat, rating) for seat, rating in zip(sitting, ratings, strict=True))
    return GameSummary(
        row.id,
        told_name(row.spec),
        row.game,
        row.variant,
        f"{row.width}x{row.height}",
        title_of(row.spec),
        (first, second),
        row.winner,
        row.reason or "",
        row.rated,
        time_class(row.initial_ms, row.increment_ms),
        _seconds(row.created_at),
        _seconds(row.ended_at),
        row.num_moves,
    )


def _who(seat: Any, rating: float | None) -> ReplayPlayer:  # noqa: ANN401
    kind = "bot" if seat.kind == "bot" else "account" if seat.account_id else "guest"
    return ReplayPlayer(seat.name, kind, None if rating is None else round(rating))


def _seconds(at: datetime | None) -> float | None:
    return at and at.timestamp()
