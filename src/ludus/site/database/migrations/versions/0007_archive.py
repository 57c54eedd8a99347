"""Migration 7: indexes for searches of the archive, and a column for names in lower case, which one of them needs."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """Add the column, fill it, and create the indexes."""
    op.add_column("seats", sa.Column("lower_name", sa.String(400), nullable=False, server_default=""))
    seats = sa.table("seats", sa.column("name"), sa.column("lower_name"))
    connection = op.get_bind()
    connection.execute(sa.update(seats).values(lower_name=sa.func.lower(seats.c.name)))
    op.create_index("ix_seats_lower_name_kind_game_id", "seats", ["lower_name", "kind", "game_id"])
    for name, lower in connection.execute(sa.select(seats.c.name, seats.c.lower_name).distinct()).all():
        if name.lower() != lower:  # SQLite's function changes only ASCII letters, PostgreSQL's depends on the locale
            where = (seats.c.lower_name == lower) & (seats.c.name == name)
            connection.execute(sa.update(seats).where(where).values(lower_name=name.lower()))
    op.create_index("ix_seats_bot_game_id", "seats", ["bot", "game_id"])
    op.drop_index("ix_seats_bot", "seats")
    columns = ["status", "ended_at", "id", "game", "variant", "width", "height", "rated", "winner", "kind", "reason"]
    over = sa.text("ended_at IS NOT NULL")
    op.create_index("ix_games_archive", "games", [*columns, "num_moves"], sqlite_where=over, postgresql_where=over)
