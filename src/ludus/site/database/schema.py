"""The tables of the database, as SQLAlchemy sees them; the migrations make them, and a test compares the two."""

from datetime import UTC, datetime

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
    DateTime,
    Float,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
)
from sqlalchemy.engine import Dialect
from sqlalchemy.types import TypeDecorator

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
        "pk": "pk_%(table_name)s",
    }
)
"""Every table of the site; other modules add theirs, and a migration each."""


class Utc(TypeDecorator[datetime]):
    """A moment in UTC; SQLite forgets the zone, and this gives it back."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        """Return the moment in UTC; a time without a zone is a mistake of ours."""
        assert value is None or value.tzinfo is not None, "times are in UTC and say so"
        return value and value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        """Return the moment with its zone."""
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


games = Table(
    "games",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("spec", String(400), nullable=False),  # the game's name, see ludus.games.registry
    Column("game", String(100), nullable=False),
    Column("variant", String(40), nullable=False),
    Column("width", Integer, nullable=False),
    Column("height", Integer, nullable=False),
    Column("setup", JSON, nullable=False),  # what Game.start takes
    Column("kind", String(20), nullable=False),  # friend, lobby, bot, private
    Column("rated", Boolean, nullable=False),
    Column("status", String(20), nullable=False),  # waiting, playing, over
    Column("initial_ms", BigInteger),  # NULL: no clocks
    Column("increment_ms", BigInteger),
    Column("preset", String(20)),  # the time control's name, if it was chosen by one
    Column("left_0", BigInteger),  # milliseconds, when the clock was last set going or stopped
    Column("left_1", BigInteger),
    Column("since", Utc),  # when the clock of the side to move was set going; NULL: it stands
    Column("to_play", Integer),  # 0, 1; NULL: nobody is, or an older Ludus wrote it
    Column("staged", JSON, nullable=False),  # the actions of an unfinished move
    Column("offers", JSON, nullable=False),  # see ludus.site.table.table
    Column("winner", Integer),  # 0, 1; NULL: nobody, or not over
    Column("reason", Text),
    Column("series", String(32), nullable=False),  # the first game of a row of rematches
    Column("score_0", Float, nullable=False),  # points of the side in the series before this game
    Column("score_1", Float, nullable=False),
    Column("rematch", String(32)),  # the game that followed
    Column("num_moves", Integer, nullable=False),
    Column("created_at", Utc, nullable=False),
    Column("ended_at", Utc),
    Column("left_at", Utc),  # when the last of its players left; NULL: one was there when the site last ran
    Index(None, "status", "created_at"),
    Index(None, "series"),
    Index(None, "ended_at"),
)

seats = Table(
    "seats",
    metadata,
    Column("game_id", ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
    Column("side", Integer, primary_key=True),
    Column("kind", String(10), nullable=False),  # open, person, bot
    Column("name", String(200), nullable=False),
    Column("host", Boolean, nullable=False),  # whoever opened the game
    Column("token_hash", String(64)),  # SHA-256 in hexadecimal of the secret that a person has
    Column("bot", String(401), index=True),  # CLIENT:BOT
    Column("appearance", JSON, nullable=False),  # of the pieces, as wallgame.io's clients send it
    Column("account_id", String(32), index=True),  # a person with an account
)

moves = Table(
    "moves",
    metadata,
    Column("game_id", ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
    Column("ply", Integer, primary_key=True, autoincrement=False),  # moves made before this one
    Column("text", String(400), nullable=False),  # in the game's notation
    Column("left_0", BigInteger),  # milliseconds after the move, its increment included
    Column("left_1", BigInteger),
    Column("played_at", Utc, nullable=False),
)

evaluations = Table(
    "evaluations",
    metadata,
    Column("game_id", ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
    Column("ply", Integer, primary_key=True, autoincrement=False),  # moves made before the position
    Column("value", Float, nullable=False),  # seen by player 0
    Column("best_move", String(400), nullable=False),
)

pulse = Table(
    "pulse",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=False),  # always 0: there is one site
    Column("at", Utc, nullable=False),  # when the site was last known to run
)
