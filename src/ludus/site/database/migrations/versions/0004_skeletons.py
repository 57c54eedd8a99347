"""Migration 4: column for the skeletons of account names, which are equal for names that look alike."""

import sqlalchemy as sa
from alembic import op

from ludus.site.safety.names import skeleton

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Add the column and fill it."""
    op.add_column("accounts", sa.Column("skeleton", sa.String(400), nullable=False, server_default=""))
    accounts = sa.table("accounts", sa.column("id"), sa.column("name"), sa.column("skeleton"))
    connection = op.get_bind()
    for row in connection.execute(sa.select(accounts.c.id, accounts.c.name)).all():
        looks = sa.update(accounts).where(accounts.c.id == row.id).values(skeleton=skeleton(row.name))
        connection.execute(looks)
    op.create_index("ix_accounts_skeleton", "accounts", ["skeleton"])
