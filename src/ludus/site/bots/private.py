"""Bots that one account alone may play: nobody else sees or reaches them, or learns from a list that they play."""

from ludus.protocol.registration import BotConfig
from ludus.site.safety.names import folded

PRIVATE = "private"
"""How the players of a game came together that has such a bot: it stands in no list."""


def is_private(bot: BotConfig) -> bool:
    """Return whether a bot is there for one account alone."""
    return bot.username is not None


def may_play(bot: BotConfig, account: str | None) -> bool:
    """Return whether somebody may see and play a bot.

    Args:
        bot: as its client registered it.
        account: the name of the account that asks; None: a guest.
    """
    return bot.username is None or (account is not None and folded(bot.username) == folded(account))
