"""The routes for monitoring: `/healthz`, which queries an official bot, `/readyz`, and `/metrics`."""

import asyncio
import logging
import secrets
import time
from collections.abc import Awaitable, Callable

import msgspec
from fastapi import APIRouter, Request, Response

from ludus.errors import LudusError
from ludus.protocol.bgs import SessionConfig
from ludus.site.bots.bots import BotKey, Bots
from ludus.site.bots.session import BotSession
from ludus.site.catalogue.catalogue import BoardOffer, offers
from ludus.site.catalogue.specs import table_game
from ludus.site.messages.page import Fault
from ludus.site.operations.metrics import SiteMetrics
from ludus.site.routes.contract import UNKEPT, Answer
from ludus.site.safety.limits import is_this_machine
from ludus.site.safety.secrets import bearer_token, hash_of, is_same

_log = logging.getLogger(__name__)

KEPT_S = 30.0
"""How long a health check's result is cached."""


class Health(msgspec.Struct, frozen=True, rename="camel", omit_defaults=True):
    """The answer to `GET /healthz`."""

    status: str
    """`ok` or `unwell`."""
    bot: str | None = None
    """The bot that was queried; None if no official bot is attached."""
    round_trip_s: float | None = None
    """Time to start a game session, evaluate its first position, and end it."""
    reason: str | None = None


class HealthProbe:
    """A health check that queries an official bot, and caches the result for half a minute."""

    def __init__(self, bots: Bots, clock: Callable[[], float] = time.monotonic) -> None:
        """Create a health check without a cached result.

        Args:
            bots: the attached bots.
            clock: returns seconds from an arbitrary start.
        """
        self._bots = bots
        self._clock = clock
        self._last: tuple[float, tuple[BotKey, BoardOffer] | None, Health] | None = None
        self._asking = asyncio.Lock()

    async def health(self) -> Health:
        """Return the site's health, from the cache for half a minute unless the bot to query has changed."""
        async with self._asking:
            choice = self._choice()
            if self._last is not None:
                at, asked, found = self._last
                if asked == choice and self._clock() - at < KEPT_S:
                    return found
            found = await self._ask(*choice) if choice else Health("ok")
            self._last = self._clock(), choice, found
            return found

    def _choice(self) -> tuple[BotKey, BoardOffer] | None:
        """Return the official bot that is first in list order, and the first board that it offers."""
        official = [(key, bot) for key, bot, official in self._bots.all() if official]
        official.sort(key=lambda entry: (entry[1].list_order is None, entry[1].list_order or 0, str(entry[0])))
        for key, bot in official:
            for offer in offers(bot, self._bots.settings.games):
                return key, offer
        return None

    async def _ask(self, key: BotKey, offer: BoardOffer) -> Health:
        found = self._bots.find(key)
        assert found, "the bot was just listed as attached, and nothing was awaited in between"
        link, bot = found
        position = table_game(offer.spec).start()
        size, setup = offer.size, position.game.setup(position.state)
        config = SessionConfig(offer.variant, size.board_width, size.board_height, setup, bot.game)
        session = BotSession(link, f"probe-{secrets.token_hex(8)}", self._bots.settings.request_timeout_s)
        began = time.perf_counter()
        try:
            await session.start(key.bot_id, config)
            await session.evaluate()
        except LudusError as error:
            _log.warning("Health check: bot %s failed: %s", key, error)
            return Health("unwell", str(key), reason=f"{key} {error}")
        finally:
            await session.end()
        return Health("ok", str(key), round(time.perf_counter() - began, 3))


ASKED = ["GET", "HEAD"]
"""Methods of the monitoring routes; without HEAD, the page's route would respond to HEAD requests with status 200."""
FORWARDED = ("x-forwarded-for", "forwarded", "x-real-ip", "via")
"""Headers that a proxy on this machine adds to requests from elsewhere."""


def operations_routes(
    probe: HealthProbe, metrics: SiteMetrics, ready: Callable[[], Awaitable[str | None]], metrics_token: str | None
) -> APIRouter:
    """Return the routes for monitoring.

    Args:
        probe: the health check.
        metrics: the metrics to export.
        ready: returns why the site is not ready; None if it is ready.
        metrics_token: the secret that other machines need to read the metrics; None: they may not read them.
    """
    routes = APIRouter()

    @routes.api_route("/healthz", methods=ASKED, include_in_schema=False)
    async def healthz() -> Response:  # pyright: ignore[reportUnusedFunction] - FastAPI calls it
        health = await probe.health()
        return Answer(health, 200 if health.status == "ok" else 503, UNKEPT)

    @routes.api_route("/readyz", methods=ASKED, include_in_schema=False)
    async def readyz() -> Response:  # pyright: ignore[reportUnusedFunction]
        reason = await ready()
        if reason is None:
            return Answer({"status": "ready"}, headers=UNKEPT)
        return Answer({"status": "not ready", "reason": reason}, 503, UNKEPT)

    @routes.api_route("/metrics", methods=ASKED, include_in_schema=False)
    async def figures(request: Request) -> Response:  # pyright: ignore[reportUnusedFunction]
        if not is_operator(request, metrics_token):
            return Answer(Fault("Only the site's operator may read the metrics."), 403, UNKEPT)
        return Response(metrics.text(), media_type="text/plain; version=0.0.4; charset=utf-8")

    return routes


def is_operator(request: Request, token: str | None) -> bool:
    """Return whether a request comes from this machine, or has the operator's secret token (None: there is none)."""
    given = bearer_token(request)
    return _is_local(request) or bool(token and given and is_same(given, hash_of(token)))


def _is_local(request: Request) -> bool:
    """Return whether a request comes from this machine, and not through a proxy on it."""
    local = request.client is not None and is_this_machine(request.client.host)
    return local and not any(name in request.headers for name in FORWARDED)
