"""All HTTP routes against abuse: those of visitors, and those of the operator's page."""

import time
from collections.abc import Awaitable, Callable

from ludus.site.bots.bots import Bots
from ludus.site.database.database import Database
from ludus.site.live.live_games import LiveGames
from ludus.site.moderation.blocks import Blocks
from ludus.site.moderation.reports import Reports
from ludus.site.moderation.restrictions import Restrictions
from ludus.site.operations.metrics import SiteMetrics
from ludus.site.operator.desk import Desk
from ludus.site.operator.overview import Overview
from ludus.site.people.people import People
from ludus.site.routes.contract import Routes
from ludus.site.routes.moderation import moderation_routes
from ludus.site.routes.operator import operator_routes
from ludus.site.settings import SiteSettings


def abuse_routes(  # noqa: PLR0913 - parts of the site
    live_games: LiveGames,
    bots: Bots,
    restrictions: Restrictions,
    blocks: Blocks,
    settings: SiteSettings,
    *,
    people: Callable[[], People],
    reports: Callable[[], Reports],
    database: Callable[[], Database],
    metrics: SiteMetrics,
    ready: Callable[[], Awaitable[str | None]],
    queues: Callable[[], dict[str, int]],
) -> tuple[Routes, Routes]:
    """Return the routes of reports and blocks, and those of the operator's page.

    Args:
        live_games: the games in memory.
        bots: the attached bots.
        restrictions: the bans and silences.
        blocks: the blocks between people.
        settings: the site's settings.
        people: returns the accounts; these functions raise Unavailable before the site is open.
        reports: returns the reports.
        database: returns the database.
        metrics: the site's metrics.
        ready: returns why the site is not ready; None if it is.
        queues: returns how many requests wait, by what they wait for.
    """
    unlimited = settings.safety.exempt()
    parts = live_games, bots, restrictions
    desk = Desk(*parts, people=people, reports=reports, database=database, unlimited=unlimited)
    overview = Overview(*parts, reports=reports, database=database, metrics=metrics, ready=ready, queues=queues)
    return (
        moderation_routes(live_games, blocks, reports, people, unlimited, time.monotonic),
        operator_routes(desk, overview.view, settings.operator_token, time.monotonic),
    )
