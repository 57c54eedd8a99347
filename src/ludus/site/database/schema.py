"""SQLAlchemy definitions of the tables of games; the migrations create them, and a test compares the two."""

from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Dialect
from sqlalchemy.types import TypeDecorator

metadata = sa.MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
        "pk": "pk_%(table_name)s",
    }
)
"""All tables of the site; other modules add theirs.  Each new table needs a migration."""


class Utc(TypeDecorator[datetime]):
    """A column type for times in UTC; restores the time zone, which SQLite does not store."""

    impl = sa.DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        """Convert a time to UTC before it is stored."""
        assert value is None or value.tzinfo is not None, "the time must have a time zone"
        return value and value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        """Add the time zone to a stored time."""
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


games = sa.Table(
    "games",
    metadata,
    sa.Column("id", sa.String(32), primary_key=True),
    sa.Column("spec", sa.String(400), nullable=False),  # the game's name, see ludus.games.registry
    sa.Column("game", sa.String(100), nullable=False),
    sa.Column("variant", sa.String(40), nullable=False),
    sa.Column("width", sa.Integer, nullable=False),
    sa.Column("height", sa.Integer, nullable=False),
    sa.Column("setup", sa.JSON, nullable=False),  # the argument of Game.start
    sa.Column("kind", sa.String(20), nullable=False),  # friend, lobby, bot, private
    sa.Column("rated", sa.Boolean, nullable=False),
    sa.Column("status", sa.String(20), nullable=False),  # waiting, playing, over
    sa.Column("initial_ms", sa.BigInteger),  # NULL: no clocks
    sa.Column("increment_ms", sa.BigInteger),
    sa.Column("preset", sa.String(20)),  # the time control's name; NULL: it has none
    sa.Column("period_ms", sa.BigInteger),  # the length of a period of overtime; NULL: no overtime
    sa.Column("periods", sa.Integer),
    sa.Column("period_moves", sa.Integer),
    sa.Column("left_0", sa.BigInteger),  # milliseconds until the flag falls, when a clock was last started or stopped
    sa.Column("left_1", sa.BigInteger),
    sa.Column("since", Utc),  # when the clock of the side to move was started; NULL: it is stopped
    sa.Column("periods_0", sa.Integer),  # periods that are not lost, when a clock was last started or stopped
    sa.Column("periods_1", sa.Integer),
    sa.Column("played_0", sa.Integer),  # moves in the present period
    sa.Column("played_1", sa.Integer),
    sa.Column("deadline", Utc),  # when the side to move loses a game over days; NULL: another game, or no clock runs
    sa.Column("bot_ms", sa.BigInteger),  # milliseconds that a bot may think about a move; NULL: as it always does
    sa.Column("to_play", sa.Integer),  # 0, 1; NULL: no side, or an older Ludus wrote the row
    sa.Column("staged", sa.JSON, nullable=False),  # the actions of an unfinished move
    sa.Column("offers", sa.JSON, nullable=False),  # see ludus.site.table.table
    sa.Column("winner", sa.Integer),  # 0, 1; NULL: a draw, or the game is not over
    sa.Column("reason", sa.Text),
    sa.Column("series", sa.String(32), nullable=False),  # id of the first game in a series of rematches
    sa.Column("score_0", sa.Float, nullable=False),  # points of the side in the series before this game
    sa.Column("score_1", sa.Float, nullable=False),
    sa.Column("rematch", sa.String(32)),  # id of the rematch that followed
    sa.Column("num_moves", sa.Integer, nullable=False),
    sa.Column("created_at", Utc, nullable=False),
    sa.Column("ended_at", Utc),
    sa.Column("left_at", Utc),  # when the last player left; NULL: a player was connected when the site last ran
    sa.Column("in_openings", sa.Boolean),  # whether the index of openings has counted the game; NULL: it has not
    sa.Column("with_evaluation", sa.Boolean, nullable=False, server_default=sa.false()),  # two people agreed on it
    sa.Index(None, "status", "created_at"),
    sa.Index(None, "series"),
    sa.Index(None, "ended_at"),
    sa.Index(
        None,
        "deadline",
        sqlite_where=sa.text("deadline IS NOT NULL"),
        postgresql_where=sa.text("deadline IS NOT NULL"),
    ),
    sa.Index(  # all columns of searches in the archive, so that they need not read the table
        "ix_games_archive",
        *("status", "ended_at", "id", "game", "variant", "width", "height", "rated", "winner", "kind", "reason"),
        "num_moves",
        sqlite_where=sa.text("ended_at IS NOT NULL"),
        postgresql_where=sa.text("ended_at IS NOT NULL"),
    ),
    sa.Index(  # the games that the index of openings has not counted
        "ix_games_uncounted",
        "ended_at",
        sqlite_where=sa.text("ended_at IS NOT NULL AND in_openings IS NULL"),
        postgresql_where=sa.text("ended_at IS NOT NULL AND in_openings IS NULL"),
    ),
)


def _lower_name(context: Any) -> str:  # noqa: ANN401
    """Return the value of `lower_name` for the row that a statement writes."""
    return context.get_current_parameters()["name"].lower()


FINISHED = sa.and_(
    games.c.status == "over",
    games.c.num_moves > 0,
    games.c.reason != "aborted",
    games.c.kind != "private",
    games.c.ended_at.is_not(None),  # the condition of the index `ix_games_archive`
)
"""The SQL condition for the games that everybody may find."""


seats = sa.Table(
    "seats",
    metadata,
    sa.Column("game_id", sa.ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("side", sa.Integer, primary_key=True),
    sa.Column("kind", sa.String(10), nullable=False),  # open, person, bot
    sa.Column("name", sa.String(200), nullable=False),
    sa.Column("lower_name", sa.String(400), nullable=False, default=_lower_name, onupdate=_lower_name),
    sa.Column("host", sa.Boolean, nullable=False),  # whether this player opened the game
    sa.Column("token_hash", sa.String(64)),  # SHA-256 of a person's secret token, in hexadecimal
    sa.Column("bot", sa.String(401)),  # CLIENT:BOT
    sa.Column("appearance", sa.JSON, nullable=False),  # appearance of the pieces, as wallgame.io's clients send it
    sa.Column("account_id", sa.String(32), index=True),  # NULL: a guest or a bot
    sa.Column("device_hash", sa.String(64)),  # SHA-256 of a person's guest id; NULL: a bot, or the game is over
    sa.Index(None, "lower_name", "kind", "game_id"),
    sa.Index(None, "bot", "game_id"),
)

moves = sa.Table(
    "moves",
    metadata,
    sa.Column("game_id", sa.ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("ply", sa.Integer, primary_key=True, autoincrement=False),  # number of moves before this one
    sa.Column("text", sa.String(400), nullable=False),  # in the game's notation
    sa.Column("left_0", sa.BigInteger),  # milliseconds on the clock after the move, with increment
    sa.Column("left_1", sa.BigInteger),
    sa.Column("played_at", Utc, nullable=False),
)

evaluations = sa.Table(
    "evaluations",
    metadata,
    sa.Column("game_id", sa.ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("ply", sa.Integer, primary_key=True, autoincrement=False),  # number of moves before the position
    sa.Column("value", sa.Float, nullable=False),  # from player 0's view
    sa.Column("best_move", sa.String(400), nullable=False),
    sa.Column("lead", sa.Float),  # expected lead of player 0 in points; NULL: unknown
)

openings = sa.Table(
    "openings",
    metadata,
    sa.Column("position", sa.LargeBinary(16), primary_key=True),  # see ludus.site.archive.opening_index
    sa.Column("actions", sa.String(400), primary_key=True),  # a move from there: its actions, joined by dots
    sa.Column("games", sa.Integer, nullable=False),  # in which it was played
    sa.Column("wins_0", sa.Integer, nullable=False),
    sa.Column("wins_1", sa.Integer, nullable=False),
    sa.Column("rated", sa.Integer, nullable=False),  # games in which the player of the move had a rating
    sa.Column("rating_sum", sa.Float, nullable=False),  # of these ratings
    sa.Column("samples", sa.JSON, nullable=False),  # ids of the latest of these games
)

reviews = sa.Table(
    "reviews",
    metadata,
    sa.Column("key", sa.String(64), primary_key=True),  # see ludus.site.archive.replay
    sa.Column("is_bound", sa.Boolean, nullable=False),  # whether the site stores the game; else the oldest are deleted
    sa.Column("board", sa.JSON, nullable=False),  # the board and the first position, as bots are told them
    sa.Column("judge", sa.String(200), nullable=False),
    sa.Column("rank", sa.JSON, nullable=False),  # numbers that order judges by strength
    sa.Column("visits", sa.Integer, nullable=False),  # for a position
    sa.Column("made_at", Utc, nullable=False),
    sa.Column("used_at", Utc, nullable=False),  # updated once a day
    sa.Column("body", sa.LargeBinary, nullable=False),  # the positions as JSON, deflated
    sa.Index(None, "is_bound", "used_at"),
)

begun_reviews = sa.Table(  # those that wait or are being made, so that the site goes on with them after a restart
    "begun_reviews",
    metadata,
    sa.Column("key", sa.String(64), primary_key=True),
    sa.Column("wish", sa.JSON, nullable=False),  # the game's id, or its link
    sa.Column("begun_at", Utc, nullable=False),
    sa.Column("body", sa.LargeBinary, nullable=False),  # what is found so far, as JSON, deflated
)

pulse = sa.Table(
    "pulse",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True, autoincrement=False),  # always 0: there is one site
    sa.Column("at", Utc, nullable=False),  # the last heartbeat
)

lease = sa.Table(
    "lease",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True, autoincrement=False),  # always 0
    sa.Column("generation", sa.Integer, nullable=False),  # how often a site has claimed the database
    sa.Column("beats", sa.BigInteger, nullable=False),  # grows while the site that serves can write
)
