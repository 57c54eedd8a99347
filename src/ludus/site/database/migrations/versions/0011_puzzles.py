"""Migration 11: ratings of puzzles and of the people who solve them, and first tries."""

from typing import Any

import sqlalchemy as sa
from alembic import op

from ludus.site.database.schema import Utc

revision = "0011"
down_revision = "0010"


def _rating() -> list[sa.Column[Any]]:
    floats = [sa.Column(name, sa.Float, nullable=False) for name in ("rating", "deviation", "volatility")]
    return [*floats, *(sa.Column(name, sa.Integer, nullable=False) for name in ("tries", "solved"))]


def upgrade() -> None:
    """Create the tables."""
    op.create_table(
        "solvers",
        sa.Column("solver", sa.String(80), nullable=False),
        sa.Column("game", sa.String(100), nullable=False),
        *_rating(),
        sa.Column("changed_at", Utc, nullable=False),
        sa.PrimaryKeyConstraint("solver", "game", name="pk_solvers"),
    )
    op.create_index("ix_solvers_changed_at", "solvers", ["changed_at"])
    op.create_table(
        "puzzle_ratings",
        sa.Column("puzzle", sa.String(32), nullable=False),
        sa.Column("game", sa.String(100), nullable=False),
        *_rating(),
        sa.PrimaryKeyConstraint("puzzle", name="pk_puzzle_ratings"),
    )
    op.create_index("ix_puzzle_ratings_game", "puzzle_ratings", ["game"])
    op.create_table(
        "puzzle_tries",
        sa.Column("solver", sa.String(80), nullable=False),
        sa.Column("puzzle", sa.String(32), nullable=False),
        sa.Column("game", sa.String(100), nullable=False),
        sa.Column("right", sa.Boolean, nullable=False),
        sa.Column("at", Utc, nullable=False),
        sa.PrimaryKeyConstraint("solver", "puzzle", name="pk_puzzle_tries"),
    )
    op.create_index("ix_puzzle_tries_solver_game", "puzzle_tries", ["solver", "game"])
