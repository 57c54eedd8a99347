"""The tables of moderation: bans and silences, blocks between people, reports, and the operator's acts."""

from sqlalchemy import Column, Index, Integer, String, Table, UniqueConstraint

from ludus.site.database.schema import Utc, metadata

restrictions = Table(
    "restrictions",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("kind", String(20), nullable=False),  # ban, silence
    Column("subject", String(80), nullable=False),  # see ludus.site.moderation.restrictions.ActiveRestriction
    Column("name", String(80), nullable=False),  # of the subject when it was restricted
    Column("why", String(300), nullable=False),
    Column("made_at", Utc, nullable=False),
    Column("until", Utc),  # NULL: for good
)

blocks = Table(
    "blocks",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("owner", String(16), nullable=False),  # see ludus.site.safety.secrets.public_key
    Column("blocked", String(16), nullable=False),
    Column("name", String(80), nullable=False),  # of the blocked person, for the owner's list
    UniqueConstraint("owner", "blocked"),
)

reports = Table(
    "reports",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("at", Utc, nullable=False),
    Column("reporter", String(80), nullable=False),  # see ludus.site.people.visitors.Visitor.person
    Column("reporter_name", String(200), nullable=False),
    Column("reporter_address", String(64), nullable=False),  # "" once the report is closed
    Column("subject", String(80), nullable=False),  # the person; "" if unknown
    Column("subject_name", String(200), nullable=False),
    Column("subject_address", String(64), nullable=False),  # "" if unknown, or once the report is closed
    Column("game_id", String(32), nullable=False),  # "" for a report of an account
    Column("text", String(400), nullable=False),  # the chat message; "" for a report of a person
    Column("why", String(300), nullable=False),
    Column("closed_at", Utc),
    Index(None, "closed_at"),
)

operator_acts = Table(
    "operator_acts",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("at", Utc, nullable=False),
    Column("who", String(40), nullable=False),  # as the operator gave it
    Column("address", String(64), nullable=False),
    Column("act", String(20), nullable=False),
    Column("subject", String(300), nullable=False),
    Column("why", String(300), nullable=False),
)
"""Triggers of the migration refuse to change or delete rows of this table."""
