"""Whose turn it is in a game, for lists that do not play it again."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Make the change."""
    op.add_column("games", sa.Column("to_play", sa.Integer))
