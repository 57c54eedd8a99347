"""Migration 9: the index of openings, which the site fills in the background, also from old games."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    """Create the table, and the column and index that tell which games it has counted."""
    op.create_table(
        "openings",
        sa.Column("position", sa.LargeBinary(16), nullable=False),
        sa.Column("actions", sa.String(400), nullable=False),
        sa.Column("games", sa.Integer, nullable=False),
        sa.Column("wins_0", sa.Integer, nullable=False),
        sa.Column("wins_1", sa.Integer, nullable=False),
        sa.Column("rated", sa.Integer, nullable=False),
        sa.Column("rating_sum", sa.Float, nullable=False),
        sa.Column("samples", sa.JSON, nullable=False),
        sa.PrimaryKeyConstraint("position", "actions", name="pk_openings"),
    )
    op.add_column("games", sa.Column("in_openings", sa.Boolean))
    waiting = sa.text("ended_at IS NOT NULL AND in_openings IS NULL")
    op.create_index("ix_games_uncounted", "games", ["ended_at"], sqlite_where=waiting, postgresql_where=waiting)
