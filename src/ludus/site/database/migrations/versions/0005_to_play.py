"""Migration 5: column for the side to move, so that lists of games need not replay moves."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Add the column."""
    op.add_column("games", sa.Column("to_play", sa.Integer))
