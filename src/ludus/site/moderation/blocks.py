"""Blocks between people: who is blocked gets no game with the other person, by whatever way.

All blocks are in memory, because quick pairing compares many people at once.
"""

from __future__ import annotations

from sqlalchemy import Connection, delete, func, insert, select

from ludus.errors import BadInput
from ludus.site.database.database import Database
from ludus.site.database.moderation_schema import blocks
from ludus.site.faults import NotYours
from ludus.site.messages.moderation import BlockedPerson
from ludus.site.safety.secrets import public_key

MAX_OWN = 200
"""Most people whom one person blocks."""
MAX_ALL = 100_000
"""Most blocks of a site; the oldest make room for new ones."""
PATIENCE_S = 5.0


class Blocks:
    """The blocks of a site, by the public keys of people."""

    def __init__(self) -> None:
        """Start without blocks; `open` reads those of the database."""
        self._blocked: dict[str, dict[str, str]] = {}  # names by blocked person, by owner
        self._database: Database | None = None

    async def open(self, database: Database) -> None:
        """Read the blocks from a database; raises Unavailable."""
        query = select(blocks).order_by(blocks.c.id)
        rows = await database.read(lambda connection: connection.execute(query).all())
        self._blocked = {}
        for row in rows:
            self._blocked.setdefault(row.owner, {})[row.blocked] = row.name
        self._database = database

    def are_apart(self, one: str, other: str) -> bool:
        """Return whether one of two people has blocked the other; see `Visitor.person`, "" is nobody."""
        if not (self._blocked and one and other):
            return False
        first, second = public_key(one), public_key(other)
        return second in self._blocked.get(first, ()) or first in self._blocked.get(second, ())

    def must_meet(self, one: str, other: str) -> None:
        """Raise NotYours if one of two people has blocked the other; the sentence does not tell who."""
        if self.are_apart(one, other):
            raise NotYours("You cannot play with this person. Choose another game.")

    def of(self, person: str) -> list[BlockedPerson]:
        """Return whom a person has blocked, the earliest first."""
        return [BlockedPerson(key, name) for key, name in self._blocked.get(public_key(person), {}).items()]

    async def add(self, person: str, key: str, name: str) -> None:
        """Block a person; raises BadInput or Unavailable.

        Args:
            person: who blocks.
            key: the public key of the other person.
            name: the other person's name, for the list.
        """
        owner = public_key(person)
        own = self._blocked.get(owner, {})
        if key == owner:
            raise BadInput("You cannot block yourself.")
        if key in own:
            return
        if len(own) >= MAX_OWN:
            raise BadInput(f"You have blocked {MAX_OWN} people. Unblock somebody first.")

        def work(connection: Connection) -> list[tuple[str, str]]:
            connection.execute(delete(blocks).where((blocks.c.owner == owner) & (blocks.c.blocked == key)))
            connection.execute(insert(blocks).values(owner=owner, blocked=key, name=name))
            count = connection.execute(select(func.count()).select_from(blocks)).scalar_one()
            if count <= MAX_ALL:
                return []
            oldest = select(blocks.c.id).order_by(blocks.c.id).limit(count - MAX_ALL)
            gone = delete(blocks).where(blocks.c.id.in_(oldest)).returning(blocks.c.owner, blocks.c.blocked)
            return [(row.owner, row.blocked) for row in connection.execute(gone)]

        assert self._database, "the site is open"
        for gone_owner, gone in await self._database.write(work, PATIENCE_S):
            self._blocked.get(gone_owner, {}).pop(gone, None)
        self._blocked.setdefault(owner, {})[key] = name

    async def remove(self, person: str, key: str) -> None:
        """Unblock a person; raises Unavailable."""
        owner = public_key(person)
        where = (blocks.c.owner == owner) & (blocks.c.blocked == key)
        assert self._database, "the site is open"
        await self._database.write(lambda connection: connection.execute(delete(blocks).where(where)), PATIENCE_S)
        own = self._blocked.get(owner, {})
        own.pop(key, None)
        if not own:
            self._blocked.pop(owner, None)
