"""Mail addresses of accounts, in a table of their own: only the sender of mail reads them, and no answer shows one."""

import re
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

from sqlalchemy import Connection, delete, func, insert, or_, select, update

from ludus.errors import BadInput
from ludus.site.database.database import Database
from ludus.site.database.people_schema import accounts, mail_addresses
from ludus.site.database.records import DAY_MS
from ludus.site.database.schema import games, moves, seats
from ludus.site.messages.mail import MailState
from ludus.site.safety.secrets import hash_of, new_secret

CONFIRM_DAYS = 2
"""Days in which a new address can be confirmed."""
MAX_FAILURES = 5
"""Letters in a row that could not be delivered, after which an address gets no more until it is confirmed again."""
MAX_TOLD = 200
"""Most persons to whom one round sends letters."""
PATIENCE_S = 5.0
_ATOM = r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+"
_ADDRESS = re.compile(rf"(?=[^@]{{1,64}}@){_ATOM}(?:\.{_ATOM})*@[A-Za-z0-9-]{{1,63}}(?:\.[A-Za-z0-9-]{{1,63}}){{1,8}}")


class WaitingGame(NamedTuple):
    """A game over days in which a person is to move."""

    id: str
    spec: str
    opponent: str
    deadline: datetime


class Addressee(NamedTuple):
    """A person with turns that no letter has told yet."""

    account_id: str
    name: str
    address: str
    stop_token: str
    games: list[WaitingGame]
    """All games in which it is their turn, the most urgent first."""


def check_address(text: str) -> str:
    """Return a mail address without blanks around it; raises BadInput if it is none."""
    address = text.strip()
    if len(address) > 254 or not _ADDRESS.fullmatch(address):
        raise BadInput("This is no mail address. Write one such as ann@example.org.")
    return address


def masked(address: str) -> str:
    """Return a mail address that only its owner recognises: `a…@example.org`."""
    user, _, domain = address.rpartition("@")
    return f"{user[:1]}\N{HORIZONTAL ELLIPSIS}@{domain}"


class Addresses:
    """The mail addresses of a site's accounts; methods raise Unavailable if the database cannot be used."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def state_of(self, account_id: str, *, offered: bool) -> MailState:
        """Return what an account's owner sees of its address."""
        query = select(mail_addresses).where(mail_addresses.c.account_id == account_id)
        row = await self._database.read(lambda connection: connection.execute(query).one_or_none())
        if row is None:
            return MailState(offered=offered, address=None, confirmed=False, wanted=False)
        confirmed = row.confirmed_at is not None and row.failures < MAX_FAILURES
        return MailState(offered=offered, address=masked(row.address), confirmed=confirmed, wanted=row.wanted)

    async def begin(self, account_id: str, address: str) -> str:
        """Store an address that is not confirmed, in place of an older one; return the secret that confirms it."""
        token, stop, now = new_secret(), new_secret(), datetime.now(UTC)
        row = {"address": address, "token_hash": hash_of(token), "token_at": now, "stop_token": stop, "wanted": True}

        def work(connection: Connection) -> None:
            connection.execute(delete(mail_addresses).where(mail_addresses.c.account_id == account_id))
            connection.execute(insert(mail_addresses).values(account_id=account_id, failures=0, **row))

        await self._database.write(work, PATIENCE_S)
        return token

    async def confirm(self, token: str) -> None:
        """Confirm the address to which this secret was sent; raises BadInput if it is wrong or too old."""
        now = datetime.now(UTC)
        mine = (mail_addresses.c.token_hash == hash_of(token)) & (
            mail_addresses.c.token_at > now - timedelta(days=CONFIRM_DAYS)
        )
        change = update(mail_addresses).where(mine).values(confirmed_at=now, told_at=now, failures=0)
        if not await self._database.write(lambda connection: connection.execute(change).rowcount, PATIENCE_S):
            raise BadInput("This link is too old or was replaced by a newer one. Ask for another in the settings.")

    async def stop(self, stop_token: str) -> None:
        """Stop letters to the address with this secret; a wrong one changes nothing, and nobody is told."""
        change = update(mail_addresses).where(mail_addresses.c.stop_token == stop_token).values(wanted=False)
        await self._database.write(lambda connection: connection.execute(change), PATIENCE_S)

    async def want(self, account_id: str, *, wanted: bool) -> None:
        """Switch letters to an account on or off."""
        mine = mail_addresses.c.account_id == account_id
        change = update(mail_addresses).where(mine).values(wanted=wanted, told_at=datetime.now(UTC))
        await self._database.write(lambda connection: connection.execute(change), PATIENCE_S)

    async def remove(self, account_id: str) -> None:
        """Delete the address of an account."""
        gone = delete(mail_addresses).where(mail_addresses.c.account_id == account_id)
        await self._database.write(lambda connection: connection.execute(gone), PATIENCE_S)

    async def due(self, now: datetime, wait_s: float, rest_s: float) -> list[Addressee]:
        """Return the persons who wait for a letter: their turn began `wait_s` ago, and the last letter `rest_s` ago."""
        mail = mail_addresses
        reachable = mail.c.confirmed_at.is_not(None) & mail.c.wanted & (mail.c.failures < MAX_FAILURES)
        rested = or_(mail.c.told_at.is_(None), mail.c.told_at <= now - timedelta(seconds=rest_s))
        to_move = (games.c.status == "playing") & (games.c.period_ms >= DAY_MS) & (seats.c.side == games.c.to_play)
        last = select(func.max(moves.c.played_at)).where(moves.c.game_id == games.c.id).scalar_subquery()
        query = (
            select(games.c.id, games.c.spec, games.c.since, games.c.deadline, seats.c.side, last.label("last"))
            .add_columns(mail.c.account_id, mail.c.address, mail.c.stop_token, mail.c.told_at, accounts.c.name)
            .select_from(mail)
            .join(accounts, accounts.c.id == mail.c.account_id)
            .join(seats, seats.c.account_id == mail.c.account_id)
            .join(games, games.c.id == seats.c.game_id)
            .where(reachable & rested & to_move & games.c.deadline.is_not(None))
            .order_by(mail.c.told_at, mail.c.account_id, games.c.deadline)
            .limit(MAX_TOLD * 10)
        )

        def work(connection: Connection) -> list[Addressee]:
            rows = connection.execute(query).all()
            others = select(seats.c.game_id, seats.c.side, seats.c.name)
            others = others.where(seats.c.game_id.in_({row.id for row in rows}))
            named = {(each.game_id, each.side): each.name for each in connection.execute(others)}
            return _addressees(rows, named, now - timedelta(seconds=wait_s))

        return (await self._database.read(work))[:MAX_TOLD]

    async def told(self, account_id: str, now: datetime, *, delivered: bool) -> None:
        """Note that a letter was sent, or could not be delivered."""
        failures = 0 if delivered else mail_addresses.c.failures + 1
        mine = mail_addresses.c.account_id == account_id
        change = update(mail_addresses).where(mine).values(told_at=now, failures=failures)
        await self._database.write(lambda connection: connection.execute(change), PATIENCE_S)


def _addressees(rows: Sequence[Any], named: dict[tuple[str, int], str], before: datetime) -> list[Addressee]:
    """Group the games of each person; leave out those without a turn that is new, and that began before a time."""
    found: dict[str, Addressee] = {}
    fresh: set[str] = set()
    for row in rows:
        person = Addressee(row.account_id, row.name, row.address, row.stop_token, [])
        person = found.setdefault(row.account_id, person)
        person.games.append(WaitingGame(row.id, row.spec, named.get((row.id, 1 - row.side), "?"), row.deadline))
        began = row.last or row.since  # a restart moves `since`, but not the latest move
        if began <= before and (row.told_at is None or began > row.told_at):
            fresh.add(row.account_id)
    return [person for key, person in found.items() if key in fresh]
