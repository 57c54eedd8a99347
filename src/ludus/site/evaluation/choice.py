"""Who judges a board: the strongest engine that is connected, in all games alike."""

from typing import NamedTuple

from ludus.protocol.registration import BotConfig
from ludus.site.bots.bots import BotKey, BotLink, Bots, is_private

NO_JUDGE = "No engine that can judge this board is connected. Evaluations come back when one connects."


class JudgingBot(NamedTuple):
    """The bot that judges a board, and its connection."""

    key: BotKey
    bot: BotConfig
    link: BotLink


def judge_of(bots: Bots, game: str, variant: str, width: int, height: int) -> JudgingBot | None:
    """Return the strongest bot that may judge a board; None if none is connected.

    The site's own bots come before those of others, which judge only if they are registered for analysis; then bots for
    analysis; then the strongest by their rank in lists and the visits of their searches.  The judge's searches have a
    budget of their own, so the level at which the bot plays does not matter.
    """
    able: list[tuple[bool, bool, int, int, BotKey, BotConfig]] = []
    for key, bot, is_official in bots.all():
        support = bot.variants.get(variant) if bot.game == game and not is_private(bot) else None
        if support and support.plays(width, height) and (is_official or bot.analysis):
            rank = -1 if bot.list_order is None else bot.list_order
            able.append((is_official, bot.analysis, rank, bot.visits, key, bot))
    if not able:
        return None
    *_, key, bot = max(able, key=lambda entry: entry[:5])
    found = bots.find(key)
    return JudgingBot(key, bot, found[0]) if found else None
