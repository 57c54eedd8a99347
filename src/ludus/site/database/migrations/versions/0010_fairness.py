"""Migration 10: columns by which the site knows who may see evaluations, and for the expected lead in points."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    """Add the columns."""
    op.add_column("games", sa.Column("with_evaluation", sa.Boolean, nullable=False, server_default=sa.false()))
    op.add_column("seats", sa.Column("device_hash", sa.String(64)))
    op.add_column("evaluations", sa.Column("lead", sa.Float))
