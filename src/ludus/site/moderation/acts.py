"""The append-only log of what operators have done, with who, when and why."""

from __future__ import annotations

import logging
from datetime import UTC, datetime
from typing import NamedTuple

from sqlalchemy import Connection, insert, select

from ludus.site.database.database import Database
from ludus.site.database.moderation_schema import operator_acts

_log = logging.getLogger(__name__)

MAX_SHOWN = 200


class LoggedAct(NamedTuple):
    """An act of an operator."""

    at: datetime
    who: str
    address: str
    act: str
    subject: str
    why: str


async def latest(database: Database) -> list[LoggedAct]:
    """Return the latest acts, the last first; raises Unavailable."""
    columns = [operator_acts.c[name] for name in LoggedAct._fields]
    query = select(*columns).order_by(operator_acts.c.id.desc()).limit(MAX_SHOWN)
    rows = await database.read(lambda connection: connection.execute(query).all())
    return [LoggedAct(*row) for row in rows]


def note(connection: Connection, who: str, address: str, act: str, subject: str, why: str) -> None:
    """Write an act into the log, in the transaction that makes the change."""
    row = LoggedAct(datetime.now(UTC), who, address, act, subject[:300], why)
    connection.execute(insert(operator_acts).values(**row._asdict()))


def tell(who: str, address: str, act: str, subject: str, why: str) -> None:
    """Write an act into the site's log."""
    _log.info("Operator %s (%s): %s %s: %s", who, address, act, subject, why)
