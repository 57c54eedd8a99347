"""The HTTP routes of the operator's page, behind the operator's token."""

import logging
import time
from collections.abc import Awaitable, Callable

from fastapi import Request

from ludus.site.bots.bots import Bots
from ludus.site.database.database import Database
from ludus.site.faults import NotYours, TooOften
from ludus.site.live.live_games import LiveGames
from ludus.site.messages.moderation import OperatorAct, OperatorView
from ludus.site.moderation.reports import Reports
from ludus.site.moderation.restrictions import Restrictions
from ludus.site.operations.metrics import SiteMetrics
from ludus.site.operator.desk import Desk
from ludus.site.operator.overview import Overview
from ludus.site.people.people import People
from ludus.site.routes.contract import UNKEPT, Answer, Routes, Sent
from ludus.site.safety.limits import AddressLimiter, RateLimit, address_of
from ludus.site.safety.secrets import bearer_token, hash_of, is_same
from ludus.site.settings import SiteSettings

# pyright: reportUnusedFunction=false
# FastAPI calls the handlers.

_log = logging.getLogger(__name__)

TRIES = RateLimit(most=5, per_s=1 / 60)
"""Wrong tokens of one address; meanwhile its right one is refused too, or the limit would not limit guesses."""


def operator_routes(  # noqa: PLR0913 - parts of the site
    live_games: LiveGames,
    bots: Bots,
    restrictions: Restrictions,
    settings: SiteSettings,
    *,
    people: Callable[[], People],
    reports: Callable[[], Reports],
    database: Callable[[], Database],
    metrics: SiteMetrics,
    ready: Callable[[], Awaitable[str | None]],
    queues: Callable[[], dict[str, int]],
) -> Routes:
    """Return the routes of the operator's page.

    Unlike those of monitoring, they need the token from the site's own machine too: a proxy there may hide visitors.

    Args:
        live_games: the games in memory.
        bots: the attached bots.
        restrictions: the bans and silences.
        settings: the site's settings, with the operator's token; without one, nobody may use these routes.
        people: returns the accounts; these functions raise Unavailable before the site is open.
        reports: returns the reports.
        database: returns the database.
        metrics: the site's metrics.
        ready: returns why the site is not ready; None if it is.
        queues: returns how many requests wait, by what they wait for.
    """
    parts, token = (live_games, bots, restrictions), settings.operator_token
    desk = Desk(*parts, people=people, reports=reports, database=database, unlimited=settings.safety.exempt())
    overview = Overview(*parts, reports=reports, database=database, metrics=metrics, ready=ready, queues=queues)
    routes = Routes()
    tries, kept = AddressLimiter(TRIES, time.monotonic), hash_of(token or "")

    def operator_at(request: Request) -> str:
        """Return the operator's address; raise NotYours for a wrong token, TooOften after several."""
        address, given = address_of(request), bearer_token(request)
        if token is None:
            raise NotYours("This site has no operator's token. Start it with --operator-token.")
        wait_s = tries.peek(address)
        if not wait_s and given is not None and is_same(given, kept):
            return address
        wait_s = wait_s or tries.take(address)
        if wait_s:
            raise TooOften.of_address("wrong tokens came", wait_s)
        _log.warning("A wrong operator's token came from %s.", address)
        raise NotYours("This is not the operator's token.")

    @routes.get("/api/operator")
    async def shown(request: Request) -> Answer[OperatorView]:
        operator_at(request)
        return Answer(await overview.view(), headers=UNKEPT)

    @routes.post("/api/operator/acts")
    async def do(request: Request, act: Sent[OperatorAct]) -> Answer[OperatorView]:
        await desk.do(act, operator_at(request))
        return Answer(await overview.view(), headers=UNKEPT)

    return routes
