"""Migration 12: table for the reviews of finished games."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    """Create the table."""
    op.create_table(
        "reviews",
        sa.Column("key", sa.String(64), nullable=False),
        sa.Column("is_bound", sa.Boolean, nullable=False),
        sa.Column("board", sa.JSON, nullable=False),
        sa.Column("judge", sa.String(200), nullable=False),
        sa.Column("rank", sa.JSON, nullable=False),
        sa.Column("visits", sa.Integer, nullable=False),
        sa.Column("made_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("used_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("body", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("key", name="pk_reviews"),
    )
    op.create_index("ix_reviews_is_bound_used_at", "reviews", ["is_bound", "used_at"])
