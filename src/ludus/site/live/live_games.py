"""All games in memory: opens and finds them, opens rematches, and evicts games that nobody needs."""

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
from ludus.games.game import Position
from ludus.site.bots.bots import Bots
from ludus.site.catalogue.catalogue import bot_for, table_game
from ludus.site.database.games import GameStore
from ludus.site.database.records import Evaluation, GameRow, SeatRow
from ludus.site.faults import CLOSED, Close, NotHere
from ludus.site.live.bot_player import BotPlayer
from ludus.site.live.broadcast import Changed, Event, Evicted, Notice, RematchOpened
from ludus.site.live.game import LiveGame
from ludus.site.live.opening_limits import OpeningLimits
from ludus.site.live.presence import Now
from ludus.site.messages.requests import BoardConfig
from ludus.site.operations.logs import about_game, context_of_game, within_game
from ludus.site.people.guests import in_next_game
from ludus.site.safety.fair_queue import WorkerThreads
from ludus.site.settings import SiteSettings
from ludus.site.table.clock import TimeControl
from ludus.site.table.rows import gone_on, is_left, milliseconds, moment, progress_of, table_of
from ludus.site.table.table import Table, new_table

_log = logging.getLogger(__name__)

LAST_BEAT_S = 2.0  # that a database may take for the last sign of life

_Restored = tuple[GameRow, Table, dict[int, Evaluation]]
"""A game from the database, and its evaluations."""


class LiveGames:
    """The games by id."""

    def __init__(self, bots: Bots, settings: SiteSettings, now: Now) -> None:
        """Prepare; `open` restores the database's games."""
        self.games: dict[str, LiveGame] = {}
        self.listeners: list[Callable[[LiveGame, Event], None]] = []
        """Those who hear of everything at every table."""
        self.now = now
        self._bots = bots
        self._settings = settings
        self._store: GameStore | None = None
        self._playing_bots: dict[str, list[asyncio.Task[None]]] = {}
        self._limits = OpeningLimits(self.games, settings, now)
        self._loading: dict[str, asyncio.Task[LiveGame]] = {}
        self._openings = WorkerThreads()
        self._loads = WorkerThreads()  # of their own: opening a game does not wait for games from the database
        self._draining = False
        self._opened_at = now()
        self._last_known = now()  # when the site ran before it was opened, as far as anybody knows

    @property
    def num_playing(self) -> int:
        """Return how many games are not over."""
        return sum(not game.table.over for game in self.games.values())

    @property
    def store(self) -> GameStore:
        """Return where games are kept; raises Unavailable while it is not open."""
        if self._store is None:
            self.must_be_open()
            raise Unavailable("The site is starting; try again in a moment.")
        return self._store

    async def open(self, store: GameStore) -> None:
        """Restore the games that are not over; those that cannot be restored stay as they are.

        Games that their players left long before stay in the database until somebody comes.  The others go on together
        once all are restored, which may take long.
        """
        self._store = store
        last_beat, now = await store.last_beat(), self.now()
        self._last_known = milliseconds(last_beat) if last_beat else now
        came_back = max(self._last_known, now)  # clocks of machines are set back now and then
        await store.all_left(moment(self._last_known), moment(came_back))
        rows, restored = await store.unfinished(), list[_Restored]()
        idle = moment(came_back - round(1000 * self._settings.idle_kept_s))
        for row in rows:
            if is_left(row, idle):
                continue
            with within_game(row.id):
                try:
                    restored.append(await self._restore(row))
                except LudusError as error:
                    _log.error("Game %s cannot be restored and stays in the database: %s", row.id, error)
        self._opened_at = self.now()
        for each in restored:
            self._go_on(each, self._settings.restart_grace_s)
        if rows:
            _log.warning("%d of %d unfinished games are restored.", len(self.games), len(rows))
        await asyncio.sleep(0)  # so their clocks are handed to the database before the next sign of life is

    async def find(self, game_id: str, address: str = "") -> LiveGame:
        """Return a game, from the database if it is not in memory, and tag the task's log lines with it.

        Args:
            game_id: which one.
            address: where the request comes from; "" for the site itself.

        Raises:
            NotHere: there is no such game.
            Unavailable: it cannot be read now.
        """
        game = self.games.get(game_id)
        if game is None:
            loading = self._loading.get(game_id)
            if loading is None:  # other requests meanwhile get the same game, or the same refusal
                load = self._load(game_id, address)
                loading = self._loading[game_id] = asyncio.create_task(load, context=context_of_game(game_id))
                loading.add_done_callback(lambda _: self._loading.pop(game_id))
            game = await asyncio.shield(loading)
        about_game(game_id)
        return game

    async def _load(self, game_id: str, address: str) -> LiveGame:
        row = await self.store.load(game_id) if len(game_id) <= 32 else None
        if row is None:
            raise NotHere("There is no such game here.")
        return self._go_on(await self._restore(row, address), self._grace_s())

    def _grace_s(self) -> float:
        """Return how long a restored game waits for its bot, which may not be attached yet after a restart."""
        kept = self._settings
        return max(kept.disconnect_grace_s, kept.restart_grace_s - (self.now() - self._opened_at) / 1000)

    async def drain(self, goodbye: Close) -> None:
        """Open nothing more, close every game's sockets, and stop the bots; nothing is lost."""
        self._draining = True
        tasks = [task for tasks in self._playing_bots.values() for task in tasks]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*(game.close(goodbye) for game in self.games.values()))
        await asyncio.gather(*tasks, return_exceptions=True)  # which may wait for bots to end their sessions
        if self._store:
            with contextlib.suppress(Unavailable, TimeoutError):  # a database that refuses must not keep the site
                await asyncio.wait_for(self._store.beat(moment(self.now())), LAST_BEAT_S)
        self._store = None

    def close(self) -> None:
        """Stop the worker threads."""
        self._openings.close()
        self._loads.close()

    async def open_table(
        self,
        spec: str,
        config: BoardConfig,
        kind: str,
        seats: tuple[SeatRow, SeatRow],
        control: TimeControl | None,
        *,
        rated: bool = False,
        former: LiveGame | None = None,
        opener: str = "",
    ) -> LiveGame:
        """Prepare a game, store it, and start its bots.

        Args:
            spec: the game's name.
            config: the game, and its board.
            kind: see `GameRow`.
            seats: of both sides.
            control: None: no clocks.
            rated: whether the game is rated.
            former: the game of which this one is the rematch.
            opener: the address that the game counts for; "" for the site itself.

        Raises:
            BadInput: the game cannot begin with this setup.
            TooOften: the address has opened too many games.
            Unavailable: there is no room for one more game, or the database refuses.
        """
        self.must_be_open()
        with self._limits.taken(opener):
            prepare = partial(_prepared, spec, former.row.setup) if former else partial(_drawn, spec, config.setup)
            start = await self._openings.do(opener, prepare)
            waiting = any(seat.kind == "open" for seat in seats)
            table = new_table(start, control, waiting=waiting, max_plies=self._settings.max_plies)
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
                initial_ms=control.initial_ms if control else None,
                increment_ms=control.increment_ms if control else None,
                preset=control.preset if control else None,
                series=former.row.series if former else game_id,
                score_0=former.score[1] if former else 0.0,
                score_1=former.score[0] if former else 0.0,
                created_at=now,
                left_at=now,
                seats=seats,
                progress=progress_of(table),
            )
            await self.store.add(row)
            about_game(game_id)
            _log.info("Game %s is opened: %s.", game_id, spec)
            game = self._enter(row, table, self._settings.disconnect_grace_s)
        game.opener = opener
        return game

    async def _restore(self, row: GameRow, address: str = "") -> _Restored:
        """Build a game from its rows, for somebody at an address; raises LudusError."""

        def play_again() -> Table:
            return table_of(row, _prepared(row.spec, row.setup), self._settings.max_plies)

        return row, await self._loads.do(address, play_again), await self.store.evaluations(row.id)

    def _go_on(self, restored: _Restored, grace_s: float) -> LiveGame:
        """Let a game from the database go on; its clock, if it runs, stood since the site was last known to run."""
        row, table, evaluations = restored
        goes_on = self.now() + round(1000 * self._settings.return_grace_s)
        game = self._enter(row, gone_on(table, self._last_known, goes_on), grace_s)
        game.opened = True
        game.evaluations = {ply: found for ply, found in evaluations.items() if ply <= len(table.moves)}
        game.keep_clock()
        return game

    def _enter(self, row: GameRow, table: Table, grace_s: float) -> LiveGame:
        kept = self._settings
        patience_s = kept.claim_after_s if table.control else kept.claim_untimed_after_s
        game = LiveGame(row, table, self.store, self.now, round(1000 * patience_s), kept.safety.chat)
        self.games[game.id] = game
        game.listeners += [self._hear, *self.listeners]
        game.set_alarms()
        if not table.over and not table.waiting:
            self._let_bots_play(game, grace_s)
        return game

    def _let_bots_play(self, game: LiveGame, grace_s: float) -> None:
        sides = [side for side in (0, 1) if game.seats[side].kind == "bot"]
        for side in sides:
            bgs_id = game.id if len(sides) == 1 else f"{game.id}_{side}"
            player = BotPlayer(game, side, self._bots, bgs_id, grace_s)
            task = asyncio.create_task(player.run(), name=f"bot at game {bgs_id}", context=context_of_game(game.id))
            self._playing_bots.setdefault(game.id, []).append(task)

    def _hear(self, game: LiveGame, event: Event) -> None:
        if isinstance(event, Changed) and (result := event.after.result) and not event.before.over:
            with within_game(game.id):
                winner = "nobody" if result.winner is None else f"side {result.winner}"
                _log.info("Game %s is over: won by %s (%s).", game.id, winner, result.reason)
        if isinstance(event, Changed) and event.after.rematch_agreed and not event.before.rematch_agreed:
            game.begin(self._follow(game))

    async def _follow(self, game: LiveGame) -> None:
        """Open the agreed rematch, with sides swapped; the persons' tokens stay valid."""
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
                row.spec, config, row.kind, (first, second), control, rated=row.rated, former=game, opener=game.opener
            )
            await game.note_rematch(following.id)
            game.publish(RematchOpened(following.id))
        except LudusError as error:
            game.publish(Notice(f"There will be no rematch now. {error}"))
            await game.do(lambda table, _now: replace(table, offers=()))

    async def evict(self, game: LiveGame) -> None:
        """Evict a game to the database, unless somebody is here or something of it is still being written.

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
            _log.info("Game %s is evicted.", game.id)

    def must_be_open(self) -> None:
        """Raise Unavailable while the site is about to stop."""
        if self._draining:
            raise Unavailable("The site is being restarted; try again in a minute.")


def _prepared(spec: str, setup: object) -> Position:
    """Return a first position whose drawings and those of its successors are cached; it may take long."""
    start = table_game(spec).start(setup)
    if start.outcome:
        raise BadInput(f"This position is the end of a game ({start.outcome.reason}); choose another.")
    start.describe()
    if start.actions:
        start.play(start.actions[0]).describe()
    return start


def _drawn(spec: str, setup: object) -> Position:
    """Return the same for a new game, which may draw its setup if none is given."""
    return _prepared(spec, table_game(spec).draw_setup(np.random.default_rng()) if setup is None else setup)
