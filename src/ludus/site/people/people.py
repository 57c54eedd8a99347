"""The parts of the site that concern people, and which of their bots may attach."""

from typing import NamedTuple

from ludus.protocol.registration import Attach, AttachRejected
from ludus.site.people.accounts import Accounts
from ludus.site.people.bot_tokens import BotTokens
from ludus.site.people.guests import visible
from ludus.site.people.ratings import Ratings
from ludus.site.people.visitors import Visitors
from ludus.site.safety.names import are_alike, likeness


class People(NamedTuple):
    """Visitors, accounts, ratings and bot tokens."""

    visitors: Visitors
    accounts: Accounts
    ratings: Ratings
    tokens: BotTokens

    async def refusal_of(self, attach: Attach, token: str | None, *, strangers: bool) -> AttachRejected | None:
        """Return why a bot client may not attach, without a token only if `strangers` may; raises Unavailable."""
        name = attach.client_id
        if not await self.tokens.may_attach(name, token):
            return AttachRejected(
                "INVALID_OFFICIAL_TOKEN", f'Client "{name}" belongs to an account; it needs its token.'
            )
        if not strangers and not await self.tokens.is_claimed(name):
            sentence = f'This site takes bots of accounts alone; claim "{name}" with an account, and give its token.'
            return AttachRejected("INVALID_OFFICIAL_TOKEN", sentence)
        seen = {bot.bot_id: visible(bot.name) for bot in attach.bots}
        compared = {bot_id: likeness(each) for bot_id, each in seen.items()}
        there = await self.accounts.those_like([*compared.values()])
        for bot_id, own in compared.items():
            if any(are_alike(own, each) for each in there):
                fault = f"the name {seen[bot_id]} is, or looks like, that of an account; choose another."
                return AttachRejected("INVALID_BOT_CONFIG", f'Bot "{bot_id}": {fault}')
        return None
