"""Migration 13: tables for bans and silences, blocks, reports, and the append-only log of the operator's acts."""

import sqlalchemy as sa
from alembic import op

from ludus.site.database.schema import Utc

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    """Create the tables, and the triggers that make the log append-only."""
    op.create_table(
        "restrictions",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("kind", sa.String(20), nullable=False),
        sa.Column("subject", sa.String(80), nullable=False),
        sa.Column("name", sa.String(80), nullable=False),
        sa.Column("why", sa.String(300), nullable=False),
        sa.Column("made_at", Utc, nullable=False),
        sa.Column("until", Utc),
        sa.PrimaryKeyConstraint("id", name="pk_restrictions"),
    )
    op.create_table(
        "blocks",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("owner", sa.String(16), nullable=False),
        sa.Column("blocked", sa.String(16), nullable=False),
        sa.Column("name", sa.String(80), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_blocks"),
        sa.UniqueConstraint("owner", "blocked", name="uq_blocks_owner_blocked"),
    )
    op.create_table(
        "reports",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("at", Utc, nullable=False),
        sa.Column("reporter", sa.String(80), nullable=False),
        sa.Column("reporter_name", sa.String(200), nullable=False),
        sa.Column("reporter_address", sa.String(64), nullable=False),
        sa.Column("subject", sa.String(80), nullable=False),
        sa.Column("subject_name", sa.String(200), nullable=False),
        sa.Column("subject_address", sa.String(64), nullable=False),
        sa.Column("game_id", sa.String(32), nullable=False),
        sa.Column("text", sa.String(400), nullable=False),
        sa.Column("why", sa.String(300), nullable=False),
        sa.Column("closed_at", Utc),
        sa.PrimaryKeyConstraint("id", name="pk_reports"),
    )
    op.create_index("ix_reports_closed_at", "reports", ["closed_at"])
    op.create_table(
        "operator_acts",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("at", Utc, nullable=False),
        sa.Column("who", sa.String(40), nullable=False),
        sa.Column("address", sa.String(64), nullable=False),
        sa.Column("act", sa.String(20), nullable=False),
        sa.Column("subject", sa.String(300), nullable=False),
        sa.Column("why", sa.String(300), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_operator_acts"),
    )
    if op.get_bind().dialect.name == "sqlite":
        for event in ("update", "delete"):
            op.execute(
                f"CREATE TRIGGER operator_acts_no_{event} BEFORE {event} ON operator_acts "
                "BEGIN SELECT RAISE(ABORT, 'operator_acts is append-only'); END"
            )
        return
    op.execute(
        "CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS "
        "$$ BEGIN RAISE EXCEPTION '% is append-only', TG_TABLE_NAME; END $$"
    )
    op.execute(
        "CREATE TRIGGER operator_acts_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON operator_acts "
        "FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()"
    )
