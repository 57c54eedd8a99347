"""The cached catalogue, recomputed in a thread after bots have attached or detached."""

import asyncio
from typing import NamedTuple

import msgspec

from ludus.protocol.registration import BotConfig
from ludus.site.bots.bots import BotKey, Bots, is_private, may_play
from ludus.site.catalogue.catalogue import BotOffer, bot_offers, catalogue
from ludus.site.catalogue.engines import DeviceEngines
from ludus.site.messages.page import Catalogue, CatalogueGame


class Listed(NamedTuple):
    """The catalogue for one account or for guests, with the boards that bots recommend."""

    catalogue: Catalogue
    specs: frozenset[str]
    """The full names of the catalogue's games."""
    offers: list[BotOffer]
    """The boards that bots recommend."""


class Listing:
    """A cache of the catalogue that is cleared when bots attach or detach, and when engines for browsers come."""

    def __init__(self, bots: Bots, engines: DeviceEngines) -> None:
        """Create an empty cache."""
        self._bots, self._engines = bots, engines
        self._made: dict[str | None, Listed] = {}  # key: an account with private bots; None: everybody else
        self._making = asyncio.Lock()
        bots.listeners.add(self._forget)
        engines.listeners.add(self._forget)

    async def now(self, account: str | None = None) -> Listed:
        """Return the catalogue for an account, or for a guest if None; takes seconds after a new client attached."""
        async with self._making:
            attached = self._bots.listed()
            if not any(is_private(bot) and may_play(bot, account) for _, bot, _ in attached):
                account = None
            if account in self._made:
                return self._made[account]
            kept = self._made
            made = await asyncio.to_thread(self._listed, attached, account)
            if kept is self._made:  # nothing has changed during the computation
                self._made[account] = made
            return made

    def _forget(self) -> None:
        self._made = {}

    def _listed(self, attached: list[tuple[BotKey, BotConfig, bool]], account: str | None) -> Listed:
        files = self._bots.settings.games
        offered = [each for each in bot_offers(attached, files, account) if self._bots.plays(each.key, *each.offer[1:])]
        found = catalogue(offered, files)
        games = [msgspec.structs.replace(game, engine=self._manifest_of(game)) for game in found.games]
        specs = frozenset(game.spec for game in games)
        return Listed(msgspec.structs.replace(found, games=games), specs, offered)

    def _manifest_of(self, game: CatalogueGame) -> str:
        engine = self._engines.of(game.game, game.variant, game.board_width, game.board_height)
        return engine.manifest if engine else ""
