"""The site as an ASGI application: routes, middleware, and the parts of the site behind them."""

import asyncio
import contextlib
import logging
import tempfile
import time
from collections.abc import AsyncGenerator, Awaitable, Callable
from functools import partial
from importlib.metadata import version
from pathlib import Path

from fastapi import FastAPI, Request, Response
from sqlalchemy.engine import URL
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect

from ludus.errors import LudusError
from ludus.games.registry import name_told
from ludus.protocol.registration import ServerInfo
from ludus.site.archive.opening_index import OpeningIndex
from ludus.site.archive.openings import OpeningBook
from ludus.site.archive.replay import Lines
from ludus.site.archive.reviews import Reviews
from ludus.site.bots.bots import Bots
from ludus.site.catalogue.engines import DeviceEngines
from ludus.site.catalogue.listing import Listing
from ludus.site.catalogue.specs import known_spec
from ludus.site.database.claim import TakenError
from ludus.site.database.database import Database, data_folder, database_url
from ludus.site.database.games import GameStore
from ludus.site.database.standby import BEAT_S, until_ended
from ludus.site.faults import RESTARTING, NotHere
from ludus.site.live.broadcast import Changed, Event
from ludus.site.live.eviction import Evictor
from ludus.site.live.game import LiveGame
from ludus.site.live.live_games import LiveGames
from ludus.site.live.presence import Now
from ludus.site.lobby.challenges import ChallengeDesk
from ludus.site.lobby.desk import LobbyDesk
from ludus.site.lobby.inbox import Inboxes
from ludus.site.lobby.lists import Lists
from ludus.site.lobby.pool import PairingPool
from ludus.site.lobby.reception import Reception
from ludus.site.messages import inbox as messages
from ludus.site.messages.page import Fault
from ludus.site.moderation.blocks import Blocks
from ludus.site.moderation.restrictions import Restrictions
from ludus.site.people.guests import is_of_a_bot
from ludus.site.routes.archive import archive_routes
from ludus.site.routes.bots import bot_routes
from ludus.site.routes.contract import Answer, refusal
from ludus.site.routes.engines import engine_routes
from ludus.site.routes.games import game_routes
from ludus.site.routes.mail import mail_routes
from ludus.site.routes.moderation import moderation_routes
from ludus.site.routes.operations import HealthProbe, operations_routes
from ludus.site.routes.operator import operator_routes
from ludus.site.routes.page import PAGE, Page
from ludus.site.routes.people import people_routes
from ludus.site.routes.players import player_routes
from ludus.site.routes.preview import Previews
from ludus.site.routes.puzzles import puzzle_routes
from ludus.site.routes.review import review_routes
from ludus.site.routes.sockets import inbox_routes, socket_routes
from ludus.site.routes.study import study_routes
from ludus.site.routes.training import Grown, training_routes
from ludus.site.safety.fair_queue import WorkerThreads
from ludus.site.safety.guard import Guard
from ludus.site.services import STARTING, Services, repeat
from ludus.site.settings import SiteSettings
from ludus.site.study.lessons import Classroom
from ludus.site.study.puzzles import Shelf
from ludus.site.table.rows import moment
from ludus.trust import permit

_log = logging.getLogger(__name__)

SWEEP_S = 10.0
STANDS_BY = "Another site serves this database; this one stands by."


def site_clock() -> Now:
    """Return a monotonic clock in milliseconds since 1970, independent of later changes of the system time."""
    offset = time.time() - time.monotonic()
    return lambda: round(1000 * (offset + time.monotonic()))


class Site:
    """A running site: its games, bots, lobby, threads, services and database."""

    def __init__(self, settings: SiteSettings) -> None:
        permit(*settings.games)
        self.settings = settings
        self.bots = Bots(settings, ServerInfo("ludus", version("ludus")))
        self.engines = DeviceEngines()
        self.listing = Listing(self.bots, self.engines)
        self.threads = WorkerThreads()
        self.restrictions = Restrictions()
        self.blocks = Blocks()
        self.live_games = LiveGames(self.bots, settings, site_clock(), self.restrictions.silence_of)
        self.reception = Reception(self.live_games, self.bots, settings, self.blocks)
        self.evictor = Evictor(self.live_games, settings)
        self.lists = Lists(self.live_games, lambda account: self.services.people().ratings.of(account))
        inboxes = Inboxes()
        self.pool = PairingPool(
            inboxes,
            self.reception,
            self.lists,
            settings,
            now=self.live_games.now,
            ratings_of=lambda account: self.services.people().ratings.of(account),
        )
        self.challenges = ChallengeDesk(
            inboxes, self.reception, lambda: self.services.people(), settings, lambda: self.live_games.now() / 1000
        )
        handlers = {
            messages.EnterPool: self.pool.enter,
            messages.LeavePool: self.pool.leave,
            messages.SendChallenge: self.challenges.send,
            messages.WithdrawChallenge: self.challenges.withdraw,
            messages.AcceptChallenge: self.challenges.accept,
            messages.DeclineChallenge: self.challenges.decline,
        }
        self.desk = LobbyDesk(inboxes, handlers)
        self.services = Services(
            self.bots,
            self.live_games,
            settings,
            unready=lambda: self._unready,
            restrictions=self.restrictions,
            blocks=self.blocks,
            is_here=inboxes.has_account,
        )
        self.openings = OpeningIndex(self.threads, settings.games)
        self.live_games.listeners.append(self._hear)
        self.lines = Lines(self.threads, settings.games)
        self.reviews = Reviews(self.services.judge, self.lines, self.services.database)
        self._database: Database | None = None
        self._chores: list[asyncio.Task[None]] = []
        self._taken = asyncio.Event()
        self._draining = False
        self.num_bots_at_end = 0
        self.is_saved = True
        self._standby: asyncio.Task[None] | None = None
        self._unready: str | None = STARTING

    async def open(self, url: URL, folder: Path | None = None) -> None:
        """Open the database, load its unfinished games and start the background tasks.

        If another site has the database, an SQLite database is refused; at a PostgreSQL database, this site stands by
        and serves when the other one ends or falls silent.

        Args:
            url: the database's address.
            folder: see `data_folder`.

        Raises:
            Unavailable: the database cannot be used.
        """
        folder = data_folder(url, folder)
        try:
            database = await Database.open(url)
        except TakenError:
            if url.get_backend_name() == "sqlite":
                raise
            self._unready = STANDS_BY
            self._standby = asyncio.create_task(self._stand_by(url, folder))
        else:
            await self._begin(database, folder, has_lease=url.get_backend_name() != "sqlite")

    @property
    def queues(self) -> dict[str, int]:
        """Return how many requests wait, by what they wait for."""
        waiting = self.live_games.queues | {"positions": self.threads.num_waiting}
        return waiting | ({"database": self._database.num_waiting} if self._database else {})

    @property
    def stands_by(self) -> bool:
        """Return whether another site serves the database."""
        return self._unready is STANDS_BY

    async def _begin(self, database: Database, folder: Path, *, has_lease: bool) -> None:
        self._database = database
        if has_lease:
            told = "The lease of the database is not renewed"
            self._chores.append(asyncio.create_task(self._write_every(BEAT_S, database.keep_lease, told)))
        await self.services.open(database, folder)
        await self.live_games.open(GameStore(database))
        await self.reviews.resume()
        beating = self._write_every(self.settings.pulse_s, self._beat, "The site's heartbeat is postponed")
        sweeping = repeat(self.evictor.sweep, SWEEP_S, "Eviction of games")
        works = (sweeping, beating, self.openings.run(database))
        self._chores += map(asyncio.create_task, works)
        self._unready = None

    async def _stand_by(self, url: URL, folder: Path) -> None:
        """Begin to serve when the other site has ended."""
        _log.warning(STANDS_BY)
        while True:
            await until_ended(url, self.settings.take_over_s)
            try:
                database = await Database.open(url)
                break
            except TakenError:
                _log.info("Another site has taken over; this one still stands by.")
        await self._begin(database, folder, has_lease=True)
        _log.warning("The other site has ended; this one serves now.")

    async def until_taken(self) -> None:
        """Wait until another site takes the database, then raise TakenError; raise an error of the standby at once."""
        if self._standby:
            await self._standby
        await self._taken.wait()
        raise TakenError("Another site has claimed this database while this one did not respond; this one stops.")

    def note_end(self) -> None:
        """Note how many bots are connected at the end, before those that the site has started leave."""
        self.num_bots_at_end = len(self.bots.all())

    async def drain(self) -> None:
        """Stop opening games, and close all sockets with a code that makes clients reconnect."""
        if self._draining:
            return
        self._draining = True
        self._unready = "The site is restarting."
        chores = [*self._chores, *([self._standby] if self._standby else [])]
        for chore in chores:
            chore.cancel()
        await asyncio.gather(*chores, return_exceptions=True)
        await self.pool.close()
        self.challenges.close()
        self.desk.inboxes.close(RESTARTING)
        self.lists.close(RESTARTING)
        await self.reviews.close()
        await self.services.bars.close(RESTARTING)
        await self.services.judge.close()
        await self.live_games.drain(RESTARTING)
        self.bots.close(RESTARTING)

    async def close(self) -> None:
        """Drain the site, write everything to the database and close it."""
        await self.drain()
        self.threads.close()
        self.live_games.close()
        await self.services.close()
        self.is_saved = not self._database or await self._database.close()
        if not self.is_saved:
            _log.error("Not everything was written to the database; the last moves may be missing.")

    def _hear(self, _game: LiveGame, event: Event) -> None:
        if isinstance(event, Changed) and event.after.over and not event.before.over:
            self.openings.wake()

    async def _beat(self) -> None:
        await self.live_games.store.beat(moment(self.live_games.now()))

    async def _write_every(self, pause_s: float, write: Callable[[], Awaitable[None]], told: str) -> None:
        """Write to the database at intervals until another site has claimed it; log `told` when that fails."""
        while True:
            try:
                await write()
            except TakenError:
                self._taken.set()
                return
            except LudusError as error:
                _log.info("%s: %s", told, error)
            await asyncio.sleep(pause_s)


def create_app(
    settings: SiteSettings | None = None,
    page: Path = PAGE,
    url: URL | None = None,
    folder: Path | None = None,
    shelf: Shelf | None = None,
    grown: Grown | None = None,
) -> FastAPI:
    """Return the application; the `Site` is at `app.state.site`.

    Args:
        settings: the site's settings; None: the defaults.
        page: the folder of the built page.
        url: the database's address; None: a temporary database, deleted at the end.
        folder: see `data_folder`.
        shelf: the puzzles; None: no puzzles.
        grown: the training run that the site grows; None: it grows none.
    """
    shelf = shelf or Shelf()
    site = Site(settings or SiteSettings())
    services = site.services

    @contextlib.asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncGenerator[None]:
        with contextlib.ExitStack() as stack:
            if url:
                await site.open(url, folder)
            else:
                thrown_away = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="ludus-")))
                await site.open(database_url(thrown_away))
            try:
                yield
            finally:
                await site.close()

    app = FastAPI(title="Ludus", lifespan=lifespan, openapi_url=None)
    app.state.site = site

    async def spelt(spec: str) -> str | None:
        if known := known_spec(spec, site.settings.games):
            return known
        named = name_told(spec, site.settings.games) or spec
        return named if named in (await site.listing.now()).specs else None

    classroom, book = Classroom(site.settings.games), OpeningBook(services.database, site.threads, site.settings.games)
    app.include_router(study_routes(services.judge, spelt, site.threads, classroom, shelf, book, site.engines))
    app.include_router(engine_routes(site.engines))
    app.include_router(puzzle_routes(services.people, shelf, site.threads, site.settings.safety, time.monotonic))
    app.include_router(bot_routes(site.bots, site.listing, site.reception, services.who))
    app.include_router(
        game_routes(site.live_games, site.reception, site.lists, site.threads, services.database, services.who)
    )
    safety, has_account = site.settings.safety, site.desk.inboxes.has_account
    is_bots, unlimited = partial(is_of_a_bot, bots=site.bots), safety.exempt()
    app.include_router(people_routes(services.people, is_bots, has_account, safety, time.monotonic))
    app.include_router(player_routes(services.people, site.listing, has_account, services.who, safety, time.monotonic))
    app.include_router(mail_routes(services.postman, services.database, services.who, unlimited))
    app.include_router(archive_routes(services.database, site.lines, site.threads, site.settings.games))
    app.include_router(review_routes(site.reviews))
    app.include_router(training_routes(grown, site.threads, site.settings.operator_token))
    moderated = (site.live_games, site.blocks, services.reports, services.people)
    app.include_router(moderation_routes(*moderated, unlimited, time.monotonic))
    app.include_router(
        operator_routes(
            site.live_games,
            site.bots,
            site.restrictions,
            site.settings,
            people=services.people,
            reports=services.reports,
            database=services.database,
            metrics=services.metrics,
            ready=services.ready,
            queues=lambda: site.queues,
        )
    )
    app.include_router(
        operations_routes(HealthProbe(site.bots), services.metrics, services.ready, site.settings.metrics_token)
    )
    app.include_router(
        socket_routes(
            site.bots,
            site.live_games,
            site.lists,
            services.bars,
            site.settings,
            services.refusal_of,
            site.restrictions,
            services.who,
        )
    )
    app.include_router(inbox_routes(site.desk, site.restrictions, services.who))

    @app.api_route("/api/{path:path}", methods=["GET", "POST", "PUT", "DELETE"], include_in_schema=False)
    async def nothing(path: str) -> Response:  # pyright: ignore[reportUnusedFunction]
        raise NotHere(f"There is no resource at /api/{path[:80]}.")

    previews = Previews(site.live_games, services.database, site.settings.games)
    app.mount("/", Page(page, grows=grown is not None, preview_of=previews.of))
    app.add_middleware(
        Guard,
        settings=site.settings.safety,
        allowed_origins=site.settings.allowed_origins,
        metrics=services.metrics,
        ban_of=site.restrictions.ban_of,
        when_banned=site.restrictions.when_address_banned,
    )

    @app.exception_handler(LudusError)
    async def fault(_request: Request, error: LudusError) -> Response:  # pyright: ignore[reportUnusedFunction]
        return refusal(error)

    @app.exception_handler(HTTPException)
    async def refused(_request: Request, error: HTTPException) -> Response:  # pyright: ignore[reportUnusedFunction]
        return Answer(Fault(error.detail), error.status_code, dict(error.headers or {}))

    @app.exception_handler(ClientDisconnect)
    async def left(_request: Request, _error: ClientDisconnect) -> Response:  # pyright: ignore[reportUnusedFunction]
        return Response(status_code=400)  # never read: the client disconnected in the middle of its request

    return app
