"""Bans and silences: in the database, and in memory, where every request and chat message is compared with them."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import Literal, NamedTuple

from sqlalchemy import Connection, delete, func, insert, select
from sqlalchemy import Row as SqlRow

from ludus.errors import BadInput
from ludus.site.database.database import Database
from ludus.site.database.moderation_schema import restrictions
from ludus.site.faults import Banned, Close, NotHere

Kind = Literal["ban", "silence"]
MAX_ACTIVE = 10_000
"""Most bans and silences at a time, which are all in memory."""
PATIENCE_S = 5.0
"""How long a request retries while the database refuses to write."""
_DONE = {"ban": "banned you from this site", "silence": "silenced you in chats"}


class ActiveRestriction(NamedTuple):
    """A ban or a silence."""

    id: int
    kind: Kind
    subject: str
    """`account ID`, `guest ID` (only silences), `address A` (see `limits.neighbourhood`), or `client ID` (of bots)."""
    name: str
    """The subject's name when it was restricted."""
    why: str
    made_at: datetime
    until: datetime | None
    """When it ends; None: never."""

    @property
    def sentence(self) -> str:
        """Return what the restricted person is told."""
        until = f"until {self.until:%d %B %Y, %H:%M} UTC" if self.until else "for good"
        return f"The operator has {_DONE[self.kind]} {until}. Reason: {self.why.rstrip('.')}."

    @property
    def goodbye(self) -> Close:
        """Return how sockets of the restricted person are closed."""
        return Close(1008, self.sentence.encode()[:120].decode(errors="ignore"))


class Restrictions:
    """The bans and silences that are in force."""

    def __init__(self, now: Callable[[], datetime] = lambda: datetime.now(UTC)) -> None:
        """Start without restrictions; `open` reads those of the database."""
        self.listeners: list[Callable[[ActiveRestriction], None]] = []
        """Functions that are called with every new restriction."""
        self._now = now
        self._active: dict[tuple[str, str], ActiveRestriction] = {}
        self._sockets: dict[str, set[Callable[[Close], None]]] = {}
        self._database: Database | None = None

    async def open(self, database: Database) -> None:
        """Read the restrictions from a database; raises Unavailable."""
        query = select(restrictions).order_by(restrictions.c.id)
        rows = await database.read(lambda connection: connection.execute(query).all())
        self._active = {(row.kind, row.subject): _restriction(row) for row in rows}
        self._database = database

    def all(self) -> list[ActiveRestriction]:
        """Return the restrictions in force, the latest first."""
        return sorted((each for each in self._active.values() if self._holds(each)), key=lambda each: -each.id)

    def of(self, kind: Kind, *subjects: str) -> ActiveRestriction | None:
        """Return a restriction that is in force for one of the subjects; None if there is none."""
        if not self._active:
            return None
        found = (self._active.get((kind, subject)) for subject in subjects)
        return next((each for each in found if each and self._holds(each)), None)

    def ban_of(self, address: str) -> str | None:
        """Return what a banned address is told; None for other addresses."""
        ban = self.of("ban", f"address {address}")
        return ban and ban.sentence

    def silence_of(self, person: str, address: str) -> str | None:
        """Return what a silenced speaker is told; None for other speakers."""
        silence = self.of("silence", person, f"address {address}")
        return silence and silence.sentence

    def when_address_banned(self, call: Callable[[str, str], None]) -> None:
        """Call a function with each address that is banned from now on, and with what it is told."""

        def hear(restriction: ActiveRestriction) -> None:
            kind, _, address = restriction.subject.partition(" ")
            if restriction.kind == "ban" and kind == "address":
                call(address, restriction.sentence)

        self.listeners.append(hear)

    def must_not_be_banned(self, *subjects: str) -> None:
        """Raise Banned if one of the subjects is banned."""
        if ban := self.of("ban", *subjects):
            raise Banned(ban.sentence)

    def write(
        self, connection: Connection, kind: Kind, subject: str, name: str, why: str, hours: float | None
    ) -> ActiveRestriction:
        """Write a restriction, in place of an earlier one of the same kind; `note` puts it into force.

        Args:
            connection: a transaction of the database.
            kind: `ban` or `silence`.
            subject: see `ActiveRestriction`.
            name: the subject's name.
            why: the reason, which the restricted person is told.
            hours: how long it lasts; None: for good.

        Raises:
            BadInput: there are too many.
        """
        now = self._now()
        over = restrictions.c.until.is_not(None) & (restrictions.c.until < now)
        same = (restrictions.c.kind == kind) & (restrictions.c.subject == subject)
        connection.execute(delete(restrictions).where(over | same))
        if connection.execute(select(func.count()).select_from(restrictions)).scalar_one() >= MAX_ACTIVE:
            raise BadInput(f"There are {MAX_ACTIVE} bans and silences. Lift some of them first.")
        until = None if hours is None else now + timedelta(hours=hours)
        values = {"kind": kind, "subject": subject, "name": name[:80], "why": why, "made_at": now, "until": until}
        made = connection.execute(insert(restrictions).values(**values).returning(restrictions))
        return _restriction(made.one())

    def note(self, restriction: ActiveRestriction) -> None:
        """Put a written restriction into force."""
        self._active[restriction.kind, restriction.subject] = restriction
        for close in tuple(self._sockets.get(restriction.subject, ())) if restriction.kind == "ban" else ():
            close(restriction.goodbye)
        for listener in self.listeners:
            listener(restriction)

    @contextmanager
    def over(self, person: str, close: Callable[[Close], None]) -> Generator[None]:
        """Call `close` during the block as soon as a person (see `Visitor.person`) is banned."""
        own = self._sockets.setdefault(person, set())
        own.add(close)
        try:
            yield
        finally:
            own.discard(close)
            if not own and self._sockets.get(person) is own:
                del self._sockets[person]

    def with_id(self, number: int) -> ActiveRestriction:
        """Return the restriction with an id; raises NotHere if none in force has it."""
        found = next((each for each in self.all() if each.id == number), None)
        if found is None:
            raise NotHere("This ban or silence has ended already.")
        return found

    def lift(self, connection: Connection, restriction: ActiveRestriction) -> None:
        """Delete a restriction; `forget` ends it."""
        connection.execute(delete(restrictions).where(restrictions.c.id == restriction.id))

    def forget(self, restriction: ActiveRestriction) -> None:
        """End a restriction that was deleted."""
        if self._active.get((restriction.kind, restriction.subject)) == restriction:
            del self._active[restriction.kind, restriction.subject]

    def _holds(self, restriction: ActiveRestriction) -> bool:
        return restriction.until is None or self._now() < restriction.until


def _restriction(row: SqlRow[tuple[object, ...]]) -> ActiveRestriction:
    return ActiveRestriction(**row._mapping)  # pyright: ignore[reportPrivateUsage] - SQLAlchemy's public name
