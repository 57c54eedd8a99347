"""The lists of open seats and of running games, kept up to date on every subscribed socket."""

from ludus.site.bots.bots import PRIVATE
from ludus.site.faults import Close
from ludus.site.live.broadcast import Changed, Event, Evicted, Outgoing, Seated, encode
from ludus.site.live.game import LiveGame
from ludus.site.live.live_games import LiveGames
from ludus.site.messages.lists import (
    LiveEnd,
    LiveList,
    LiveNews,
    LiveSummary,
    OpenSeats,
    Snapshot,
)
from ludus.site.wallgame_io.view import snapshot, summary

MAX_LINES = 100


class Lists:
    """The lists of open seats and of running games, with their subscribed sockets."""

    def __init__(self, live_games: LiveGames) -> None:
        self._live_games = live_games
        self.lobby: set[Outgoing] = set()
        self.live: set[Outgoing] = set()
        live_games.listeners.append(self._hear)

    def open_seats(self) -> list[Snapshot]:
        """Return the lobby games with an open seat, newest first."""
        waiting = [game for game in self._live_games.games.values() if game.table.waiting and game.row.kind == "lobby"]
        return [snapshot(game) for game in sorted(waiting, key=lambda game: game.row.created_at, reverse=True)]

    def live_games(self) -> list[LiveSummary]:
        """Return the running games, the one with the latest move first."""
        lines = [summary(game) for game in self._live_games.games.values() if _is_live(game)]
        return sorted(lines, key=lambda line: -line.last_move_at)[:MAX_LINES]

    def enter_lobby(self) -> Outgoing:
        """Subscribe a new socket to the list of open seats, and queue the list for it."""
        return _enter(self.lobby, OpenSeats(self.open_seats()))

    def enter_live(self) -> Outgoing:
        """Subscribe a new socket to the list of running games, and queue the list for it."""
        return _enter(self.live, LiveList(self.live_games()))

    def lobby_changed(self) -> None:
        """Queue the list of open seats for all subscribed sockets."""
        message = encode(OpenSeats(self.open_seats()))
        for watcher in self.lobby:
            watcher.send(message)

    def close(self, goodbye: Close) -> None:
        """Close the sockets of both lists."""
        for watcher in self.lobby | self.live:
            watcher.close(goodbye)

    def _hear(self, game: LiveGame, event: Event) -> None:
        if not isinstance(event, Changed | Seated | Evicted) or game.row.kind == PRIVATE:
            return
        if isinstance(event, Changed) and event.before.waiting and not event.after.waiting:
            self.lobby_changed()
        was_live = isinstance(event, Changed) and not event.before.over and not event.before.waiting
        if not self.live or not (was_live or _is_live(game)):
            return
        is_listed = _is_live(game) and not isinstance(event, Evicted)
        text = encode(LiveNews(summary(game)) if is_listed else LiveEnd(game.id))
        for watcher in self.live:
            watcher.send(text)


def _enter(place: set[Outgoing], first: OpenSeats | LiveList) -> Outgoing:
    watcher = Outgoing()
    watcher.send(encode(first))
    place.add(watcher)
    return watcher


def _is_live(game: LiveGame) -> bool:
    return not game.table.over and not game.table.waiting and game.row.kind != PRIVATE
