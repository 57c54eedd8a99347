"""Migration 16: table for the reviews that wait or are being made."""

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"


def upgrade() -> None:
    """Create the table."""
    op.create_table(
        "begun_reviews",
        sa.Column("key", sa.String(64), nullable=False),
        sa.Column("wish", sa.JSON, nullable=False),
        sa.Column("begun_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("body", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("key", name="pk_begun_reviews"),
    )
