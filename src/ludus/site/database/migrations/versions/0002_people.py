"""Migration 2: tables of accounts, sessions, bot tokens and ratings, and indexes for lists of finished games."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Create the tables and indexes."""
    op.create_index("ix_games_ended_at", "games", ["ended_at"])
    op.create_index("ix_seats_bot", "seats", ["bot"])
    op.create_table(
        "accounts",
        sa.Column("id", sa.String(length=32), primary_key=True),
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("folded", sa.String(length=80), nullable=False, unique=True),
        sa.Column("password_hash", sa.String(length=200), nullable=False),
        sa.Column("settings", sa.JSON(), nullable=False),
        sa.Column("made_at", sa.DateTime(timezone=True), nullable=False),
    )
    op.create_table(
        "bot_tokens",
        sa.Column("client_id", sa.String(length=200), primary_key=True),
        sa.Column("account_id", sa.String(length=32), sa.ForeignKey("accounts.id", ondelete="CASCADE"), nullable=False),
        sa.Column("token_hash", sa.String(length=64), nullable=False),
        sa.Column("ending", sa.String(length=4), nullable=False),
        sa.Column("made_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("used_at", sa.DateTime(timezone=True), nullable=True),
    )
    op.create_index("ix_bot_tokens_account_id", "bot_tokens", ["account_id"])

    op.create_table(
        "rated_games",
        sa.Column("game_id", sa.String(length=32), sa.ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("before_0", sa.Float(), nullable=True),
        sa.Column("after_0", sa.Float(), nullable=True),
        sa.Column("before_1", sa.Float(), nullable=True),
        sa.Column("after_1", sa.Float(), nullable=True),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
    )
    op.create_table(
        "ratings",
        sa.Column(
            "account_id", sa.String(length=32), sa.ForeignKey("accounts.id", ondelete="CASCADE"), primary_key=True
        ),
        sa.Column("game", sa.String(length=150), primary_key=True),
        sa.Column("time_class", sa.String(length=20), primary_key=True),
        sa.Column("rating", sa.Float(), nullable=False),
        sa.Column("deviation", sa.Float(), nullable=False),
        sa.Column("volatility", sa.Float(), nullable=False),
        sa.Column("wins", sa.Integer(), nullable=False),
        sa.Column("draws", sa.Integer(), nullable=False),
        sa.Column("losses", sa.Integer(), nullable=False),
        sa.Column("changed_at", sa.DateTime(timezone=True), nullable=False),
    )
    op.create_index("ix_ratings_rating", "ratings", ["rating"])

    op.create_table(
        "sessions",
        sa.Column("token_hash", sa.String(length=64), primary_key=True),
        sa.Column("account_id", sa.String(length=32), sa.ForeignKey("accounts.id", ondelete="CASCADE"), nullable=False),
        sa.Column("made_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("used_at", sa.DateTime(timezone=True), nullable=False),
    )
    op.create_index("ix_sessions_account_id", "sessions", ["account_id"])
