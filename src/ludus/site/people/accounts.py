"""Accounts in the database, which stores hashes of passwords and sessions, never the secrets."""

import secrets
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec
from sqlalchemy import Connection, delete, insert, or_, select, update

from ludus.errors import BadInput
from ludus.site.database.database import Database
from ludus.site.database.people_schema import accounts, named_like, sessions
from ludus.site.faults import NameTaken, WrongPassword
from ludus.site.people.passwords import Passwords
from ludus.site.people.upkeep import end_account
from ludus.site.safety.names import check_name, check_password, folded, skeleton
from ludus.site.safety.secrets import hash_of, new_secret

SESSION_DAYS = 30
PROLONGED_AFTER_DAYS = 1
"""A session in use is prolonged once a day: one write, not one for every request."""
MAX_SESSIONS = 20
"""Of one account at a time; the oldest ends."""
MAX_SETTINGS_BYTES = 8192
PATIENCE_S = 5.0
"""How long a person waits for a database that refuses."""
_WRONG = "This name and this password do not belong together."
_NOT_YOURS = "This is not your password."


class Account(msgspec.Struct, frozen=True):
    """An account."""

    id: str
    name: str
    settings: dict[str, Any]
    made_at: datetime


class Accounts:
    """The accounts of a site."""

    def __init__(self, database: Database, passwords: Passwords | None = None) -> None:
        """Take a database; tests pass a faster way to hash."""
        self._database = database
        self._passwords = passwords or Passwords()

    async def register(self, name: str, password: str) -> Account:
        """Make an account; raises BadInput, NameTaken or Unavailable."""
        name = check_name(name)
        check_password(password, name)
        account = Account(secrets.token_urlsafe(9), name, {}, datetime.now(UTC))
        hashed = await self._passwords.hash(password)
        compared = {"folded": folded(name), "skeleton": skeleton(name)}
        row = insert(accounts).values(**msgspec.structs.asdict(account), **compared, password_hash=hashed)

        def work(connection: Connection) -> Any:  # noqa: ANN401 - the row of whose name it is
            there = connection.execute(select(accounts.c.id, accounts.c.folded).where(named_like(**compared))).first()
            if there is None:
                connection.execute(row)
            return there

        there = await self._database.write(work, PATIENCE_S)
        if there and there.id != account.id:  # the latter: it was written, and the word of it lost
            how = "is taken" if there.folded == compared["folded"] else "looks like one that is taken"
            raise NameTaken(f"The name {name} {how}; choose another.")
        return account

    async def log_in(self, name: str, password: str) -> tuple[Account, str]:
        """Return the account that a name and a password open, and a session; raises WrongPassword or Unavailable."""
        row = await self._row(accounts.c.folded == folded(name))
        if not await self._passwords.is_right(row.password_hash if row else None, password) or not row:
            raise WrongPassword(_WRONG)
        is_old = self._passwords.is_old(row.password_hash)
        fresh = await self._passwords.hash(password) if is_old else row.password_hash
        account = _account(row)
        return account, await self.open_session(account, (row.password_hash, fresh))

    async def check(self, account: Account, password: str) -> str:
        """Return the stored hash if this is the account's password; raises WrongPassword."""
        row = await self._row(accounts.c.id == account.id)
        if not await self._passwords.is_right(row.password_hash if row else None, password) or not row:
            raise WrongPassword(_NOT_YOURS)
        return row.password_hash

    async def change_password(self, account: Account, proved: str, password: str, session: str) -> None:
        """Set another password and end all sessions but this one.

        Args:
            account: whose.
            proved: what `check` returned; it does not count if the password was changed meanwhile.
            password: the new one.
            session: goes on.

        Raises:
            BadInput: the new password breaks a rule.
            WrongPassword: another one was set meanwhile.
            Unavailable: the database refuses.
        """
        check_password(password, account.name)
        hashed = await self._passwords.hash(password)

        def work(connection: Connection) -> bool:
            if _hash_there(connection, account) not in (proved, hashed):  # the latter: written, and the word of it lost
                return False
            mine = (sessions.c.account_id == account.id) & (sessions.c.token_hash != hash_of(session))
            connection.execute(delete(sessions).where(mine))
            connection.execute(update(accounts).where(accounts.c.id == account.id).values(password_hash=hashed))
            return True

        if not await self._database.write(work, PATIENCE_S):
            raise WrongPassword(_NOT_YOURS)

    async def set_settings(self, account: Account, settings: dict[str, Any]) -> Account:
        """Store the page's settings; raises BadInput or Unavailable."""
        if len(msgspec.json.encode(settings)) > MAX_SETTINGS_BYTES:
            raise BadInput(f"Settings have {MAX_SETTINGS_BYTES} bytes at most.")
        change = update(accounts).where(accounts.c.id == account.id).values(settings=settings)
        await self._database.write(lambda connection: connection.execute(change), PATIENCE_S)
        return msgspec.structs.replace(account, settings=settings)

    async def end(self, account: Account, proved: str) -> None:
        """Delete an account with its sessions, tokens and ratings; its games stay without its name.

        Raises:
            WrongPassword: `proved`, from `check`, does not count any more: another password was set meanwhile.
            Unavailable: the database refuses.
        """

        def work(connection: Connection) -> bool:
            if _hash_there(connection, account) not in (proved, None):  # None: it has been ended
                return False
            end_account(connection, account.id)
            return True

        if not await self._database.write(work, PATIENCE_S):
            raise WrongPassword(_NOT_YOURS)

    async def named(self, name: str) -> Account | None:
        """Return the account of a name, whatever its case; None if there is none."""
        row = await self._row(accounts.c.folded == folded(name))
        return _account(row) if row else None

    async def those_like(self, names: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
        """Return the likenesses of accounts that are the same as one of these, or look so; raises Unavailable."""
        alike = or_(
            accounts.c.folded.in_({plain for plain, _ in names}), accounts.c.skeleton.in_({looks for _, looks in names})
        )
        query = select(accounts.c.folded, accounts.c.skeleton).where(alike)
        found = await self._database.read(lambda connection: connection.execute(query).all())
        return [(row.folded, row.skeleton) for row in found]

    # ---- sessions ----------------------------------------------------------------------------------------------------

    async def open_session(self, account: Account, hashes: tuple[str, str] | None = None) -> str:
        """Return the secret of a new session.

        Args:
            account: whose.
            hashes: of the password that was proved: as it was read, and as it is to be stored.

        Raises:
            WrongPassword: the password is another one by now, or the account is deleted.
            Unavailable: the database refuses.
        """
        token, now = new_secret(), datetime.now(UTC)
        row = {"token_hash": hash_of(token), "account_id": account.id, "made_at": now, "used_at": now}

        def work(connection: Connection) -> bool:
            mine = sessions.c.account_id == account.id
            newest = select(sessions.c.token_hash).where(mine).order_by(sessions.c.used_at.desc())
            if connection.execute(newest.where(sessions.c.token_hash == row["token_hash"])).first():
                return True  # it was written, and the word of it lost
            if hashes:
                same = (accounts.c.id == account.id) & (accounts.c.password_hash == hashes[0])
                change = update(accounts).where(same).values(password_hash=hashes[1])
                if not connection.execute(change).rowcount:
                    return False
            kept = connection.execute(newest.limit(MAX_SESSIONS - 1)).scalars().all()
            connection.execute(delete(sessions).where(mine & sessions.c.token_hash.not_in(kept)))
            connection.execute(delete(sessions).where(sessions.c.used_at < now - timedelta(days=SESSION_DAYS)))
            connection.execute(insert(sessions).values(**row))
            return True

        if not await self._database.write(work, PATIENCE_S):
            raise WrongPassword(_WRONG)
        return token

    async def of_session(self, token: str) -> tuple[Account, bool] | None:
        """Return a session's account, and whether to prolong the session; None if it has ended.  Raises Unavailable."""
        now, found = datetime.now(UTC), sessions.c.token_hash == hash_of(token)
        query = select(accounts, sessions.c.used_at).join(sessions).where(found)
        row = await self._database.read(lambda connection: connection.execute(query).one_or_none())
        if row is None or row.used_at < now - timedelta(days=SESSION_DAYS):
            return None
        return _account(row), row.used_at < now - timedelta(days=PROLONGED_AFTER_DAYS)

    async def prolong(self, token: str) -> None:
        """Restart the lifetime of a session; the caller renews its cookie.  Raises Unavailable."""
        used = update(sessions).where(sessions.c.token_hash == hash_of(token)).values(used_at=datetime.now(UTC))
        await self._database.write(lambda connection: connection.execute(used), PATIENCE_S)

    async def close_session(self, token: str) -> None:
        """End a session; raises Unavailable."""
        found = sessions.c.token_hash == hash_of(token)
        await self._database.write(lambda connection: connection.execute(delete(sessions).where(found)), PATIENCE_S)

    async def _row(self, which: Any) -> Any:  # noqa: ANN401 - a row of the table, or None
        query = select(accounts).where(which)
        return await self._database.read(lambda connection: connection.execute(query).one_or_none())


def _account(row: Any) -> Account:  # noqa: ANN401
    return Account(row.id, row.name, row.settings, row.made_at)


def _hash_there(connection: Connection, account: Account) -> str | None:
    """Return the present hash of an account's password; None if the account is deleted."""
    return connection.execute(select(accounts.c.password_hash).where(accounts.c.id == account.id)).scalar_one_or_none()
