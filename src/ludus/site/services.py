"""Services of a site besides games and bots: people, the judge and evaluation bars, metrics and the readiness check."""

import asyncio
import logging
import math
import time
from collections.abc import Awaitable, Callable, Coroutine
from pathlib import Path
from typing import Any

from sqlalchemy import text
from starlette.requests import HTTPConnection

from ludus.errors import LudusError, Unavailable
from ludus.protocol.registration import Attach, AttachRejected
from ludus.site.bots.bots import Bots
from ludus.site.database.database import Database
from ludus.site.database.games import GameStore
from ludus.site.evaluation.bar import Bars
from ludus.site.evaluation.judge import SiteJudge
from ludus.site.faults import RESTARTING
from ludus.site.live.broadcast import Changed, Event, Seated
from ludus.site.live.game import LiveGame
from ludus.site.live.live_games import LiveGames
from ludus.site.mail.addresses import Addresses
from ludus.site.mail.postman import Postman
from ludus.site.mail.rounds import EVERY_S, Rounds
from ludus.site.moderation.blocks import Blocks
from ludus.site.moderation.reports import Reports
from ludus.site.moderation.restrictions import Restrictions
from ludus.site.operations.metrics import CountErrors, SiteMetrics
from ludus.site.people.accounts import Accounts
from ludus.site.people.bot_tokens import BotTokens
from ludus.site.people.keys import Signer
from ludus.site.people.people import People
from ludus.site.people.ratings import Ratings
from ludus.site.people.solving import PuzzleRatings
from ludus.site.people.visitors import Visitor, Visitors, new_guest
from ludus.site.settings import SiteSettings

_log = logging.getLogger(__name__)

LAG_EVERY_S = 1.0
READ_EVERY_S = 1.0  # between two test reads of the database
KEYS = "secrets/keys.json"
STARTING = "The site is starting; try again in a few seconds."


async def repeat(work: Callable[[], Awaitable[None]], every_s: float, what: str) -> None:
    """Do a work at intervals until cancelled, first after one of them; an error postpones it to the next time.

    Args:
        work: the work.
        every_s: the pause before each time, in seconds.
        what: the work's name in the log.
    """
    while True:
        await asyncio.sleep(every_s)
        try:
            await work()
        except LudusError as error:
            _log.info("%s is postponed: %s", what, error)
        except Exception:  # noqa: BLE001 - one error must not end the work for good
            _log.exception("%s failed; it continues.", what)


class Services:
    """People, judge, evaluation bars, metrics and readiness of one site; people exist between `open` and `close`."""

    def __init__(
        self,
        bots: Bots,
        live_games: LiveGames,
        settings: SiteSettings,
        *,
        unready: Callable[[], str | None],
        restrictions: Restrictions,
        blocks: Blocks,
        is_here: Callable[[str], bool],
    ) -> None:
        """Create the services and connect the metrics.

        Args:
            bots: the attached bots.
            live_games: the games in memory.
            settings: the site's settings.
            unready: returns why the site does not serve: it stands by, starts or stops; None: it serves.
            restrictions: the bans and silences.
            blocks: the blocks between people.
            is_here: returns whether an account has a page open.
        """
        self.metrics = SiteMetrics()
        self.metrics.games.set_function(lambda: live_games.num_playing)
        self.metrics.bots.set_function(lambda: len(bots.all()))
        self.judge = SiteJudge(bots)
        self.bars = Bars(live_games, self.judge, settings.safety)
        self._settings = settings
        self._unready = unready
        self.postman = Postman(settings.mail) if settings.mail else None
        """Sends letters; None if the site sends no mail."""
        self._live_games = live_games
        self._database: Database | None = None
        self._people: People | None = None
        self._reports: Reports | None = None
        self._restrictions, self._blocks, self._is_here = restrictions, blocks, is_here
        self._tasks: set[asyncio.Task[None]] = set()
        self._asking = asyncio.Lock()
        self._read: tuple[float, str | None] = (-math.inf, None)
        self._errors = CountErrors(self.metrics)
        live_games.listeners.append(self._hear)
        bots.timers.append(self.metrics.bot_answered)

    async def open(self, database: Database, folder: Path | None) -> None:
        """Create the services that need the database, and start the background tasks.

        Args:
            database: the open database.
            folder: where the keys that sign guests' cookies are stored; None: they are kept only in memory.

        Raises:
            Unavailable: the keys cannot be read or written.
            BadRecord: the file of keys is damaged.
        """
        signer = Signer(folder / KEYS if folder else None)
        accounts = Accounts(database)
        await self._restrictions.open(database)
        await self._blocks.open(database)
        self._reports = Reports(database, self._settings.safety.exempt(), time.monotonic)
        visitors, tokens = Visitors(signer, accounts), BotTokens(database)
        ratings, solving = Ratings(database), PuzzleRatings(database)
        self._people = People(visitors, accounts, ratings, solving, tokens, self._restrictions)
        self._database = database
        logging.getLogger().addHandler(self._errors)
        self._do(self._measure_lag())
        self._do(self._rate())
        if self.postman:
            self._do(self.postman.run())
            rounds = Rounds(Addresses(database), self.postman, self._seen_s, self._settings.games)
            self._do(repeat(rounds.once, EVERY_S, "The look for turns to write about"))

    def _seen_s(self, account_id: str) -> float:
        """Return how many seconds ago an account was last on the page."""
        games = self._live_games.games.values()
        if self._is_here(account_id) or any(
            seat.account_id == account_id and game.connected(side)
            for game in games
            for side, seat in enumerate(game.seats)
        ):
            return 0.0
        return self.people().visitors.seen_s(account_id)

    async def close(self) -> None:
        """Stop the background tasks; games that still need rating are rated at the next start."""
        await self.bars.close(RESTARTING)
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        logging.getLogger().removeHandler(self._errors)
        self._people = self._database = self._reports = None

    def people(self) -> People:
        """Return accounts, visitors, ratings and bot tokens; raises Unavailable while the site is not open."""
        if self._people is None:
            raise Unavailable(STARTING)
        return self._people

    def reports(self) -> Reports:
        """Return the reports of visitors; raises Unavailable while the site is not open."""
        if self._reports is None:
            raise Unavailable(STARTING)
        return self._reports

    def database(self) -> Database:
        """Return the database; raises Unavailable while the site is not open."""
        if self._database is None:
            raise Unavailable(STARTING)
        return self._database

    async def who(self, connection: HTTPConnection) -> Visitor:
        """Return the visitor of a connection; while the site is not open, a new guest.  Raises Unavailable."""
        return await self._people.visitors.who(connection) if self._people else new_guest()

    async def refusal_of(self, attach: Attach, token: str | None) -> AttachRejected | None:
        """Return the refusal of a bot client, or None if it may attach; raises Unavailable."""
        try:
            return await self.people().refusal_of(attach, token, strangers=self._settings.strangers_bots)
        except Unavailable as error:
            _log.warning("Bot client %s cannot attach yet: %s", attach.client_id, error)
            raise

    async def ready(self) -> str | None:
        """Return why the site is not ready; None if it is."""
        if reason := self._unready():
            return reason
        database = self.database()
        if database.stalled_s > 0:
            return f"The database has refused to write for {database.stalled_s:.0f} seconds."
        async with self._asking:  # requests at the same time share one test read
            at, fault = self._read
            if time.monotonic() - at > READ_EVERY_S:
                try:
                    await database.read(lambda connection: connection.execute(text("SELECT 1")))
                    fault = None
                except LudusError as error:
                    fault = str(error)
                self._read = time.monotonic(), fault
        return fault

    def _hear(self, game: LiveGame, event: Event) -> None:
        if not isinstance(event, Changed):
            return
        before, after = event.before, event.after
        if len(after.moves) > len(before.moves):
            self.metrics.moves.observe(max(0.0, (game.now() - after.moves[-1].at) / 1000))
        if after.result and not before.over:
            if game.row.rated:
                self._do(self._rate(game))
            loser = None if after.result.winner is None else game.seats[1 - after.result.winner]
            if loser and loser.kind == "bot" and after.result.reason.startswith(f"{loser.name} "):
                self.metrics.bot_faults.inc()  # `BotPlayer` begins the reason of a forfeit with the bot's name

    def _do(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _rate(self, game: LiveGame | None = None) -> None:
        """Rate the games that wait for it; show those at the game that has just ended how it changed their ratings."""
        try:
            await self.people().ratings.settle()
            if game and (changes := await GameStore(self.database()).rating_changes(game.id)):
                game.rating_changes = changes
                game.publish(Seated())
        except LudusError as error:
            _log.warning("Ratings are postponed until the next rated game ends: %s", error)

    async def _measure_lag(self) -> None:
        clock = asyncio.get_running_loop().time
        while True:
            began = clock()
            await asyncio.sleep(LAG_EVERY_S)
            self.metrics.lag.set(max(0.0, clock() - began - LAG_EVERY_S))
