"""Reports of chat messages and people, which any visitor can send to the operator."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import NamedTuple

from sqlalchemy import Connection, delete, func, insert, select, update

from ludus.errors import Unavailable
from ludus.site.database.database import Database
from ludus.site.database.moderation_schema import reports
from ludus.site.faults import NotHere, TooOften
from ludus.site.safety.limits import AddressLimiter, RateLimit

LIMIT = RateLimit(most=5, per_s=1 / 120)
"""Reports of one address."""
MAX_OPEN = 1000
"""Most open reports."""
MAX_CLOSED = 1000
"""Most closed reports that are kept."""
MAX_SHOWN = 100
PATIENCE_S = 5.0


class Reported(NamedTuple):
    """Whom or what somebody reports."""

    person: str
    """See `Visitor.person`; "" if unknown."""
    name: str
    address: str = ""
    game_id: str = ""
    text: str = ""
    """The chat message; "" for a report of a person."""


class OpenReport(NamedTuple):
    """An open report."""

    id: int
    at: datetime
    reporter: str
    reporter_name: str
    reporter_address: str
    subject: str
    subject_name: str
    subject_address: str
    game_id: str
    text: str
    why: str


_COLUMNS = [reports.c[name] for name in OpenReport._fields]


class Reports:
    """The reports of a site."""

    def __init__(self, database: Database, unlimited: set[str], clock: Callable[[], float]) -> None:
        """Create the reports' interface to a database.

        Args:
            database: the database.
            unlimited: addresses without limits.
            clock: returns seconds from an arbitrary start.
        """
        self._database, self._unlimited = database, unlimited
        self._limit = AddressLimiter(LIMIT, clock)

    async def add(self, reporter: tuple[str, str, str], reported: Reported, why: str) -> None:
        """Store a report; a second one of the same person about the same thing changes nothing.

        Args:
            reporter: the person, name and address of the visitor who reports.
            reported: what is reported.
            why: what the visitor writes about it.

        Raises:
            TooOften: the address has sent too many.
            Unavailable: too many are open, or the database cannot be used.
        """
        person, name, address = reporter
        if address not in self._unlimited and (wait_s := self._limit.take(address)):
            raise TooOften.of_address("reports came", wait_s)
        values = {
            "reporter": person,
            "reporter_name": name,
            "reporter_address": address,
            "subject": reported.person,
            "subject_name": reported.name,
            "subject_address": reported.address,
            "game_id": reported.game_id,
            "text": reported.text,
        }
        is_open = reports.c.closed_at.is_(None)
        same = [reports.c[each] == values[each] for each in ("reporter", "subject", "subject_name", "game_id", "text")]

        def work(connection: Connection) -> bool:
            if connection.execute(select(reports.c.id).where(is_open, *same)).first():
                return True
            if connection.execute(select(func.count()).select_from(reports).where(is_open)).scalar_one() >= MAX_OPEN:
                return False
            connection.execute(insert(reports).values(**values, at=datetime.now(UTC), why=why))
            return True

        if not await self._database.write(work, PATIENCE_S):
            raise Unavailable("Too many reports are waiting for the operator. Try again later.")

    async def open_ones(self) -> list[OpenReport]:
        """Return the open reports, the latest first, at most MAX_SHOWN; raises Unavailable."""
        query = select(*_COLUMNS).where(reports.c.closed_at.is_(None)).order_by(reports.c.id.desc()).limit(MAX_SHOWN)
        rows = await self._database.read(lambda connection: connection.execute(query).all())
        return [OpenReport(*row) for row in rows]

    def close(self, connection: Connection, number: int) -> str:
        """Close a report, which deletes the addresses in it; return the name of its subject.  Raises NotHere."""
        which = (reports.c.id == number) & reports.c.closed_at.is_(None)
        closed = {"closed_at": datetime.now(UTC), "reporter_address": "", "subject_address": ""}
        change = update(reports).where(which).values(**closed).returning(reports.c.subject_name)
        name = connection.execute(change).scalar_one_or_none()
        if name is None:
            raise NotHere("This report is closed already.")
        kept = select(reports.c.id).where(reports.c.closed_at.is_not(None)).order_by(reports.c.id.desc())
        others = reports.c.id.not_in(kept.limit(MAX_CLOSED))
        connection.execute(delete(reports).where(reports.c.closed_at.is_not(None) & others))
        return name
