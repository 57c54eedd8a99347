"""Quick pairing: visitors wait, as long as their socket is open, until another one or an open seat fits."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Awaitable, Callable

from msgspec import Struct

from ludus.errors import BadInput, LudusError, Unavailable
from ludus.site.faults import TooOften
from ludus.site.live.game import LiveGame
from ludus.site.lobby.inbox import Inboxes, InboxSocket
from ludus.site.lobby.lists import Lists, has_host
from ludus.site.lobby.pairing import Pair, Seek, pairs, same_board
from ludus.site.lobby.reception import Reception, control_of, side_of
from ludus.site.messages.inbox import EnterPool, LeavePool, PoolState
from ludus.site.messages.lists import PoolEntry
from ludus.site.messages.page import ErrorMessage
from ludus.site.messages.people import RatingInfo
from ludus.site.messages.requests import GameConfig, JoinGame
from ludus.site.people.visitors import Visitor
from ludus.site.settings import SiteSettings
from ludus.site.table.clock import time_class
from ludus.site.wallgame_io.view import told_time

_log = logging.getLogger(__name__)

TICK_S = 1.0
"""How often the site looks for pairs that fit by now, and tells those who wait."""
MAX_WAITING = 200
"""Most people who wait at a time."""


class _Waiter(Struct):
    """A person who waits, with the socket that asked."""

    seek: Seek
    config: GameConfig
    visitor: Visitor
    socket: InboxSocket


class PairingPool:
    """The people who wait for an opponent."""

    def __init__(
        self,
        inboxes: Inboxes,
        reception: Reception,
        lists: Lists,
        settings: SiteSettings,
        *,
        now: Callable[[], int],
        ratings_of: Callable[[str], Awaitable[list[RatingInfo]]],
    ) -> None:
        """Create an empty pool.

        Args:
            inboxes: the sockets of visitors.
            reception: opens games.
            lists: shows who waits, and has the open seats.
            settings: the site's settings.
            now: the site's clock, in milliseconds since 1970.
            ratings_of: returns the ratings of an account; raises Unavailable.
        """
        self._inboxes, self._reception, self._lists, self._settings = inboxes, reception, lists, settings
        self._now, self._ratings_of = now, ratings_of
        self._waiting: dict[str, _Waiter] = {}  # by the visitor's key
        self._unlimited = settings.safety.exempt()
        self._ticks: asyncio.Task[None] | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._is_listed = True  # whether the lists show the present state
        lists.waiting = self._entries
        inboxes.leaving.append(self._hear_leaving)
        inboxes.seated.append(lambda key: self._remove(key))

    async def enter(self, socket: InboxSocket, wish: EnterPool, visitor: Visitor) -> None:
        """Let a visitor wait, in place of any earlier wish.

        Raises:
            NotLoggedIn: a guest asks for a rated game.
            BadInput: the site has no such game.
            TooOften: too many people at the visitor's address wait.
            Unavailable: too many people wait, or the database cannot be read.
        """
        board = {name: getattr(wish.config, name) for name in ("game", "variant", "board_width", "board_height")}
        config = GameConfig(**board, rated=wish.rated)
        controls = tuple(map(control_of, wish.times))
        if any(control and control.days for control in controls):
            raise BadInput("Quick pairing is not for games over days. Offer a seat instead.")
        spec = self._reception.spec_of(config, visitor)
        known = await self._ratings_of(visitor.account_id) if visitor.account_id else []
        game = f"{config.game}:{config.variant}"
        self._must_have_room(socket.key, visitor)
        seek = Seek(
            key=socket.key,
            spec=spec,
            rated=wish.rated,
            controls=controls,
            ratings={each.time_class: each.rating for each in known if each.game == game},
            range=wish.range,
            since=self._now(),
        )
        if socket.closing:
            return
        self._waiting[socket.key] = _Waiter(seek, config, visitor, socket)
        self._is_listed = False
        self._look()
        self._tell()
        if self._waiting and (self._ticks is None or self._ticks.done()):
            self._ticks = asyncio.create_task(self._run(), name="quick pairing")

    async def leave(self, socket: InboxSocket, _message: LeavePool, _visitor: Visitor) -> None:
        """Let a visitor wait no more."""
        self._remove(socket.key)
        self._inboxes.tell(socket.key, PoolState(waiting=False))

    async def close(self) -> None:
        """End all waits, and the games that are being opened."""
        self._waiting = {}
        tasks = [*self._tasks, *([self._ticks] if self._ticks else [])]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _must_have_room(self, key: str, visitor: Visitor) -> None:
        others = [each for other, each in self._waiting.items() if other != key]
        if len(others) >= MAX_WAITING:
            raise Unavailable("Too many people are waiting for an opponent. Try again in a minute.")
        own = sum(each.visitor.address == visitor.address for each in others)
        if visitor.address not in self._unlimited and own >= self._settings.safety.max_tables:
            raise TooOften("Too many people at your address are waiting for an opponent. Try again in a minute.")

    def _hear_leaving(self, socket: InboxSocket) -> None:
        waiting = self._waiting.get(socket.key)
        if waiting and waiting.socket is socket:
            self._remove(socket.key)

    def _remove(self, key: str) -> None:
        if self._waiting.pop(key, None):
            self._is_listed = False

    async def _run(self) -> None:
        """Look for pairs until nobody waits."""
        while self._waiting or not self._is_listed:
            self._look()
            self._tell()
            if not self._is_listed:
                self._is_listed = True
                self._lists.lobby_changed()
            await asyncio.sleep(TICK_S)

    def _tell(self) -> None:
        """Tell everybody who waits how the wait goes on."""
        now, seeks = self._now(), [each.seek for each in self._waiting.values()]
        for seek in seeks:
            others = same_board(seeks, seek)
            self._inboxes.tell(seek.key, PoolState(True, now - seek.since, others, seek.range_at(now)))

    def _look(self) -> None:
        """Take those who fit an open seat, and those who fit each other, out of the pool and into games."""
        now = self._now()
        open_games = [game for game in reversed(self._lists.open_games()) if has_host(game)]
        for waiting in sorted(self._waiting.values(), key=lambda each: each.seek.since):
            game = next((each for each in open_games if self._fits(waiting, each, now)), None)
            if game:
                open_games.remove(game)
                self._begin(self._join(waiting, game), waiting)
        for pair in pairs([each.seek for each in self._waiting.values()], now, self._reception.are_apart):
            both = self._waiting[pair.first.key], self._waiting[pair.second.key]
            self._begin(self._seat(pair, *both), *both)

    def _fits(self, waiting: _Waiter, game: LiveGame, now: int) -> bool:
        row, seek = game.row, waiting.seek
        side, host = next((side, seat) for side, seat in enumerate(game.seats) if seat.host)
        is_own = (host.account_id, host.name) == (waiting.visitor.account_id, waiting.visitor.name)
        same = (row.spec, row.rated, row.setup) == (seek.spec, seek.rated, None) and not row.with_evaluation
        rating = self._lists.rating_of_host(game)
        if self._reception.are_apart(waiting.visitor.person, game.people[side]):
            return False
        return same and not is_own and seek.accepts(game.table.control, rating, now)

    def _begin(self, work: Awaitable[None], *people: _Waiter) -> None:
        for waiting in people:
            self._remove(waiting.seek.key)

        async def attempt() -> None:
            try:
                await work
            except LudusError as error:
                for waiting in people:
                    waiting.socket.tell(ErrorMessage(f"No game could be opened. {error}"))
                    self._inboxes.tell(waiting.seek.key, PoolState(waiting=False))

        task = asyncio.create_task(attempt(), name="opening a paired game")
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _join(self, waiting: _Waiter, game: LiveGame) -> None:
        """Give a person an open seat; if somebody else was faster, the person waits on."""
        placed = await self._reception.join(game, JoinGame(name=waiting.visitor.name), waiting.visitor)
        if placed is None:
            self._wait_on(waiting)
            return
        self._inboxes.seat(waiting.seek.key, placed.told)

    async def _seat(self, pair: Pair, first: _Waiter, second: _Waiter) -> None:
        """Open the game of two people; if one has left meanwhile, the other waits on."""
        people = first.visitor, second.visitor
        seated = await self._reception.seat_both(first.config, pair.control, "lobby", people, side_of(None))
        there = [self._inboxes.has(each.seek.key) for each in (first, second)]
        if not all(there):
            await seated[0].game.do(lambda table, now: table.abort(now))
            for waiting, is_there in zip((first, second), there, strict=True):
                if is_there:
                    self._wait_on(waiting)
            return
        _log.info("Paired two people in game %s, %s.", seated[0].game.id, time_class(pair.control))
        for waiting, placed in zip((first, second), seated, strict=True):
            self._inboxes.seat(waiting.seek.key, placed.told)

    def _wait_on(self, waiting: _Waiter) -> None:
        key = waiting.seek.key
        if self._inboxes.has(key) and key not in self._waiting:
            self._waiting[key] = waiting
            self._is_listed = False

    def _entries(self) -> list[PoolEntry]:
        """Return who waits, for the list of open seats."""
        times = {key: tuple(map(told_time, each.seek.controls)) for key, each in self._waiting.items()}
        alike = Counter((each.seek.spec, each.seek.rated, times[key]) for key, each in self._waiting.items())
        configs = {(each.seek.spec, each.seek.rated): each.config for each in self._waiting.values()}
        return [
            PoolEntry(config.game, config.variant, config.board_width, config.board_height, rated, [*told], people)
            for (spec, rated, told), people in alike.items()
            if (config := configs[spec, rated])
        ]
