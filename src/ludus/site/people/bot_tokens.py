"""Tokens of bot clients: a name that an account has claimed needs the account's token."""

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
"""Of one account."""
MAX_CLIENT_ID = 100


class BotTokens:
    """The tokens of a site."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def make(self, account: Account, client_id: str) -> str:
        """Return a new token for a client's name, in place of an older one.

        Raises:
            BadInput: the name breaks a rule, or the account has too many tokens.
            NameTaken: another account has claimed the name.
            Unavailable: the database refuses.
        """
        if not client_id.strip() or len(client_id) > MAX_CLIENT_ID or ":" in client_id or not client_id.isprintable():
            raise BadInput(f"A clientId has 1 to {MAX_CLIENT_ID} characters and no colon.")
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
                raise BadInput(f"You have {MAX_TOKENS} tokens already; end one of them first.")
        except IntegrityError:
            raise NameTaken(f"The client {client_id} belongs to somebody else; choose another name.") from None
        return token

    async def of(self, account: Account) -> list[TokenInfo]:
        """Return an account's tokens, without their secrets."""
        query = select(bot_tokens).where(bot_tokens.c.account_id == account.id).order_by(bot_tokens.c.client_id)
        return [
            TokenInfo(row.client_id, row.ending, row.made_at.timestamp(), row.used_at and row.used_at.timestamp())
            for row in await self._database.read(lambda connection: connection.execute(query).all())
        ]

    async def end(self, account: Account, client_id: str) -> bool:
        """Revoke a token, and return whether there was one; raises Unavailable."""
        which = (bot_tokens.c.account_id == account.id) & (bot_tokens.c.client_id == client_id)
        change = delete(bot_tokens).where(which)
        ended = await self._database.write(lambda connection: connection.execute(change), PATIENCE_S)
        return bool(ended.rowcount)

    async def is_claimed(self, client_id: str) -> bool:
        """Return whether an account has a token for a client's name; raises Unavailable."""
        query = select(bot_tokens.c.client_id).where(bot_tokens.c.client_id == client_id)
        return await self._database.read(lambda connection: connection.execute(query).first() is not None)

    async def may_attach(self, client_id: str, token: str | None) -> bool:
        """Return whether a client may use this name, and note its use if the database takes it; raises Unavailable."""
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
            with contextlib.suppress(Unavailable):  # who has the token need not wait until somebody can write it down
                await self._database.write(lambda connection: connection.execute(note), PATIENCE_S)
        return True
