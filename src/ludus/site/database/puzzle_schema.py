"""The tables of rated puzzles: ratings of the people who solve them and of the puzzles, and everybody's first tries."""

from sqlalchemy import Boolean, Column, Float, Index, Integer, String, Table

from ludus.site.database.people_schema import metadata
from ludus.site.database.schema import Utc

GUEST = "guest:"
"""Prefix of the keys of guests, before a hash of their cookie's id."""


def account_key(account_id: str) -> str:
    """Return the key of an account as a solver of puzzles."""
    return f"account:{account_id}"


def _rating() -> list[Column[float]]:
    return [Column(name, Float, nullable=False) for name in ("rating", "deviation", "volatility")]


solvers = Table(
    "solvers",
    metadata,
    Column("solver", String(80), primary_key=True),  # `account_key`, or `GUEST` and a hash
    Column("game", String(100), primary_key=True),
    *_rating(),
    Column("tries", Integer, nullable=False),
    Column("solved", Integer, nullable=False),
    Column("changed_at", Utc, nullable=False, index=True),
)

puzzle_ratings = Table(
    "puzzle_ratings",
    metadata,
    Column("puzzle", String(32), primary_key=True),  # its name; a hash of the position
    Column("game", String(100), nullable=False, index=True),
    *_rating(),
    Column("tries", Integer, nullable=False),
    Column("solved", Integer, nullable=False),
)

puzzle_tries = Table(
    "puzzle_tries",
    metadata,
    Column("solver", String(80), primary_key=True),
    Column("puzzle", String(32), primary_key=True),
    Column("game", String(100), nullable=False),
    Column("right", Boolean, nullable=False),
    Column("at", Utc, nullable=False),
    Index(None, "solver", "game"),
)
