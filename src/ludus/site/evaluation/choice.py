"""Who judges a board: the strongest engine that is connected, in all games alike."""

from typing import NamedTuple

from ludus.protocol.registration import BotConfig
from ludus.site.bots.bots import BotKey, BotLink, Bots, is_private

NO_JUDGE = "No engine that can judge this board is connected. Evaluations come back when one connects."


class JudgingBot(NamedTuple):
    """A bot that may judge a board, and its connection."""

    key: BotKey
    bot: BotConfig
    link: BotLink
    rank: list[int]
    """Orders judges by strength."""


def judge_of(bots: Bots, game: str, variant: str, width: int, height: int) -> JudgingBot | None:
    """Return the strongest bot that may judge a board; None if none is connected.

    The site's own bots come before those of others, which judge only if they are registered for analysis; then bots for
    analysis; then the strongest by their rank in lists and the visits of their searches.  The judge's searches have a
    budget of their own, so the level at which the bot plays does not matter.
    """
    able: list[JudgingBot] = []
    for key, bot, is_official in bots.all():
        support = bot.variants.get(variant) if bot.game == game and not is_private(bot) else None
        found = bots.find(key)
        if found and support and support.plays(width, height) and (is_official or bot.analysis):
            place = -1 if bot.list_order is None else bot.list_order
            able.append(JudgingBot(key, bot, found[0], [is_official, bot.analysis, place, bot.visits]))
    return max(able, key=lambda each: (each.rank, each.key), default=None)
