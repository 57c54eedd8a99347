"""Migration 8: an index for searches of accounts by the beginning of their names."""

from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """Create the index; PostgreSQL's usual one depends on the locale and does not serve LIKE."""
    operators = {"folded": "varchar_pattern_ops"}
    op.create_index("ix_accounts_folded_prefix", "accounts", ["folded"], postgresql_ops=operators)
