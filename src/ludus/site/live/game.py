"""A game being played: its table, seats and sockets; every change is written before anybody sees it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine, Hashable
from typing import Any, TypeVar

from msgspec.structs import replace

from ludus.errors import LudusError, Unavailable
from ludus.games.board import Board
from ludus.games.game import Position
from ludus.site.database.games import GameStore
from ludus.site.database.records import Evaluation, GameRow, SeatRow
from ludus.site.faults import Close, NotYours, SeatTaken
from ludus.site.live.broadcast import Changed, Evaluated, Event, Notice, Said, Seated, Shared, Watcher
from ludus.site.live.presence import Now, Presence, Timer
from ludus.site.operations.logs import context_of_game, within_game
from ludus.site.safety.limits import RateLimit, RateLimiter
from ludus.site.safety.secrets import is_same
from ludus.site.table.rows import milliseconds, moment, move_row, num_shared, progress_of
from ludus.site.table.table import Table

_log = logging.getLogger(__name__)

SLOW_S = 2.0
"""After so long a wait for the database the people at the table are told."""
_SLOW = Notice("The site's database is slow at the moment; what you did waits for it and will be seen.")

MAX_ASKED_AGAIN = 8
"""After a takeback to so many moves at most, bots are asked about every position again, as wallgame.io's contract says;
in longer games nobody should have to wait for that."""

MAX_SPEAKERS = 1000
"""Of whom a game remembers how much they have said."""

DRAWN = 4
"""Drawings that a game remembers: of what stands there, what others see of half a move, and the positions before them,
for which pages ask that want to know what the latest move has changed."""

Change = Callable[[Table, int], Table]
"""Makes another table of this one, at a moment; raises BadInput and changes nothing."""
_Made = TypeVar("_Made")


class LiveGame:
    """One game in memory; all changes pass through `do`, one after the other."""

    def __init__(
        self, row: GameRow, table: Table, store: GameStore, now: Now, patience_ms: int, chat: RateLimit
    ) -> None:
        """Take a game as the database has it.

        Args:
            row: what does not change, and the seats.
            table: the present state.
            store: where every change is written.
            now: the site's clock.
            patience_ms: how long a person may be away before the other side may claim the game.
            chat: the rate limit of each speaker.
        """
        self.row = row
        self.table = table
        self.seats = row.seats
        self.rematch = row.progress.rematch
        self.evaluations: dict[int, Evaluation] = {}
        """By the number of moves before the position."""
        self.listeners: list[Callable[[LiveGame, Event], None]] = []
        """Are told of every event besides the sockets: bots, lists, ratings."""
        self.opener = ""
        """The address for which it counts: from which it was opened, or its host came last; "" while none is known."""
        self.opened = False
        """Whether somebody ever had a socket here."""
        self.last_seen = now()
        """When something was played, or somebody was here."""
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
        self._drawn: list[tuple[Position, Board]] = []
        self._breath = RateLimiter(chat, lambda: self.now() / 1000, MAX_SPEAKERS)
        self._store = store
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
        """Return whether somebody has a socket here."""
        return bool(self.presence.watchers)

    @property
    def writing(self) -> bool:
        """Return whether something of it is not in the database yet."""
        return bool(self._tasks)

    def connected(self, side: int) -> bool:
        """Return whether the person of a side is here; bots always are."""
        return self.seats[side].kind == "bot" or self.presence.has(side)

    def _may_claim(self) -> bool:
        """Return whether the game can be claimed: not while it can be aborted; bots have a grace instead."""
        persons = all(seat.kind == "person" for seat in self.seats)
        return persons and not self._closed and self.table.to_play is not None and not self.table.can_abort

    def side_of(self, token: str | None) -> int | None:
        """Return the side of a seat's token; None without a token.  Raises NotYours if no seat has it."""
        if token is None:
            return None
        sides = [side for side in (0, 1) if is_same(token, self.seats[side].token_hash or "")]
        if not sides:
            raise NotYours("This seat belongs to somebody else; open the game without a token to watch it.")
        return sides[0]

    @property
    def score(self) -> tuple[float, float]:
        """Return the points of both sides in this row of rematches, this game included."""
        result = self.table.result
        points = (0.0, 0.0)
        if result and result.reason != "aborted":
            points = (0.5, 0.5) if result.winner is None else (1.0 - result.winner, 0.0 + result.winner)
        return self.row.score_0 + points[0], self.row.score_1 + points[1]

    def shared(self, key: Hashable, make: Callable[[], _Made]) -> _Made:
        """Return what `make` makes of the present game, once for all sockets of this key; see `Shared.get`."""
        clock = self.table.clock
        return self._shared.get(key, self.now() if clock and clock.running is not None else None, make)

    def drawn(self, position: Position) -> Board:
        """Return the drawing of a position, drawn once for all: it takes long on a large board."""
        board = next((board for known, board in self._drawn if known is position), None)
        if board is None:
            board = position.describe()
        others = [pair for pair in self._drawn if pair[0] is not position]
        self._drawn = [(position, board), *others[: DRAWN - 1]]
        return board

    async def do(self, change: Change) -> None:
        """Change the table, write it, and then tell everybody; the change goes on if the caller is cancelled.

        Raises:
            BadInput: the change is not allowed, and nothing was changed.
            Unavailable: the game is closed, here at least.
        """
        await self.undisturbed(self._do(change, self.now()))

    async def undisturbed(self, work: Coroutine[Any, Any, None]) -> None:
        """Finish some work even if the caller is cancelled; raises Unavailable if the game is closed."""
        if self._closed:
            work.close()
            raise Unavailable(f"{self._closed.reason}; try again in a moment.")
        await asyncio.shield(self.begin(work))

    def begin(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Start some work that is finished before the game is closed."""
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
                _log.error("A change of game %s failed.", self.id, exc_info=error)

    async def _do(self, change: Change, now: int) -> None:
        async with self._turn:
            flagged = self.table.flag(now)
            if flagged is not self.table:
                await self._commit(flagged, now)
            changed = change(self.table, now)
            if changed is not self.table:
                await self._commit(changed, now)

    async def _commit(self, after: Table, now: int) -> None:
        before, began = self.table, self.now()
        kept = num_shared(before, after)
        rows = [move_row(move) for move in after.moves[kept:]]
        slow = asyncio.get_running_loop().call_later(SLOW_S, self.publish, _SLOW)
        try:
            await self._store.save(self.id, progress_of(after, self.rematch), kept, rows)
            after, late_ms = self._as_seen(after, now, began)
            if late_ms >= 1000 * SLOW_S:  # or a restart would charge it
                await self._store.save(self.id, progress_of(after, self.rematch), len(after.moves), [])
        finally:
            slow.cancel()
        self.table = after
        self.last_seen = now
        if kept < len(before.moves):  # taken back
            last = kept if kept > MAX_ASKED_AGAIN else -1
            self.evaluations = {ply: found for ply, found in self.evaluations.items() if ply <= last}
        self.set_alarms()
        self.presence.await_claims()
        self.publish(Changed(before, after))

    def _as_seen(self, after: Table, now: int, began: int) -> tuple[Table, int]:
        """Return the table with the clock stopped while the change was not visible yet, and for how many milliseconds.

        Args:
            after: the changed table.
            now: when the change was asked for; a clock that it starts runs from when everybody sees it.
            began: when writing began; if that was slow, a clock that was running stands from then on.
        """
        clock, seen = after.clock, self.now()
        was_slow = seen - began >= 1000 * SLOW_S
        if clock is None or clock.running is None or not (was_slow or clock.since == now):
            return after, 0
        stopped = now if clock.since == now else began
        return replace(after, clock=clock.stood(stopped, seen)), seen - stopped

    async def seat(self, side: int, seat: SeatRow) -> None:
        """Fill an open seat, which begins the game; raises SeatTaken or Unavailable."""

        async def sit() -> None:
            async with self._turn:
                if self.seats[side].kind != "open" or self.table.over:
                    raise SeatTaken("This seat is taken.")
                after = replace(self.table, waiting=False)
                await self._store.take_seat(self.id, side, seat, progress_of(after))
                before, self.table = self.table, after
                self._sit(side, seat)
                self.last_seen = self.now()
                self.publish(Changed(before, after))

        await self.undisturbed(sit())

    async def renew_token(self, side: int, token_hash: str) -> None:
        """Replace the token that opens a seat; sockets that came with the old one stay.  Raises Unavailable."""

        async def renew() -> None:
            async with self._turn:
                seat = replace(self.seats[side], token_hash=token_hash)
                await self._store.take_seat(self.id, side, seat, progress_of(self.table, self.rematch))
                self._sit(side, seat)

        await self.undisturbed(renew())

    def _sit(self, side: int, seat: SeatRow) -> None:
        self.seats = (seat, self.seats[1]) if side == 0 else (self.seats[0], seat)

    def keep_clock(self) -> None:
        """Store the clock of a restored game, or the next start would charge the site's absence to it."""
        if self.table.clock and self.table.clock.running is not None:
            self.begin(self._keep_progress())

    async def _keep_progress(self) -> None:
        async with self._turn:
            await self._store.save(self.id, progress_of(self.table, self.rematch), len(self.table.moves), [])

    async def note_rematch(self, game_id: str) -> None:
        """Write which game followed."""
        self.rematch = game_id
        await self._keep_progress()

    def say(self, watcher: Watcher, text: str) -> bool:
        """Publish a line of chat, and return True; return False over the rate limit."""
        if self._breath.take(watcher.speaker):
            return False
        name = f"Spectator {watcher.number}" if watcher.you is None else self.seats[watcher.you].name
        self.publish(Said(text, name, watcher.you, watcher.number, self.now()))
        return True

    def note_evaluation(self, num_moves: int, found: Evaluation, *, tell: bool = True) -> None:
        """Store the evaluation after `num_moves` moves, before any later change.

        Args:
            num_moves: made before the position.
            found: its evaluation.
            tell: False if everybody will see it with the bot's move that follows at once.
        """
        self.evaluations[num_moves] = found
        if tell:
            self.publish(Evaluated())
        else:
            self._shared.forget()
        self.begin(self._keep_evaluation(num_moves, found))

    async def _keep_evaluation(self, num_moves: int, found: Evaluation) -> None:
        async with self._turn:  # who takes back while it is found would find it in the database again
            if self.evaluations.get(num_moves) is not found:
                return
            kept = asyncio.ensure_future(self._store.note_evaluation(self.id, num_moves, found))
            await asyncio.sleep(0)  # so it is handed in before the next change, which need not wait until it is written
        await kept

    async def come(self, watcher: Watcher) -> None:
        """Add a socket; after a restart, the clock goes on when the player to move is back."""
        if self._closed:  # since it was found: a client that reconnects loads it from the database
            watcher.close(self._closed)
            return
        self._presence_changes(self.presence.come, watcher)
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
        """Add or remove a socket, and store it if the first player has come or the last one left."""
        before = self.presence.left_at
        change(watcher)
        after = self.presence.left_at
        if (before is None) != (after is None) and not self._closed:
            self.begin(self._store.note_left(self.id, None if after is None else moment(after)))

    def publish(self, event: Event) -> None:
        """Tell all sockets and listeners."""
        self._shared.forget()
        for watcher in list(self.presence.watchers):
            watcher.hear(event)
        for listener in list(self.listeners):
            listener(self, event)

    async def close(self, goodbye: Close) -> None:
        """Close all sockets, refuse later ones and changes, and finish writing."""
        self._closed = goodbye
        self._flag.set(None)
        self._goes_on.set(None)
        self.presence.close()
        for watcher in list(self.presence.watchers):
            watcher.close(goodbye)
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=SLOW_S)

    def set_alarms(self) -> None:
        """Set alarms for the moments at which the clock begins to run, if it still stands, and at which it is at 0."""
        clock = self.table.clock if not self.table.over and not self._closed else None
        self._flag.set(clock.falls_at if clock else None)
        stands = clock is not None and clock.running is not None and clock.since > self.now()
        self._goes_on.set(clock.since if clock and stands else None)

    def _tell_running(self) -> None:
        """Show everybody that a clock runs that stood after a restart."""
        if self.table.clock and self.table.clock.since > self.now():
            self.set_alarms()  # an alarm may come a moment too early
        else:
            self.publish(Seated())

    def _fall(self) -> None:
        task = self.begin(self._do(lambda table, _now: table, self.now()))
        task.add_done_callback(lambda _task: self.set_alarms())  # an alarm may come a moment too early
