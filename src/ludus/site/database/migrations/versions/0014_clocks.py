"""Migration 14: columns for overtime, for the deadlines of games over days, and for how long a bot may think."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"


def upgrade() -> None:
    """Add the columns and the index of deadlines."""
    for name in ("period_ms", "bot_ms"):
        op.add_column("games", sa.Column(name, sa.BigInteger))
    for name in ("periods", "period_moves", "periods_0", "periods_1", "played_0", "played_1"):
        op.add_column("games", sa.Column(name, sa.Integer))
    op.add_column("games", sa.Column("deadline", sa.DateTime(timezone=True)))
    there = sa.text("deadline IS NOT NULL")
    op.create_index("ix_games_deadline", "games", ["deadline"], sqlite_where=there, postgresql_where=there)
