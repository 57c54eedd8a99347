"""The services of the site that concern people, and the check whether a bot client may attach."""

from typing import NamedTuple

from ludus.protocol.registration import Attach, AttachRejected
from ludus.site.moderation.restrictions import Restrictions
from ludus.site.people.accounts import Accounts
from ludus.site.people.bot_tokens import BotTokens
from ludus.site.people.guests import visible
from ludus.site.people.ratings import Ratings
from ludus.site.people.solving import PuzzleRatings
from ludus.site.people.visitors import Visitors
from ludus.site.safety.names import are_alike, likeness


class People(NamedTuple):
    """Visitors, accounts, ratings in games and puzzles, bot tokens, and who is banned."""

    visitors: Visitors
    accounts: Accounts
    ratings: Ratings
    solving: PuzzleRatings
    tokens: BotTokens
    restrictions: Restrictions

    async def refusal_of(self, attach: Attach, token: str | None, *, strangers: bool) -> AttachRejected | None:
        """Check whether a bot client may attach.

        Args:
            attach: the client's attach message.
            token: the client's token, if any.
            strangers: whether clients without an account's token may attach.

        Returns:
            The refusal, or None if the client may attach.

        Raises:
            Unavailable: the database cannot be read.
        """
        name = attach.client_id
        if not await self.tokens.may_attach(name, token):
            return AttachRejected(
                "INVALID_OFFICIAL_TOKEN", f'Client "{name}" belongs to an account; connect with that account\'s token.'
            )
        owner = await self.tokens.owner_of(name)
        if ban := self.restrictions.of("ban", f"client {name}", f"account {owner}"):
            return AttachRejected("BANNED", ban.sentence)
        if not strangers and owner is None:
            sentence = f'This site requires a token for bots; create one for "{name}" with an account, and use it.'
            return AttachRejected("INVALID_OFFICIAL_TOKEN", sentence)
        seen = {bot.bot_id: visible(bot.name) for bot in attach.bots}
        compared = {bot_id: likeness(each) for bot_id, each in seen.items()}
        there = await self.accounts.those_like([*compared.values()])
        for bot_id, own in compared.items():
            if any(are_alike(own, each) for each in there):
                fault = f"the name {seen[bot_id]} equals or looks like the name of an account; choose another."
                return AttachRejected("INVALID_BOT_CONFIG", f'Bot "{bot_id}": {fault}')
        return None
