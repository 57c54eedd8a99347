"""Migration 1: tables of games, seats, moves, evaluations and the heartbeat."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Create the tables."""
    op.create_table(
        "games",
        sa.Column("id", sa.String(length=32), primary_key=True),
        sa.Column("spec", sa.String(length=400), nullable=False),
        sa.Column("game", sa.String(length=100), nullable=False),
        sa.Column("variant", sa.String(length=40), nullable=False),
        sa.Column("width", sa.Integer(), nullable=False),
        sa.Column("height", sa.Integer(), nullable=False),
        sa.Column("setup", sa.JSON(), nullable=False),
        sa.Column("kind", sa.String(length=20), nullable=False),
        sa.Column("rated", sa.Boolean(), nullable=False),
        sa.Column("status", sa.String(length=20), nullable=False),
        sa.Column("initial_ms", sa.BigInteger(), nullable=True),
        sa.Column("increment_ms", sa.BigInteger(), nullable=True),
        sa.Column("preset", sa.String(length=20), nullable=True),
        sa.Column("left_0", sa.BigInteger(), nullable=True),
        sa.Column("left_1", sa.BigInteger(), nullable=True),
        sa.Column("since", sa.DateTime(timezone=True), nullable=True),
        sa.Column("staged", sa.JSON(), nullable=False),
        sa.Column("offers", sa.JSON(), nullable=False),
        sa.Column("winner", sa.Integer(), nullable=True),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.Column("series", sa.String(length=32), nullable=False),
        sa.Column("score_0", sa.Float(), nullable=False),
        sa.Column("score_1", sa.Float(), nullable=False),
        sa.Column("rematch", sa.String(length=32), nullable=True),
        sa.Column("num_moves", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=True),
    )
    op.create_index(op.f("ix_games_series"), "games", ["series"])
    op.create_index(op.f("ix_games_status_created_at"), "games", ["status", "created_at"])

    op.create_table(
        "pulse",
        sa.Column("id", sa.Integer(), autoincrement=False, primary_key=True),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
    )
    op.create_table(
        "evaluations",
        sa.Column("game_id", sa.String(length=32), sa.ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("ply", sa.Integer(), autoincrement=False, primary_key=True),
        sa.Column("value", sa.Float(), nullable=False),
        sa.Column("best_move", sa.String(length=400), nullable=False),
    )
    op.create_table(
        "moves",
        sa.Column("game_id", sa.String(length=32), sa.ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("ply", sa.Integer(), autoincrement=False, primary_key=True),
        sa.Column("text", sa.String(length=400), nullable=False),
        sa.Column("left_0", sa.BigInteger(), nullable=True),
        sa.Column("left_1", sa.BigInteger(), nullable=True),
        sa.Column("played_at", sa.DateTime(timezone=True), nullable=False),
    )
    op.create_table(
        "seats",
        sa.Column("game_id", sa.String(length=32), sa.ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("side", sa.Integer(), primary_key=True),
        sa.Column("kind", sa.String(length=10), nullable=False),
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.Column("host", sa.Boolean(), nullable=False),
        sa.Column("token_hash", sa.String(length=64), nullable=True),
        sa.Column("bot", sa.String(length=401), nullable=True),
        sa.Column("appearance", sa.JSON(), nullable=False),
        sa.Column("account_id", sa.String(length=32), nullable=True),
    )
    op.create_index(op.f("ix_seats_account_id"), "seats", ["account_id"])
