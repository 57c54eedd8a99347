"""Migration 15: table for the mail addresses of accounts."""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"


def upgrade() -> None:
    """Create the table and its index."""
    op.create_table(
        "mail_addresses",
        sa.Column("account_id", sa.String(32), sa.ForeignKey("accounts.id", ondelete="CASCADE"), nullable=False),
        sa.Column("address", sa.String(254), nullable=False),
        sa.Column("confirmed_at", sa.DateTime(timezone=True)),
        sa.Column("token_hash", sa.String(64), nullable=False),
        sa.Column("token_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("stop_token", sa.String(64), nullable=False),
        sa.Column("wanted", sa.Boolean, nullable=False),
        sa.Column("told_at", sa.DateTime(timezone=True)),
        sa.Column("failures", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("account_id", name="pk_mail_addresses"),
        sa.UniqueConstraint("stop_token", name="uq_mail_addresses_stop_token"),
    )
    op.create_index("ix_mail_addresses_token_hash", "mail_addresses", ["token_hash"])
