"""The tables of people: accounts, their sessions and bots' tokens, ratings, and which games they come from."""

from sqlalchemy import JSON, Column, ColumnElement, Float, ForeignKey, Integer, String, Table, or_

from ludus.site.database.schema import Utc, metadata

DELETED = "(deleted)"
"""What stands at a seat in place of a name whose account has ended."""


def _account(*, primary_key: bool = False, index: bool = False) -> Column[str]:
    key = ForeignKey("accounts.id", ondelete="CASCADE")
    return Column("account_id", key, nullable=False, primary_key=primary_key, index=index or None)


accounts = Table(
    "accounts",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("name", String(40), nullable=False),
    Column("folded", String(80), nullable=False, unique=True),  # the name as it is compared
    Column("skeleton", String(400), nullable=False, index=True),  # and as it looks to people
    Column("password_hash", String(200), nullable=False),  # argon2id, with its parameters and salt
    Column("settings", JSON, nullable=False),
    Column("made_at", Utc, nullable=False),
)


def named_like(folded: str, skeleton: str) -> ColumnElement[bool]:
    """Return the condition for accounts whose name is the same or looks the same; see `ludus.site.safety.names`."""
    return or_(accounts.c.folded == folded, accounts.c.skeleton == skeleton)


sessions = Table(
    "sessions",
    metadata,
    Column("token_hash", String(64), primary_key=True),  # SHA-256 in hexadecimal of what stands in the cookie
    _account(index=True),
    Column("made_at", Utc, nullable=False),
    Column("used_at", Utc, nullable=False),  # to the day
)

bot_tokens = Table(
    "bot_tokens",
    metadata,
    Column("client_id", String(200), primary_key=True),
    _account(index=True),
    Column("token_hash", String(64), nullable=False),
    Column("ending", String(4), nullable=False),  # of the token, for people to tell them apart
    Column("made_at", Utc, nullable=False),
    Column("used_at", Utc),
)

ratings = Table(
    "ratings",
    metadata,
    _account(primary_key=True),
    Column("game", String(150), primary_key=True),  # game and variant: wallgame:classic
    Column("time_class", String(20), primary_key=True),
    Column("rating", Float, nullable=False, index=True),
    Column("deviation", Float, nullable=False),
    Column("volatility", Float, nullable=False),
    Column("wins", Integer, nullable=False),
    Column("draws", Integer, nullable=False),
    Column("losses", Integer, nullable=False),
    Column("changed_at", Utc, nullable=False),
)

rated_games = Table(
    "rated_games",
    metadata,
    Column("game_id", ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),  # a game counts once
    Column("before_0", Float),  # NULL: the game counted for nothing
    Column("after_0", Float),
    Column("before_1", Float),
    Column("after_1", Float),
    Column("at", Utc, nullable=False),
)
