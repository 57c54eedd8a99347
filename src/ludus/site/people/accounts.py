"""Accounts and their sessions; the database stores only hashes of passwords and session tokens."""

import secrets
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec
from sqlalchemy import Connection, delete, insert, or_, select, update

from ludus.errors import BadInput
from ludus.site.database.database import Database
from ludus.site.database.people_schema import accounts, named_like, sessions
from ludus.site.faults import NameTaken, WrongPassword
from ludus.site.messages.people import Welcome
from ludus.site.people.passwords import STRANGER, Asker, Passwords
from ludus.site.people.upkeep import end_account
from ludus.site.safety.names import check_name, check_password, folded, skeleton
from ludus.site.safety.secrets import hash_of, new_secret

SESSION_DAYS = 30
PROLONGED_AFTER_DAYS = 1
"""A session in use is prolonged once a day, to avoid a write at every request."""
MAX_SESSIONS = 20
"""Most sessions of one account; a new one beyond that ends the oldest."""
MAX_SETTINGS_BYTES = 8192
PATIENCE_S = 5.0
"""How long a request retries while the database refuses to write."""
_WRONG = "The name or the password is wrong."
_NOT_YOURS = "This is not your password."


class Account(msgspec.Struct, frozen=True):
    """An account of a person, without its password."""

    id: str
    name: str
    settings: dict[str, Any]
    made_at: datetime

    @property
    def welcome(self) -> Welcome:
        """Return whose challenges the account accepts: the setting `challenges` that its page has stored."""
        wanted = self.settings.get("challenges")
        return wanted if wanted in ("accounts", "nobody") else "everyone"

    def is_shown(self, is_here: Callable[[str], bool]) -> bool:
        """Return whether others see that the account has a page open; not if it accepts no challenges."""
        return self.welcome != "nobody" and is_here(self.id)


class Accounts:
    """The accounts and sessions of a site."""

    def __init__(self, database: Database, passwords: Passwords | None = None) -> None:
        """Create the accounts' interface to a database; `passwords` replaces the hashing, for tests."""
        self._database = database
        self._passwords = passwords or Passwords()

    async def register(self, name: str, password: str, asker: Asker = STRANGER) -> Account:
        """Create an account; raises BadInput, NameTaken or Unavailable."""
        name = check_name(name)
        check_password(password, name)
        account = Account(secrets.token_urlsafe(9), name, {}, datetime.now(UTC))
        hashed = await self._passwords.hash(password, asker)
        compared = {"folded": folded(name), "skeleton": skeleton(name)}
        row = insert(accounts).values(**msgspec.structs.asdict(account), **compared, password_hash=hashed)

        def work(connection: Connection) -> Any:  # noqa: ANN401 - the row of the account that has the name, or None
            there = connection.execute(select(accounts.c.id, accounts.c.folded).where(named_like(**compared))).first()
            if there is None:
                connection.execute(row)
            return there

        there = await self._database.write(work, PATIENCE_S)
        if there and there.id != account.id:  # equal ids: the first try was committed without confirmation
            how = "is taken" if there.folded == compared["folded"] else "looks like one that is taken"
            raise NameTaken(f"The name {name} {how}; choose another.")
        return account

    async def log_in(self, name: str, password: str, asker: Asker = STRANGER) -> tuple[Account, str]:
        """Check a name and a password.

        Returns:
            The account, and the token of a new session.

        Raises:
            WrongPassword: the name or the password is wrong.
            Unavailable: the database cannot be used, or too many logins are waiting.
        """
        row = await self._row(accounts.c.folded == folded(name))
        if not await self._passwords.is_right(row.password_hash if row else None, password, asker) or not row:
            raise WrongPassword(_WRONG)
        is_old = self._passwords.is_old(row.password_hash)
        fresh = await self._passwords.hash(password, asker) if is_old else row.password_hash
        account = _account(row)
        return account, await self.open_session(account, (row.password_hash, fresh))

    async def check(self, account: Account, password: str, asker: Asker = STRANGER) -> str:
        """Check an account's password and return its stored hash; raises WrongPassword or Unavailable."""
        row = await self._row(accounts.c.id == account.id)
        if not await self._passwords.is_right(row.password_hash if row else None, password, asker) or not row:
            raise WrongPassword(_NOT_YOURS)
        return row.password_hash

    async def change_password(
        self, account: Account, proved: str, password: str, session: str, asker: Asker = STRANGER
    ) -> None:
        """Set a new password, and end all sessions except one.

        Args:
            account: the account.
            proved: the hash that `check` returned.
            password: the new password.
            session: token of the session to keep.
            asker: the sender of the password.

        Raises:
            BadInput: the new password breaks a rule.
            WrongPassword: the password has changed since `check`.
            Unavailable: the database cannot be used, or too many logins are waiting.
        """
        check_password(password, account.name)
        hashed = await self._passwords.hash(password, asker)

        def work(connection: Connection) -> bool:
            if _hash_there(connection, account) not in (proved, hashed):  # `hashed`: an earlier try was committed
                return False
            mine = (sessions.c.account_id == account.id) & (sessions.c.token_hash != hash_of(session))
            connection.execute(delete(sessions).where(mine))
            connection.execute(update(accounts).where(accounts.c.id == account.id).values(password_hash=hashed))
            return True

        if not await self._database.write(work, PATIENCE_S):
            raise WrongPassword(_NOT_YOURS)

    async def set_settings(self, account: Account, settings: dict[str, Any]) -> Account:
        """Store the page's settings of an account; raises BadInput or Unavailable."""
        if len(msgspec.json.encode(settings)) > MAX_SETTINGS_BYTES:
            raise BadInput(f"The settings are too long; at most {MAX_SETTINGS_BYTES} bytes are allowed.")
        change = update(accounts).where(accounts.c.id == account.id).values(settings=settings)
        await self._database.write(lambda connection: connection.execute(change), PATIENCE_S)
        return msgspec.structs.replace(account, settings=settings)

    async def end(self, account: Account, proved: str) -> None:
        """Delete an account with its sessions, tokens and ratings; its games remain without its name.

        Args:
            account: the account.
            proved: the hash that `check` returned.

        Raises:
            WrongPassword: the password has changed since `check`.
            Unavailable: the database cannot be used.
        """

        def work(connection: Connection) -> bool:
            if _hash_there(connection, account) not in (proved, None):  # None: already deleted
                return False
            end_account(connection, account.id)
            return True

        if not await self._database.write(work, PATIENCE_S):
            raise WrongPassword(_NOT_YOURS)

    async def named(self, name: str) -> Account | None:
        """Return the account with this name, ignoring case; None if there is none."""
        row = await self._row(accounts.c.folded == folded(name))
        return _account(row) if row else None

    async def those_like(self, names: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
        """Return the likenesses of all accounts whose names equal or look like one of these names.

        Args:
            names: a `likeness` for each name; see `ludus.site.safety.names`.

        Raises:
            Unavailable: the database cannot be read.
        """
        alike = or_(
            accounts.c.folded.in_({plain for plain, _ in names}), accounts.c.skeleton.in_({looks for _, looks in names})
        )
        query = select(accounts.c.folded, accounts.c.skeleton).where(alike)
        found = await self._database.read(lambda connection: connection.execute(query).all())
        return [(row.folded, row.skeleton) for row in found]

    async def beginning_with(self, text: str, limit: int) -> list[Account]:
        """Return the accounts whose folded names begin with a folded text, in the order of these names.

        Raises:
            Unavailable: the database cannot be read.
        """
        name = accounts.c.folded

        def work(connection: Connection) -> Sequence[Any]:
            if connection.dialect.name == "sqlite":  # its LIKE uses no index; it compares texts by their characters
                begins = (name >= text) & (name < text + "\U0010ffff")
            else:
                begins = name.startswith(text, autoescape=True)
            return connection.execute(select(accounts).where(begins).order_by(name).limit(limit)).all()

        return [_account(row) for row in await self._database.read(work)]

    # ---- sessions ----------------------------------------------------------------------------------------------------

    async def open_session(self, account: Account, hashes: tuple[str, str] | None = None) -> str:
        """Open a session and return its token.

        Args:
            account: the account.
            hashes: the password hash that was checked, and the hash to store in its place; None: store none.

        Raises:
            WrongPassword: the password has changed since the check, or the account is deleted.
            Unavailable: the database cannot be used.
        """
        token, now = new_secret(), datetime.now(UTC)
        row = {"token_hash": hash_of(token), "account_id": account.id, "made_at": now, "used_at": now}

        def work(connection: Connection) -> bool:
            mine = sessions.c.account_id == account.id
            newest = select(sessions.c.token_hash).where(mine).order_by(sessions.c.used_at.desc())
            if connection.execute(newest.where(sessions.c.token_hash == row["token_hash"])).first():
                return True  # an earlier try was committed without confirmation
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
        """Look up a session by its token.

        Returns:
            Its account and whether to prolong the session; None if the session has ended.

        Raises:
            Unavailable: the database cannot be read.
        """
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

    async def with_id(self, account_id: str) -> Account | None:
        """Return the account with this id; None if there is none.  Raises Unavailable."""
        row = await self._row(accounts.c.id == account_id)
        return _account(row) if row else None

    async def _row(self, which: Any) -> Any:  # noqa: ANN401 - a row of the table, or None
        query = select(accounts).where(which)
        return await self._database.read(lambda connection: connection.execute(query).one_or_none())


def _account(row: Any) -> Account:  # noqa: ANN401
    return Account(row.id, row.name, row.settings, row.made_at)


def _hash_there(connection: Connection, account: Account) -> str | None:
    """Return the current hash of an account's password; None if the account is deleted."""
    return connection.execute(select(accounts.c.password_hash).where(accounts.c.id == account.id)).scalar_one_or_none()
