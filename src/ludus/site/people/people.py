"""Everything that a site knows of people, in one tuple."""

from typing import NamedTuple

from ludus.site.people.accounts import Accounts
from ludus.site.people.bot_tokens import BotTokens
from ludus.site.people.ratings import Ratings
from ludus.site.people.visitors import Visitors


class People(NamedTuple):
    """The parts that know visitors, accounts, ratings and bot tokens."""

    visitors: Visitors
    accounts: Accounts
    ratings: Ratings
    tokens: BotTokens
