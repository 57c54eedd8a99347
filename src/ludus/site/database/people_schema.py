"""The tables about people: accounts, sessions, bot tokens, ratings and rated games."""

from sqlalchemy import JSON, Boolean, Column, ColumnElement, Float, ForeignKey, Index, Integer, String, Table, or_

from ludus.site.database.schema import Utc, metadata

DELETED = "(deleted)"
"""Replaces the name of a deleted account in its games."""


def _account(*, primary_key: bool = False, index: bool = False) -> Column[str]:
    key = ForeignKey("accounts.id", ondelete="CASCADE")
    return Column("account_id", key, nullable=False, primary_key=primary_key, index=index or None)


accounts = Table(
    "accounts",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("name", String(40), nullable=False),
    Column("folded", String(80), nullable=False, unique=True),  # see ludus.site.safety.names.folded
    Column("skeleton", String(400), nullable=False, index=True),  # see ludus.site.safety.names.skeleton
    Column("password_hash", String(200), nullable=False),  # argon2id, with its parameters and salt
    Column("settings", JSON, nullable=False),
    Column("made_at", Utc, nullable=False),
    Index("ix_accounts_folded_prefix", "folded", postgresql_ops={"folded": "varchar_pattern_ops"}),  # for LIKE 'a%'
)


def named_like(folded: str, skeleton: str) -> ColumnElement[bool]:
    """Return the SQL condition for accounts whose name is equal or looks alike; see `ludus.site.safety.names`."""
    return or_(accounts.c.folded == folded, accounts.c.skeleton == skeleton)


sessions = Table(
    "sessions",
    metadata,
    Column("token_hash", String(64), primary_key=True),  # SHA-256 of the cookie's value, in hexadecimal
    _account(index=True),
    Column("made_at", Utc, nullable=False),
    Column("used_at", Utc, nullable=False),  # updated once a day
)

bot_tokens = Table(
    "bot_tokens",
    metadata,
    Column("client_id", String(200), primary_key=True),
    _account(index=True),
    Column("token_hash", String(64), nullable=False),
    Column("ending", String(4), nullable=False),  # last characters of the token, shown to its owner
    Column("made_at", Utc, nullable=False),
    Column("used_at", Utc),
)

mail_addresses = Table(  # personal data: only `ludus.site.mail` reads this table
    "mail_addresses",
    metadata,
    _account(primary_key=True),
    Column("address", String(254), nullable=False),
    Column("confirmed_at", Utc),  # NULL: the link that was sent to it has not been used
    Column("token_hash", String(64), nullable=False, index=True),  # SHA-256 of the secret of that link
    Column("token_at", Utc, nullable=False),
    Column("stop_token", String(64), nullable=False, unique=True),  # the secret of the link that stops letters
    Column("wanted", Boolean, nullable=False),
    Column("told_at", Utc),  # when the latest letter was sent
    Column("failures", Integer, nullable=False),  # letters in a row that could not be delivered
)

ratings = Table(
    "ratings",
    metadata,
    _account(primary_key=True),
    Column("game", String(150), primary_key=True),  # GAME:VARIANT
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
    Column("game_id", ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),  # a game is rated only once
    Column("before_0", Float),  # NULL: the game did not change the ratings
    Column("after_0", Float),
    Column("before_1", Float),
    Column("after_1", Float),
    Column("at", Utc, nullable=False),
)
