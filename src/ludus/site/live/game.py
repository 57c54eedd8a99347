"""One game in memory: its state, seats and sockets; stores every change before broadcasting it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine, Hashable
from functools import partial
from typing import Any, TypeVar

from msgspec.structs import replace

from ludus.errors import LudusError, Unavailable
from ludus.games.about import Named
from ludus.site.database.games import GameStore
from ludus.site.database.records import Evaluation, GameRow, SeatRow
from ludus.site.faults import Close, NotYours, SeatTaken
from ludus.site.live.boards import Boards, Drawn, draw, shown_of
from ludus.site.live.broadcast import Changed, Evaluated, Event, Notice, Seated, Shared, Stall, Watcher
from ludus.site.live.browser_seat import BrowserSeat
from ludus.site.live.chat import GameChat, Silence
from ludus.site.live.presence import Now, Presence, Timer
from ludus.site.operations.logs import context_of_game, within_game
from ludus.site.safety.fair_queue import WorkerThreads
from ludus.site.safety.limits import RateLimit
from ludus.site.safety.secrets import is_same
from ludus.site.table.rows import milliseconds, moment, move_row, num_shared, progress_of
from ludus.site.table.table import Table

_log = logging.getLogger(__name__)

SLOW_S = 2.0
"""After waiting this long for the database, a game notifies its players and spectators."""
_SLOW = Notice("The site's database is slow at the moment. Moves appear as soon as they are stored.")


Change = Callable[[Table, int], Table]
"""A function of the table and the time in milliseconds; it returns the changed table, or raises BadInput."""
_Made = TypeVar("_Made")


class LiveGame:
    """One game in memory; all changes go through `do`, one at a time."""

    def __init__(
        self,
        row: GameRow,
        table: Table,
        drawn: Drawn,
        store: GameStore,
        threads: WorkerThreads,
        now: Now,
        patience_ms: int,
        chat: RateLimit,
        silence: Silence,
    ) -> None:
        """Load a game from its database row.

        Args:
            row: the game's seats and its unchanging properties.
            table: the game's present state.
            drawn: the result of `boards.draw` for the table.
            store: the database's games.
            threads: the worker threads that apply the game's rules.
            now: the site's clock.
            patience_ms: how long a player may be away before the opponent may claim the game.
            chat: the rate limit of each speaker in the chat.
            silence: tells which speakers are silenced.
        """
        self.row = row
        self.table = table
        self.seats = row.seats
        self.rematch = row.progress.rematch
        self.stalls: dict[int, Stall] = {}
        """The bots that do not answer, by side."""
        self.strengths: dict[int, tuple[str, str]] = {}
        """The bots' measured ratings, and how they were measured, by side."""
        self.evaluations: dict[int, Evaluation] = {}
        """Evaluations by the number of moves before the position."""
        self.terms: list[Named] = []
        """What is played: rules, board, and what else was agreed."""
        self.rating_changes: tuple[tuple[float, float], tuple[float, float]] | None = None
        """Both sides' ratings before and after the game; None until the game has changed them."""
        self.listeners: list[Callable[[LiveGame, Event], None]] = []
        """Functions that are called with every event: of bot players, lists and ratings."""
        self.browser_bot: BrowserSeat | None = None
        """The seat of a bot that thinks in its opponent's browser."""
        self.num_evaluating = 0
        """The number of spectators who see evaluations of the unfinished game."""
        self.people = [f"account {seat.account_id}" if seat.account_id else "" for seat in row.seats]
        """The people of the seats, see `Visitor.person`; "" if unknown, as for guests after a restart."""
        self.opener = ""
        """The address whose limits the game counts for, that of the host's latest socket; "" if it is unknown."""
        self.opened = False
        """Whether a socket ever connected to the game."""
        self.last_seen = now()
        """When the game last changed, or a socket connected or disconnected."""
        self.now = now
        self.presence = Presence(
            lambda: self.now(),
            patience_ms,
            milliseconds(row.left_at) if row.left_at else now(),
            may_claim=self._may_claim,
            tell=lambda: self.publish(Seated()),
            context=context_of_game(row.id),
        )
        self._shared = Shared()
        self.boards = Boards(table, drawn)
        self.chat = GameChat(chat, silence, lambda: self.now(), lambda side: self.seats[side].name, self.publish)
        self._store = store
        self._threads = threads
        self._turn = asyncio.Lock()
        self._tasks: set[asyncio.Task[Any]] = set()
        self._flag = Timer(lambda: self.now(), self._fall, context_of_game(row.id))
        self._goes_on = Timer(lambda: self.now(), self._tell_running, context_of_game(row.id))
        self._closed: Close | None = None

    @property
    def id(self) -> str:
        """Return the game's id."""
        return self.row.id

    @property
    def visited(self) -> bool:
        """Return whether any socket is connected."""
        return bool(self.presence.watchers)

    @property
    def writing(self) -> bool:
        """Return whether database writes are pending."""
        return bool(self._tasks)

    def connected(self, side: int) -> bool:
        """Return whether the player of a side is connected; always true for bots."""
        return self.seats[side].kind == "bot" or self.presence.has(side)

    def _may_claim(self) -> bool:
        """Return whether absence can be claimed: between persons, not over days, and not while it can be aborted."""
        persons = all(seat.kind == "person" for seat in self.seats)
        is_on = self.table.to_play is not None and not self.table.can_abort and not self.table.over_days
        return persons and is_on and not self._closed

    def side_of(self, token: str | None) -> int | None:
        """Return the side whose seat has this token; None without a token.  Raises NotYours for a wrong token."""
        if token is None:
            return None
        sides = [side for side in (0, 1) if is_same(token, self.seats[side].token_hash or "")]
        if not sides:
            raise NotYours("This token opens no seat of this game. Open the game without a token to watch it.")
        return sides[0]

    @property
    def score(self) -> tuple[float, float]:
        """Return the points of both sides in this series of rematches, including this game."""
        result = self.table.result
        points = (0.0, 0.0)
        if result and result.reason != "aborted":
            points = (0.5, 0.5) if result.winner is None else (1.0 - result.winner, 0.0 + result.winner)
        return self.row.score_0 + points[0], self.row.score_1 + points[1]

    def shared(self, key: Hashable, make: Callable[[], _Made]) -> _Made:
        """Return the cached result of `make` for the game's present state, shared by key; see `Shared.get`."""
        clock = self.table.clock
        return self._shared.get(key, self.now() if clock and clock.running is not None else None, make)

    async def do(self, change: Change) -> None:
        """Change the table, store it, and broadcast the change; this continues even if the caller is cancelled.

        Args:
            change: a change that takes little time, since the event loop makes it.

        Raises:
            BadInput: the change is not allowed; nothing was changed.
            Unavailable: the database cannot be written, or the game was evicted or closed.
        """
        await self.undisturbed(self._do(change, self.now()))

    async def play(self, move: Change, address: str = "") -> None:
        """Change the table by a move, like `do`, but in a worker thread; `address` is for fair queuing."""
        await self.undisturbed(self._do(move, self.now(), address or self._payer))

    @property
    def _payer(self) -> str:
        """Return the key of the game's own work in the fair queue: the opener's address, if it is known."""
        return self.opener or f"game {self.id}"

    async def undisturbed(self, work: Coroutine[Any, Any, None]) -> None:
        """Run a coroutine to its end even if the caller is cancelled; raises Unavailable if the game is closed."""
        if self._closed:
            work.close()
            raise Unavailable(f"{self._closed.reason}. Try again in a few seconds.")
        await asyncio.shield(self.begin(work))

    def begin(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Run a coroutine in the background; `close` waits for it."""
        with within_game(self.id):
            task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)
        return task

    def _done(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        error = None if task.cancelled() else task.exception()
        if error and not isinstance(error, LudusError):
            with within_game(self.id):
                _log.error("A background task of game %s failed.", self.id, exc_info=error)

    async def _do(self, change: Change, now: int, address: str | None = None) -> None:
        """Make a change, in a worker thread if there is an address; later changes of the game wait for it."""
        async with self._turn:
            flagged = self.table.flag(now)
            if flagged is not self.table:
                await self._commit(flagged, now)
            table, known = self.table, self.boards.drawn

            def played() -> tuple[Table, Drawn]:
                after = change(table, now)
                return after, known if after is table else draw(after, known)

            after, drawn = (change(table, now), None) if address is None else await self._threads.do(address, played)
            if after is not table:
                await self._commit(after, now, drawn)

    def stall(self, side: int, stall: Stall | None) -> None:
        """Record and broadcast that the bot of a side does not answer, or that it answers again (None)."""
        self.stalls.pop(side, None)
        if stall:
            self.stalls[side] = stall
        self.publish(Seated())

    async def _commit(self, after: Table, now: int, drawn: Drawn | None = None) -> None:
        known = drawn or self.boards.drawn
        if not all(each in known for each in shown_of(after)):  # after a takeback
            known = await self._threads.do(self._payer, partial(draw, after, known))
        before, began = self.table, self.now()
        kept = num_shared(before, after)
        rows = [move_row(move) for move in after.moves[kept:]]
        slow = asyncio.get_running_loop().call_later(SLOW_S, self.publish, _SLOW)
        try:
            await self._store.save(self.id, progress_of(after, self.rematch), kept, rows)
            after, late_ms = self._as_seen(after, now, began)
            if late_ms >= 1000 * SLOW_S:  # otherwise a restart would subtract the delay from the clock
                await self._store.save(self.id, progress_of(after, self.rematch), len(after.moves), [])
        finally:
            slow.cancel()
        self.table = after
        self.boards.show(after, known)
        self.last_seen = now
        if kept < len(before.moves):  # taken back
            self.evaluations = {ply: found for ply, found in self.evaluations.items() if ply <= kept}
        self.set_alarms()
        self.presence.await_claims()
        self.publish(Changed(before, after))

    def _as_seen(self, after: Table, now: int, began: int) -> tuple[Table, int]:
        """Remove the delay of the database write from the table's clock; also return the delay in milliseconds.

        Args:
            after: the changed table.
            now: when the change was requested; a clock that the change starts runs only after the write.
            began: when the write began; after a slow write, a clock that was already running is set back to this time.
        """
        clock, seen = after.clock, self.now()
        was_slow = seen - began >= 1000 * SLOW_S
        if clock is None or clock.running is None or not (was_slow or clock.since == now):
            return after, 0
        stopped = now if clock.since == now else began
        return replace(after, clock=clock.stood(stopped, seen)), seen - stopped

    async def seat(self, side: int, seat: SeatRow) -> None:
        """Fill an open seat, which starts the game; raises SeatTaken or Unavailable."""

        async def sit() -> None:
            async with self._turn:
                if self.seats[side].kind != "open" or self.table.over:
                    raise SeatTaken("This seat is already taken.")
                after = self.table.seated(self.now())
                await self._store.take_seat(self.id, side, seat, progress_of(after))
                before, self.table = self.table, after
                self._sit(side, seat)
                self.last_seen = self.now()
                self.set_alarms()
                self.publish(Changed(before, after))

        await self.undisturbed(sit())

    async def renew_token(self, side: int, token_hash: str) -> None:
        """Replace a seat's token; sockets that connected with the old one stay connected.  Raises Unavailable."""

        async def renew() -> None:
            async with self._turn:
                seat = replace(self.seats[side], token_hash=token_hash)
                await self._store.take_seat(self.id, side, seat, progress_of(self.table, self.rematch))
                self._sit(side, seat)

        await self.undisturbed(renew())

    def _sit(self, side: int, seat: SeatRow) -> None:
        self.seats = (seat, self.seats[1]) if side == 0 else (self.seats[0], seat)

    def keep_clock(self) -> None:
        """Store the clock of a restored game, so that the next start does not subtract the downtime from it."""
        if self.table.clock and self.table.clock.running is not None:
            self.begin(self._keep_progress())

    async def _keep_progress(self) -> None:
        async with self._turn:
            await self._store.save(self.id, progress_of(self.table, self.rematch), len(self.table.moves), [])

    async def note_rematch(self, game_id: str) -> None:
        """Store the id of the rematch."""
        self.rematch = game_id
        await self._keep_progress()

    def note_evaluation(self, num_moves: int, found: Evaluation) -> None:
        """Record and broadcast a position's evaluation, and queue it for the database ahead of later changes.

        Args:
            num_moves: the number of moves before the position.
            found: the position's evaluation.
        """
        self.evaluations[num_moves] = found
        self.publish(Evaluated())
        self.begin(self._keep_evaluation(num_moves, found))

    async def _keep_evaluation(self, num_moves: int, found: Evaluation) -> None:
        async with self._turn:  # a takeback may have removed the evaluation meanwhile; then it is not stored
            if self.evaluations.get(num_moves) is not found:
                return
            kept = asyncio.ensure_future(self._store.note_evaluation(self.id, num_moves, found))
            await asyncio.sleep(0)  # queue the write before the next change, without waiting until it is done
        await kept

    async def come(self, watcher: Watcher) -> None:
        """Add a socket; if clocks are paused after a restart, the return of the player to move starts them."""
        if self._closed:  # closed after the caller had found it; a client that reconnects loads it from the database
            watcher.close(self._closed)
            return
        self._presence_changes(self.presence.come, watcher)
        if watcher.you is not None and watcher.person and not self.seats[watcher.you].account_id:
            self.people[watcher.you] = watcher.person
        self.opened = True
        self.last_seen = self.now()
        clock, now = self.table.clock, self.now()
        if clock and clock.running is not None and clock.running == watcher.you and clock.since > now:
            await self.do(lambda table, now: replace(table, clock=table.clock and replace(table.clock, since=now)))
        self.publish(Seated())

    def go(self, watcher: Watcher) -> None:
        """Remove a socket."""
        if watcher in self.presence.watchers:
            self._presence_changes(self.presence.go, watcher)
            self.last_seen = self.now()
            self.publish(Seated())

    def _presence_changes(self, change: Callable[[Watcher], None], watcher: Watcher) -> None:
        """Add or remove a socket; store the time when the last player leaves, and clear it when one returns."""
        before = self.presence.left_at
        change(watcher)
        after = self.presence.left_at
        if (before is None) != (after is None) and not self._closed:
            self.begin(self._store.note_left(self.id, None if after is None else moment(after)))

    def publish(self, event: Event) -> None:
        """Broadcast an event to all sockets and listeners."""
        self._shared.forget()
        for watcher in list(self.presence.watchers):
            watcher.hear(event)
        for listener in list(self.listeners):
            listener(self, event)

    async def close(self, goodbye: Close) -> None:
        """Close all sockets, refuse later sockets and changes, and wait for pending database writes."""
        self._closed = goodbye
        self._flag.set(None)
        self._goes_on.set(None)
        self.presence.close()
        for watcher in list(self.presence.watchers):
            watcher.close(goodbye)
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=SLOW_S)

    def set_alarms(self) -> None:
        """Set the timers for the end of a clock's pause and for its reaching 0."""
        clock = self.table.clock if not self.table.over and not self._closed else None
        self._flag.set(clock.falls_at if clock else None)
        stands = clock is not None and clock.running is not None and clock.since > self.now()
        self._goes_on.set(clock.since if clock and stands else None)

    def _tell_running(self) -> None:
        """Broadcast that the clock runs again after its pause."""
        if self.table.clock and self.table.clock.since > self.now():
            self.set_alarms()  # the timer may fire slightly early
        else:
            self.publish(Seated())

    def _fall(self) -> None:
        task = self.begin(self._do(lambda table, _now: table, self.now()))
        task.add_done_callback(lambda _task: self.set_alarms())  # the timer may fire slightly early
