"""The present catalogue: computed beside the event loop when bots have come or gone, and cached."""

import asyncio
from collections.abc import Collection
from typing import NamedTuple

from ludus.protocol.registration import BotConfig
from ludus.site.bots.bots import BotKey, Bots, is_private, may_play
from ludus.site.catalogue.catalogue import BotOffer, bot_offers, catalogue
from ludus.site.messages.page import Catalogue


class Listed(NamedTuple):
    """What can be played."""

    catalogue: Catalogue
    specs: frozenset[str]
    """The names of its games."""
    offers: list[BotOffer]
    """What bots recommend to whoever asks."""


class Listing:
    """Caches the catalogue until bots come or go."""

    def __init__(self, bots: Bots, arranged: Collection[str] = ()) -> None:
        """Prepare an empty cache; `arranged` is that of `catalogue`."""
        self._bots = bots
        self._arranged = arranged
        self._made: dict[str | None, Listed] = {}  # by the account that has private bots here; None: for all others
        self._making = asyncio.Lock()
        bots.listeners.add(self._forget)

    async def now(self, account: str | None = None) -> Listed:
        """Return what an account can play now, or a guest for None; drawing a new client's boards takes seconds."""
        async with self._making:
            attached = self._bots.all()
            if not any(is_private(bot) and may_play(bot, account) for _, bot, _ in attached):
                account = None
            if account in self._made:
                return self._made[account]
            made = await asyncio.to_thread(_listed, attached, self._bots.settings.games, account, self._arranged)
            if attached == self._bots.all():  # else others are asked for next time
                self._made[account] = made
            return made

    def _forget(self) -> None:
        self._made = {}


def _listed(
    attached: list[tuple[BotKey, BotConfig, bool]],
    files: tuple[str, ...],
    account: str | None,
    arranged: Collection[str],
) -> Listed:
    offered = bot_offers(attached, files, account)
    found = catalogue(offered, files, arranged)
    return Listed(found, frozenset(game.spec for game in found.games), offered)
