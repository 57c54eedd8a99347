"""The lists of open seats and of running games, kept up to date on every subscribed socket."""

import asyncio
from collections.abc import Awaitable, Callable, Collection

from msgspec.structs import replace

from ludus.errors import Unavailable
from ludus.site.bots.bots import PRIVATE
from ludus.site.faults import Close
from ludus.site.live.broadcast import Changed, Event, Evicted, Outgoing, Seated, encode
from ludus.site.live.game import LiveGame
from ludus.site.live.live_games import LiveGames
from ludus.site.messages.lists import (
    LiveBoard,
    LiveEnd,
    LiveList,
    LiveNews,
    LiveSummary,
    OpenSeats,
    PoolEntry,
    Snapshot,
)
from ludus.site.messages.people import RatingInfo
from ludus.site.people.ratings import rating_in
from ludus.site.wallgame_io.view import snapshot, summary

MAX_LINES = 100
BOARDS_EVERY_S = 1.0
"""Shortest time between two messages with boards to a socket."""
RatingsOf = Callable[[str], Awaitable[list[RatingInfo]]]
"""Returns the ratings of an account, given its id; raises Unavailable."""


class LiveFeed(Outgoing):
    """A socket that shows the list of running games, and the boards of some of them."""

    def __init__(self, board_of: Callable[[str], str | None]) -> None:
        """Create the queue of a socket; `board_of` returns the message with a game's board, None if it is not live."""
        super().__init__()
        self._board_of = board_of
        self._watched: frozenset[str] = frozenset()
        self._stale: dict[str, None] = {}  # games whose present board the socket does not have
        self._sent_at = -BOARDS_EVERY_S  # when boards were last sent, in the event loop's time
        self._timer: asyncio.TimerHandle | None = None
        self._is_due = False

    def watch(self, games: Collection[str]) -> None:
        """Send the boards of these games from now on, in place of others."""
        before, self._watched = self._watched, frozenset(games)
        self._stale = {each: None for each in self._stale if each in self._watched}
        for game_id in self._watched - before:
            self.changed(game_id)

    def changed(self, game_id: str) -> None:
        """Send a game's board, if the socket watches it."""
        if game_id not in self._watched:
            return
        self._stale[game_id] = None
        if self._timer is None:
            loop = asyncio.get_running_loop()
            self._timer = loop.call_later(self._sent_at + BOARDS_EVERY_S - loop.time(), self._ring)

    def take(self) -> list[str]:
        """Return the queued messages, and the boards if it is time for them."""
        texts = super().take()
        if self._is_due:
            texts += [text for each in self._stale if (text := self._board_of(each))]
            self._stale, self._is_due, self._sent_at = {}, False, asyncio.get_running_loop().time()
        return texts

    def _ring(self) -> None:
        self._timer, self._is_due = None, True
        self.wake.set()


class Lists:
    """The lists of open seats and of running games, with their subscribed sockets."""

    def __init__(self, live_games: LiveGames, ratings_of: RatingsOf) -> None:
        self._live_games = live_games
        self._ratings_of = ratings_of
        self._ratings: dict[str, dict[int, int]] = {}  # by game and side, of the hosts of open seats
        self._hosts: dict[str, bool] = {}  # whether the hosts of open seats were there when the list was last made
        self._lookups: set[asyncio.Task[None]] = set()
        self.waiting: Callable[[], list[PoolEntry]] = list
        """Returns who waits for quick pairing."""
        self.lobby: set[Outgoing] = set()
        self.live: set[LiveFeed] = set()
        live_games.listeners.append(self._hear)

    def open_games(self) -> list[LiveGame]:
        """Return the lobby games with an open seat, newest first."""
        waiting = [game for game in self._live_games.games.values() if game.table.waiting and game.row.kind == "lobby"]
        return sorted(waiting, key=lambda game: game.row.created_at, reverse=True)

    def open_seats(self) -> list[Snapshot]:
        """Return the lobby games with an open seat, newest first, with the ratings that are known so far."""
        waiting = self.open_games()
        self._hosts = {game.id: has_host(game) for game in waiting}
        for game_id in self._ratings.keys() - {game.id for game in waiting}:
            del self._ratings[game_id]
        for game in waiting:
            if game.id not in self._ratings:
                self._look_up(game)
        return [snapshot(game, self._ratings[game.id]) for game in waiting]

    def rating_of_host(self, game: LiveGame) -> int | None:
        """Return the rating of the host of an open seat; None if it has none, or if it is not known yet."""
        return next(iter(self._ratings.get(game.id, {}).values()), None)

    def live_games(self) -> list[LiveSummary]:
        """Return the running games, the one with the latest move first."""
        lines = [summary(game) for game in self._live_games.games.values() if _is_live(game)]
        return sorted(lines, key=lambda line: -line.last_move_at)[:MAX_LINES]

    def enter_lobby(self) -> Outgoing:
        """Subscribe a new socket to the list of open seats, and queue the list for it."""
        watcher = Outgoing()
        watcher.send(encode(OpenSeats(self.open_seats(), self.waiting())))
        self.lobby.add(watcher)
        return watcher

    def enter_live(self) -> LiveFeed:
        """Subscribe a new socket to the list of running games, and queue the list for it."""
        watcher = LiveFeed(self._board_of)
        watcher.send(encode(LiveList(self.live_games())))
        self.live.add(watcher)
        return watcher

    def lobby_changed(self) -> None:
        """Queue the list of open seats for all subscribed sockets."""
        message = encode(OpenSeats(self.open_seats(), self.waiting()))
        for watcher in self.lobby:
            watcher.send(message)

    def close(self, goodbye: Close) -> None:
        """Close the sockets of both lists."""
        for watcher in self.lobby | self.live:
            watcher.close(goodbye)

    def _hear(self, game: LiveGame, event: Event) -> None:
        if not isinstance(event, Changed | Seated | Evicted) or game.row.kind == PRIVATE:
            return
        is_filled = isinstance(event, Changed) and event.before.waiting and not event.after.waiting
        if is_filled or (game.id in self._hosts and has_host(game) != self._hosts[game.id]):
            self.lobby_changed()
        was_live = isinstance(event, Changed) and not event.before.over and not event.before.waiting
        if not self.live or not (was_live or _is_live(game)):
            return
        is_listed = _is_live(game) and not isinstance(event, Evicted)
        text = encode(LiveNews(summary(game)) if is_listed else LiveEnd(game.id))
        for watcher in self.live:
            watcher.send(text)
            if isinstance(event, Changed):
                watcher.changed(game.id)

    def _board_of(self, game_id: str) -> str | None:
        """Return the message with the present board of a running game; None if it is in no list."""
        game = self._live_games.games.get(game_id)
        if game is None or not _is_live(game):
            return None

        def make() -> str:
            board = game.boards.shown(game.table.at(game.table.settled))
            return encode(LiveBoard(game_id, replace(board, choices=[])))

        return game.shared("thumbnail", make)

    def _look_up(self, game: LiveGame) -> None:
        """Find the rating of the host of an open seat in the background, and send the list again."""
        self._ratings[game.id] = {}
        host = next((side for side in (0, 1) if game.seats[side].account_id), None)
        if host is None:
            return

        async def look() -> None:
            try:
                known = await self._ratings_of(game.seats[host].account_id or "")
            except Unavailable:  # the list shows no rating
                return
            found = rating_in(known, game.row.game, game.row.variant, game.table.control)
            if found is not None and game.id in self._ratings:
                self._ratings[game.id] = {host: found}
                self.lobby_changed()

        task = asyncio.create_task(look())
        self._lookups.add(task)
        task.add_done_callback(self._lookups.discard)


def has_host(game: LiveGame) -> bool:
    """Return whether the host of an open seat is there."""
    return any(seat.host and game.connected(side) for side, seat in enumerate(game.seats))


def _is_live(game: LiveGame) -> bool:
    return not game.table.over and not game.table.waiting and game.row.kind != PRIVATE
