"""All games in memory: opens and restores games, starts their bots and rematches, and evicts idle games."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
from collections.abc import Callable
from functools import partial

import numpy as np
from msgspec.structs import replace

from ludus.errors import BadInput, LudusError, Unavailable
from ludus.games.board import Board
from ludus.games.game import Position
from ludus.site.bots.bots import Bots
from ludus.site.bots.in_browser import is_in_browser
from ludus.site.catalogue.carried import device_position, site_actions
from ludus.site.catalogue.catalogue import bot_for
from ludus.site.catalogue.specs import spec_stored, table_game
from ludus.site.catalogue.words import IN_BROWSER, terms_of
from ludus.site.database.games import GameStore
from ludus.site.database.records import Evaluation, GameRow, SeatRow
from ludus.site.faults import CLOSED, Close, NotHere
from ludus.site.live.boards import Drawn, draw
from ludus.site.live.bot_player import BotPlayer
from ludus.site.live.broadcast import Changed, Event, Evicted, Notice, RematchOpened, Seated
from ludus.site.live.browser_seat import BrowserSeat
from ludus.site.live.chat import Silence
from ludus.site.live.game import LiveGame
from ludus.site.live.opening_limits import OpeningLimits
from ludus.site.live.presence import Now
from ludus.site.messages.requests import BoardConfig
from ludus.site.operations.logs import about_game, context_of_game, within_game
from ludus.site.people.guests import in_next_game
from ludus.site.safety.fair_queue import WorkerThreads
from ludus.site.settings import SiteSettings
from ludus.site.table.clock import TimeControl
from ludus.site.table.rows import columns_of, gone_on, is_left, milliseconds, moment, progress_of, table_of
from ludus.site.table.table import Table, new_table

_log = logging.getLogger(__name__)

LAST_BEAT_S = 2.0  # how long a stopping site waits until the database has stored its last heartbeat

MAX_MOVES = 4096
"""Moves that may wait for the worker threads.  A game has at most one at a time, so that none is ever refused."""

_Changes = tuple[tuple[float, float], tuple[float, float]]
_Restored = tuple[GameRow, Table, Drawn, dict[int, Evaluation], _Changes | None]
"""A game from the database, its state, its boards, its evaluations by the number of moves, and how it changed the
ratings."""


class LiveGames:
    """The games in memory, by id."""

    def __init__(
        self, bots: Bots, settings: SiteSettings, now: Now, silence: Silence = lambda _person, _address: None
    ) -> None:
        """Start without games; `open` restores those of the database.

        Args:
            bots: the attached bots.
            settings: the site's settings.
            now: the site's clock.
            silence: tells which speakers are silenced in chats.
        """
        self.games: dict[str, LiveGame] = {}
        self.listeners: list[Callable[[LiveGame, Event], None]] = []
        """Functions that are called with every event of every game."""
        self.now = now
        self._bots = bots
        bots.listeners.add(self._tell_of_engines)
        self._settings = settings
        self._silence = silence
        self._store: GameStore | None = None
        self._playing_bots: dict[str, list[asyncio.Task[None]]] = {}
        self._limits = OpeningLimits(self.games, settings, now)
        self._loading: dict[str, asyncio.Task[LiveGame]] = {}
        self._openings = WorkerThreads()
        self._moves = WorkerThreads(MAX_MOVES)
        self._loads = WorkerThreads()  # separate threads, so that opening a new game does not wait for loads
        self._draining = False
        self._opened_at = now()
        self._last_known = now()  # the last heartbeat before this start; clocks stop from then on

    @property
    def num_playing(self) -> int:
        """Return the number of unfinished games in memory."""
        return sum(not game.table.over for game in self.games.values())

    @property
    def queues(self) -> dict[str, int]:
        """Return how many requests wait for worker threads, by what they do."""
        waiting = {"moves": self._moves, "new games": self._openings, "loads of games": self._loads}
        return {name: threads.num_waiting for name, threads in waiting.items()}

    @property
    def store(self) -> GameStore:
        """Return the database's games; raises Unavailable before the site is open and after it has closed."""
        if self._store is None:
            self.must_be_open()
            raise Unavailable("The site is starting. Try again in a few seconds.")
        return self._store

    async def open(self, store: GameStore) -> None:
        """Restore the unfinished games from the database; a game that cannot be restored stays there unchanged.

        Games whose players left long ago also stay in the database until they are requested.  The restored games
        resume together after all are loaded, which may take long.
        """
        last_beat, now = await store.last_beat(), self.now()
        self._last_known = milliseconds(last_beat) if last_beat else now
        came_back = max(self._last_known, now)  # the machine's clock may have been set back
        await store.all_left(moment(self._last_known), moment(came_back))
        rows, restored = await store.unfinished(), list[_Restored]()
        idle = moment(came_back - round(1000 * self._settings.idle_kept_s))
        for row in rows:
            if is_left(row, idle):
                continue
            with within_game(row.id):
                try:
                    restored.append(await self._restore(row, store))
                except LudusError as error:
                    _log.error("Cannot restore game %s; it stays in the database: %s", row.id, error)
        self._opened_at = self.now()
        self._store = store  # from now on games are found; before, one might be loaded twice
        for each in restored:
            self._go_on(each, self._settings.restart_grace_s)
        if rows:
            _log.warning("Restored %d of %d unfinished games.", len(self.games), len(rows))
        await asyncio.sleep(0)  # let the games queue their clocks for the database before the next heartbeat

    async def find(self, game_id: str, address: str = "") -> LiveGame:
        """Return a game, loading it from the database if needed, and tag the task's log lines with its id.

        Args:
            game_id: the game's id.
            address: the client's address, for fair queuing; "" for the site itself.

        Raises:
            NotHere: there is no game with this id.
            Unavailable: the database cannot be read at present.
        """
        game = self.games.get(game_id)
        if game is None:
            loading = self._loading.get(game_id)
            if loading is None:  # concurrent requests share one load, and its error
                load = self._load(game_id, address)
                loading = self._loading[game_id] = asyncio.create_task(load, context=context_of_game(game_id))
                loading.add_done_callback(lambda _: self._loading.pop(game_id))
            game = await asyncio.shield(loading)
        about_game(game_id)
        return game

    async def _load(self, game_id: str, address: str) -> LiveGame:
        row = await self.store.load(game_id) if len(game_id) <= 32 else None
        if row is None:
            raise NotHere("This site has no game with this id.")
        return self._go_on(await self._restore(row, self.store, address), self._grace_s())

    def _grace_s(self) -> float:
        """Return how long a loaded game waits for its bot; longer after a restart, when bots are still attaching."""
        kept = self._settings
        return max(kept.disconnect_grace_s, kept.restart_grace_s - (self.now() - self._opened_at) / 1000)

    async def drain(self, goodbye: Close) -> None:
        """Refuse new games, close all sockets, stop the bot players, and store the last heartbeat."""
        self._draining = True
        tasks = [task for tasks in self._playing_bots.values() for task in tasks]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*(game.close(goodbye) for game in self.games.values()))
        await asyncio.gather(*tasks, return_exceptions=True)  # they wait for the bots to end their sessions
        if self._store:
            with contextlib.suppress(Unavailable, TimeoutError):  # a failing database must not block the shutdown
                async with asyncio.timeout(LAST_BEAT_S):
                    await self._store.beat(moment(self.now()))
        self._store = None

    def close(self) -> None:
        """Stop the worker threads."""
        self._openings.close()
        self._moves.close()
        self._loads.close()

    async def open_table(  # noqa: PLR0913 - one for each thing that is chosen
        self,
        spec: str,
        config: BoardConfig,
        kind: str,
        seats: tuple[SeatRow, SeatRow],
        control: TimeControl | None,
        *,
        rated: bool = False,
        with_evaluation: bool = False,
        former: LiveGame | None = None,
        opener: str = "",
        bot_ms: int | None = None,
    ) -> LiveGame:
        """Open a game: build its first position, store it, and start its bots.

        Args:
            spec: the game's name.
            config: the game, and its board.
            kind: see `GameRow`.
            seats: the seats of both sides.
            control: the time control; None for a game without clocks.
            rated: whether the game is rated.
            with_evaluation: whether both players see the evaluation bar.
            former: the previous game, if this one is its rematch.
            opener: the address whose limits the game counts for; "" for the site itself.
            bot_ms: see `GameRow`.

        Raises:
            BadInput: the setup is invalid, or is the end of a game.
            TooOften: the address has opened too many games.
            Unavailable: the site has its maximum of games, or the database cannot store the game.
        """
        self.must_be_open()
        untimed = _untimed(seats)
        with self._limits.taken(opener, is_slow=bot_ms is not None and untimed is None):
            prepare = partial(_prepared, spec, former.row.setup) if former else partial(_drawn, spec, config.setup)
            start, board = await self._openings.do(opener, prepare)
            waiting = any(seat.kind == "open" for seat in seats)
            table = new_table(start, control, waiting=waiting, max_plies=self._settings.max_plies)
            table = replace(table, untimed=untimed)
            if not waiting:
                table = table.seated(self.now())
            game_id, now = secrets.token_urlsafe(6), moment(self.now())
            inverse = start.game.setup(start.state)
            row = GameRow(
                id=game_id,
                spec=spec,
                game=config.game,
                variant=config.variant,
                width=config.board_width,
                height=config.board_height,
                setup=start.setup if inverse is None else inverse,
                kind=kind,
                rated=rated,
                **columns_of(control),
                bot_ms=bot_ms,
                series=former.row.series if former else game_id,
                score_0=former.score[1] if former else 0.0,
                score_1=former.score[0] if former else 0.0,
                created_at=now,
                left_at=now,
                seats=seats,
                progress=progress_of(table),
                with_evaluation=with_evaluation,
            )
            await self.store.add(row)
            about_game(game_id)
            _log.info("Opened game %s: %s.", game_id, spec)
            game = self._enter(row, table, {start: board}, self._settings.disconnect_grace_s)
        game.opener = opener
        return game

    async def _restore(self, row: GameRow, store: GameStore, address: str = "") -> _Restored:
        """Replay a game from its database rows, queued by the client's address; raises LudusError."""
        row = replace(row, spec=spec_stored(row.spec, self._settings.games))

        def play_again() -> tuple[Table, Drawn]:
            start, board = _prepared(row.spec, row.setup)
            table = replace(table_of(row, start, self._settings.max_plies), untimed=_untimed(row.seats))
            return table, draw(table, {start: board})

        table, drawn = await self._loads.do(address, play_again)
        changes = await store.rating_changes(row.id) if row.rated else None
        return row, table, drawn, await store.evaluations(row.id), changes

    def _go_on(self, restored: _Restored, grace_s: float) -> LiveGame:
        """Resume a restored game; its clock did not run from the site's last heartbeat until now."""
        row, table, drawn, evaluations, changes = restored
        kept = self._settings
        is_of_bot = not table.over and row.seats[table.position.to_play].kind == "bot"
        goes_on = self.now() + round(1000 * (kept.restart_grace_s if is_of_bot else kept.return_grace_s))
        game = self._enter(row, gone_on(table, self._last_known, goes_on), drawn, grace_s)
        game.opened = True
        game.evaluations = {ply: found for ply, found in evaluations.items() if ply <= len(table.moves)}
        game.rating_changes = changes
        game.keep_clock()
        return game

    def _enter(self, row: GameRow, table: Table, drawn: Drawn, grace_s: float) -> LiveGame:
        kept = self._settings
        patience_s = kept.claim_after_s if table.control else kept.claim_untimed_after_s
        patience_ms, chat = round(1000 * patience_s), kept.safety.chat
        game = LiveGame(row, table, drawn, self.store, self._moves, self.now, patience_ms, chat, self._silence)
        game.terms = terms_of(row.spec, table.at(0))
        if (side := _untimed(row.seats)) is not None:
            game.terms.append(IN_BROWSER)
            game.browser_bot = BrowserSeat(self._bots.in_browser, row, side, device_position, site_actions)
        self.games[game.id] = game
        game.listeners += [self._hear, *self.listeners]
        game.set_alarms()
        if not table.over and not table.waiting:
            self._let_bots_play(game, grace_s)
        return game

    def _let_bots_play(self, game: LiveGame, grace_s: float) -> None:
        sides = [side for side in (0, 1) if game.seats[side].kind == "bot" and not is_in_browser(game.seats[side].bot)]
        for side in sides:
            bgs_id = game.id if len(sides) == 1 else f"{game.id}_{side}"
            player = BotPlayer(game, side, self._bots, bgs_id, grace_s)
            task = asyncio.create_task(player.run(), name=f"bot at game {bgs_id}", context=context_of_game(game.id))
            self._playing_bots.setdefault(game.id, []).append(task)

    def _tell_of_engines(self) -> None:
        """Send the states of games again whose bots think in browsers, since their engines may have become ready."""
        for game in self.games.values():
            if game.browser_bot and not game.table.over:
                game.publish(Seated())

    def _hear(self, game: LiveGame, event: Event) -> None:
        if isinstance(event, Changed) and (result := event.after.result) and not event.before.over:
            with within_game(game.id):
                outcome = "no winner" if result.winner is None else f"won by side {result.winner}"
                _log.info("Game %s is over: %s (%s).", game.id, outcome, result.reason)
        if isinstance(event, Changed) and event.after.rematch_agreed and not event.before.rematch_agreed:
            game.begin(self._follow(game))

    async def _follow(self, game: LiveGame) -> None:
        """Open the agreed rematch with sides swapped; the players' tokens are valid there too."""
        row = game.row
        if game.rematch is not None:
            return
        try:
            first, second = [await in_next_game(seat, self._bots, self.store) for seat in reversed(game.seats)]
            config = BoardConfig(game=row.game, variant=row.variant, board_width=row.width, board_height=row.height)
            account = next((seat.name for seat in game.seats if seat.account_id), None)
            for seat in game.seats:
                if seat.bot:
                    bot_for(self._bots, seat.bot, config, account)
            control = game.table.control
            following = await self.open_table(
                row.spec,
                config,
                row.kind,
                (first, second),
                control,
                rated=row.rated,
                with_evaluation=row.with_evaluation,
                former=game,
                opener=game.opener,
                bot_ms=row.bot_ms,
            )
            following.people = game.people[::-1]
            await game.note_rematch(following.id)
            game.publish(RematchOpened(following.id))
        except LudusError as error:
            game.publish(Notice(f"The rematch could not be opened. {error}"))
            await game.do(lambda table, _now: replace(table, offers=()))

    async def evict(self, game: LiveGame) -> None:
        """Evict a game to the database, unless a socket is connected or a database write is pending.

        Later visitors reconnect and load the game from the database, so it is never in memory twice.
        """
        if game.visited or game.writing:
            return
        await game.close(CLOSED)
        tasks = self._playing_bots.pop(game.id, [])
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self.games.pop(game.id, None)
        game.publish(Evicted())
        with within_game(game.id):
            _log.debug("Evicted game %s.", game.id)

    def must_be_open(self) -> None:
        """Raise Unavailable if the site is shutting down."""
        if self._draining:
            raise Unavailable("The site is restarting. Try again in a minute.")


def _untimed(seats: tuple[SeatRow, SeatRow]) -> int | None:
    """Return the side of a bot that thinks in its opponent's browser, whose clock never runs; None if there is none."""
    return next((side for side, seat in enumerate(seats) if is_in_browser(seat.bot)), None)


def _prepared(spec: str, setup: object) -> tuple[Position, Board]:
    """Return a game's first position and its board; this may take long, and makes the next moves take less."""
    start = table_game(spec).start(setup)
    if start.outcome:
        raise BadInput(f"The game is already over in this position ({start.outcome.reason}). Choose another one.")
    board = start.describe()
    if start.actions:
        start.play(start.actions[0]).describe()
    return start, board


def _drawn(spec: str, setup: object) -> tuple[Position, Board]:
    """Return the prepared first position of a new game; without a setup, the game may draw a random one."""
    return _prepared(spec, table_game(spec).draw_setup(np.random.default_rng()) if setup is None else setup)
