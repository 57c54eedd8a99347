"""Tokens of bot clients: they reserve a client id for an account."""

import contextlib
from datetime import UTC, datetime, timedelta

from sqlalchemy import Connection, delete, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from ludus.errors import BadInput, Unavailable
from ludus.site.database.database import Database
from ludus.site.database.people_schema import bot_tokens
from ludus.site.faults import NameTaken
from ludus.site.messages.people import TokenInfo
from ludus.site.people.accounts import PATIENCE_S, Account
from ludus.site.safety.secrets import hash_of, is_same, new_secret

PREFIX = "ludusbot_"
MAX_TOKENS = 10
"""Most tokens of one account."""
MAX_CLIENT_ID = 100


class BotTokens:
    """The bot tokens of a site; a client id that has a token can attach only with it."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def make(self, account: Account, client_id: str) -> str:
        """Create a token for a client id, or replace the account's earlier token for it; return the token.

        Raises:
            BadInput: the client id breaks a rule, or the account has too many tokens.
            NameTaken: another account has a token for the client id.
            Unavailable: the database cannot be used.
        """
        if not client_id.strip() or len(client_id) > MAX_CLIENT_ID or ":" in client_id or not client_id.isprintable():
            raise BadInput(f"A clientId has 1 to {MAX_CLIENT_ID} printable characters and no colon.")
        token = new_secret(PREFIX)
        values = {"token_hash": hash_of(token), "ending": token[-4:], "made_at": datetime.now(UTC), "used_at": None}

        def work(connection: Connection) -> int:
            mine = bot_tokens.c.account_id == account.id
            change = update(bot_tokens).where(mine & (bot_tokens.c.client_id == client_id)).values(**values)
            if connection.execute(change).rowcount:
                return 1
            count = select(func.count()).select_from(bot_tokens).where(mine)
            if connection.execute(count).scalar_one() >= MAX_TOKENS:
                return 0
            connection.execute(insert(bot_tokens).values(client_id=client_id, account_id=account.id, **values))
            return 1

        try:
            if not await self._database.write(work, PATIENCE_S):
                raise BadInput(f"You already have {MAX_TOKENS} tokens; delete one of them first.")
        except IntegrityError:
            raise NameTaken(f"The client {client_id} belongs to another account; choose another name.") from None
        return token

    async def of(self, account: Account) -> list[TokenInfo]:
        """Return descriptions of an account's tokens; raises Unavailable."""
        query = select(bot_tokens).where(bot_tokens.c.account_id == account.id).order_by(bot_tokens.c.client_id)
        return [
            TokenInfo(row.client_id, row.ending, row.made_at.timestamp(), row.used_at and row.used_at.timestamp())
            for row in await self._database.read(lambda connection: connection.execute(query).all())
        ]

    async def end(self, account: Account, client_id: str) -> bool:
        """Delete an account's token for a client id, and return whether there was one; raises Unavailable."""
        which = (bot_tokens.c.account_id == account.id) & (bot_tokens.c.client_id == client_id)
        change = delete(bot_tokens).where(which)
        ended = await self._database.write(lambda connection: connection.execute(change), PATIENCE_S)
        return bool(ended.rowcount)

    async def owner_of(self, client_id: str) -> str | None:
        """Return the id of the account that has a token for a client id; None: no account.  Raises Unavailable."""
        query = select(bot_tokens.c.account_id).where(bot_tokens.c.client_id == client_id)
        return await self._database.read(lambda connection: connection.execute(query).scalar_one_or_none())

    async def may_attach(self, client_id: str, token: str | None) -> bool:
        """Return whether a client may attach with this client id, and record the token's use; raises Unavailable."""
        which = bot_tokens.c.client_id == client_id
        query = select(bot_tokens).where(which)
        row = await self._database.read(lambda connection: connection.execute(query).one_or_none())
        if row is None:
            return True
        if token is None or not is_same(token, row.token_hash):
            return False
        now = datetime.now(UTC)
        if row.used_at is None or row.used_at < now - timedelta(hours=1):
            note = update(bot_tokens).where(which).values(used_at=now)
            with contextlib.suppress(Unavailable):  # the client may attach even if its use cannot be recorded
                await self._database.write(lambda connection: connection.execute(note), PATIENCE_S)
        return True
