"""The cached catalogue, recomputed in a thread after bots have attached or detached."""

import asyncio
from typing import NamedTuple

from ludus.protocol.registration import BotConfig
from ludus.site.bots.bots import BotKey, Bots, is_private, may_play
from ludus.site.catalogue.catalogue import BotOffer, bot_offers, catalogue
from ludus.site.messages.page import Catalogue


class Listed(NamedTuple):
    """The catalogue for one account or for guests, with the boards that bots recommend."""

    catalogue: Catalogue
    specs: frozenset[str]
    """The full names of the catalogue's games."""
    offers: list[BotOffer]
    """The boards that bots recommend."""


class Listing:
    """A cache of the catalogue that is cleared when bots attach or detach."""

    def __init__(self, bots: Bots) -> None:
        """Create an empty cache."""
        self._bots = bots
        self._made: dict[str | None, Listed] = {}  # key: an account with private bots; None: everybody else
        self._making = asyncio.Lock()
        bots.listeners.add(self._forget)

    async def now(self, account: str | None = None) -> Listed:
        """Return the catalogue for an account, or for a guest if None; takes seconds after a new client attached."""
        async with self._making:
            attached = self._bots.all()
            if not any(is_private(bot) and may_play(bot, account) for _, bot, _ in attached):
                account = None
            if account in self._made:
                return self._made[account]
            made = await asyncio.to_thread(_listed, attached, self._bots.settings.games, account)
            if attached == self._bots.all():  # the bots have not changed during the computation
                self._made[account] = made
            return made

    def _forget(self) -> None:
        self._made = {}


def _listed(
    attached: list[tuple[BotKey, BotConfig, bool]],
    files: tuple[str, ...],
    account: str | None,
) -> Listed:
    offered = bot_offers(attached, files, account)
    found = catalogue(offered, files)
    return Listed(found, frozenset(game.spec for game in found.games), offered)
