"""Whether the site is well: a bot that is attached may have lost its engine, so an official one is asked something."""

import asyncio
import logging
import secrets
import time
from collections.abc import Callable
from typing import NamedTuple

import msgspec

from ludus.errors import LudusError
from ludus.protocol.bgs import EvaluatePosition, SessionConfig, StartGameSession
from ludus.site.bot_session import BotSession
from ludus.site.bots import BotKey, Bots
from ludus.site.catalogue import Offer, offers, table_game

_log = logging.getLogger(__name__)

KEPT_S = 30.0
"""How long an answer counts: whoever asks more often is told the same."""


class Health(msgspec.Struct, frozen=True, rename="camel", omit_defaults=True):
    """The answer to `GET /healthz`."""

    status: str
    """`ok` or `unwell`."""
    bot: str | None = None
    """Which bot was asked; None: no official one is attached."""
    round_trip_s: float | None = None
    """How long it took to begin a game, evaluate the first position, and end it."""
    reason: str | None = None


class _Choice(NamedTuple):
    key: BotKey
    offer: Offer


class Probe:
    """Asks an official bot now and then, one question at a time."""

    def __init__(self, bots: Bots, clock: Callable[[], float] = time.monotonic) -> None:
        """Prepare to ask.

        Args:
            bots: who is attached.
            clock: seconds; only differences matter.
        """
        self._bots = bots
        self._clock = clock
        self._last: tuple[float, _Choice | None, Health] | None = None
        self._asking = asyncio.Lock()

    async def health(self) -> Health:
        """Return how the site is, as of half a minute ago at most; a bot that came or went is noticed at once."""
        async with self._asking:
            choice = self._choice()
            if self._last is not None:
                at, asked, found = self._last
                if asked == choice and self._clock() - at < KEPT_S:
                    return found
            found = await self._ask(choice) if choice else Health("ok")
            self._last = self._clock(), choice, found
            return found

    def _choice(self) -> _Choice | None:
        """Return the gentlest official bot, which thinks least."""
        official = [(key, bot) for key, bot, official in self._bots.all() if official]
        official.sort(key=lambda entry: (entry[1].list_order is None, entry[1].list_order or 0, str(entry[0])))
        for key, bot in official:
            for offer in offers(bot, self._bots.settings.games):
                return _Choice(key, offer)
        return None

    async def _ask(self, choice: _Choice) -> Health:
        found = self._bots.find(choice.key)
        assert found, "it was attached a moment ago, and nothing was awaited since"
        link, bot = found
        position = table_game(choice.offer.spec).start()
        size, setup = choice.offer.size, position.game.setup(position.state)
        config = SessionConfig(choice.offer.variant, size.board_width, size.board_height, setup, bot.game)
        session = BotSession(link, f"probe-{secrets.token_hex(8)}", self._bots.settings.request_timeout_s)
        began = time.perf_counter()
        try:
            await session.ask(StartGameSession(session.bgs_id, choice.key.bot_id, config))
            await session.ask(EvaluatePosition(session.bgs_id, 0))
        except LudusError as error:
            _log.warning("Bot %s does not answer as it should: %s", choice.key, error)
            return Health("unwell", str(choice.key), reason=f"{choice.key} {error}")
        finally:
            await session.end()
        return Health("ok", str(choice.key), round(time.perf_counter() - began, 3))
