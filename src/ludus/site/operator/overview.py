"""What the operator's page shows: the site's health, games, people, bots, reports, bans, and the log of acts."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Iterable
from importlib.metadata import version

from ludus.site.bots.bots import BotLink, Bots
from ludus.site.catalogue.specs import title_of
from ludus.site.database.database import Database
from ludus.site.live.game import LiveGame
from ludus.site.live.live_games import LiveGames
from ludus.site.messages.moderation import (
    DeskAct,
    DeskBots,
    DeskGame,
    DeskPerson,
    DeskReport,
    DeskRestriction,
    OperatorView,
    SiteHealth,
)
from ludus.site.moderation.acts import LoggedAct, latest
from ludus.site.moderation.reports import OpenReport, Reports
from ludus.site.moderation.restrictions import ActiveRestriction, Restrictions
from ludus.site.operations.metrics import SiteMetrics

MAX_PEOPLE = 500
MAX_RESTRICTIONS = 200
MAX_BOTS = 100
"""Names of bots that are listed of one client."""


class Overview:
    """The content of the operator's page."""

    def __init__(
        self,
        live_games: LiveGames,
        bots: Bots,
        restrictions: Restrictions,
        *,
        reports: Callable[[], Reports],
        database: Callable[[], Database],
        metrics: SiteMetrics,
        ready: Callable[[], Awaitable[str | None]],
        queues: Callable[[], dict[str, int]],
    ) -> None:
        """Create the overview, and export what /metrics has of it.

        Args:
            live_games: the games in memory.
            bots: the attached bots.
            restrictions: the bans and silences.
            reports: returns the reports; raises Unavailable before the site is open.
            database: returns the database; raises Unavailable before the site is open.
            metrics: the site's metrics.
            ready: returns why the site is not ready; None if it is.
            queues: returns how many requests wait, by what they wait for.
        """
        self._live_games, self._bots, self._restrictions = live_games, bots, restrictions
        self._reports, self._database, self._metrics = reports, database, metrics
        self._ready, self._queues = ready, queues
        self._begun = time.monotonic()
        metrics.watch("ludus_waiting", "Requests that wait.", "queue", queues)
        metrics.watch(
            "ludus_bot_busy",
            "Share of the last minute in which a question to the bot client was open.",
            "client",
            lambda: {link.client_id: link.load.share for link in bots.links},
        )

    async def view(self) -> OperatorView:
        """Return what the page shows; raises Unavailable."""
        games = self._live_games.games.values()
        health = SiteHealth(
            version("ludus"),
            int(time.monotonic() - self._begun),
            await self._ready(),
            self._live_games.num_playing,
            self._bots.settings.max_games,
            self._metrics.open_sockets,
            self._queues(),
            self._metrics.lag_ms,
            self._metrics.move_ms,
            self._metrics.num_errors,
        )
        return OperatorView(
            health,
            games_of(games),
            people_of(games),
            bots_of(self._bots.links),
            reports_of(await self._reports().open_ones()),
            restrictions_of(self._restrictions.all()),
            acts_of(await latest(self._database())),
        )


def games_of(games: Iterable[LiveGame]) -> list[DeskGame]:
    """Return the unfinished games, the one with the latest change first."""
    found = [
        DeskGame(
            game.id,
            title_of(game.row.spec),
            game.row.kind,
            game.row.rated,
            (game.seats[0].name, game.seats[1].name),
            len(game.table.moves),
            game.presence.num_spectators,
            game.last_seen,
        )
        for game in games
        if not game.table.over
    ]
    return sorted(found, key=lambda game: -game.touched_at)


def people_of(games: Iterable[LiveGame]) -> list[DeskPerson]:
    """Return the people at unfinished games, players first; at most MAX_PEOPLE."""
    found: dict[tuple[str, str, str, bool], list[str]] = {}
    for game in games:
        if game.table.over:
            continue
        for side, seat in enumerate(game.seats):
            if seat.kind == "person":
                here = next((each.address for each in game.presence.watchers if each.you == side), "")
                found.setdefault((game.people[side], seat.name, here, False), []).append(game.id)
        for watcher in game.presence.watchers:
            if watcher.you is None:
                found.setdefault((watcher.person, "", watcher.address, True), []).append(game.id)
    people = [DeskPerson(*key[:3], games[:20], key[3]) for key, games in found.items()]
    return sorted(people, key=lambda each: (each.watches, each.name))[:MAX_PEOPLE]


def bots_of(links: Iterable[BotLink]) -> list[DeskBots]:
    """Return the bot clients, the site's own first, with how busy their engines are."""
    found = [
        DeskBots(
            link.client_id,
            link.official,
            link.address,
            [bot.name for bot in link.bots.values()][:MAX_BOTS],
            len(link.sessions),
            link.load.num_open,
            round(link.load.share, 3),
            link.load.answer_ms,
        )
        for link in links
    ]
    return sorted(found, key=lambda each: (not each.official, each.client))


def reports_of(reports: Iterable[OpenReport]) -> list[DeskReport]:
    """Return reports as messages."""
    return [
        DeskReport(
            each.id,
            each.at,
            each.reporter_name,
            each.subject,
            each.subject_name,
            each.subject_address,
            each.game_id,
            each.text,
            each.why,
        )
        for each in reports
    ]


def restrictions_of(restrictions: Iterable[ActiveRestriction]) -> list[DeskRestriction]:
    """Return bans and silences as messages, at most MAX_RESTRICTIONS."""
    return [
        DeskRestriction(each.id, each.kind, each.subject, each.name, each.why, each.made_at, each.until)
        for each in [*restrictions][:MAX_RESTRICTIONS]
    ]


def acts_of(acts: Iterable[LoggedAct]) -> list[DeskAct]:
    """Return logged acts as messages."""
    return [DeskAct(*each) for each in acts]
