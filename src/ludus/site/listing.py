"""The catalogue of this moment: made beside the event loop when bots have come or gone, once for all who ask."""

import asyncio
from typing import NamedTuple

from ludus.protocol.registration import BotConfig
from ludus.site.bots import BotKey, Bots
from ludus.site.catalogue import BotOffer, bot_offers, catalogue
from ludus.site.messages import Catalogue


class Listed(NamedTuple):
    """What can be played."""

    catalogue: Catalogue
    specs: frozenset[str]
    """The names of its games."""
    offers: list[BotOffer]
    """What bots recommend to everybody."""


class Listing:
    """Keeps what can be played until that changes."""

    def __init__(self, bots: Bots) -> None:
        self._bots = bots
        self._made: Listed | None = None
        self._making = asyncio.Lock()
        bots.listeners.add(self._forget)

    async def now(self) -> Listed:
        """Return what can be played at this moment; drawing the boards of a new client takes seconds."""
        async with self._making:
            if self._made:
                return self._made
            attached = self._bots.all()
            made = await asyncio.to_thread(_listed, attached, self._bots.settings.games)
            if attached == self._bots.all():  # else others are asked for next time
                self._made = made
            return made

    def _forget(self) -> None:
        self._made = None


def _listed(attached: list[tuple[BotKey, BotConfig, bool]], files: tuple[str, ...]) -> Listed:
    offered = bot_offers(attached, files)
    found = catalogue(offered, files)
    return Listed(found, frozenset(game.spec for game in found.games), offered)
