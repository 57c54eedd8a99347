"""Migration 3: column for the time when the last player left a game."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Add the column."""
    op.add_column("games", sa.Column("left_at", sa.DateTime(timezone=True), nullable=True))
