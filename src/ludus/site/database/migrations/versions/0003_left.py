"""When the players of a game have left it."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Make the change."""
    op.add_column("games", sa.Column("left_at", sa.DateTime(timezone=True), nullable=True))
