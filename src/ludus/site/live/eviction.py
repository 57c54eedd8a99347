"""Eviction: games that nobody looks at are kept, evicted to the database, cancelled, or forfeited."""

import logging
from enum import Enum, auto

from ludus.errors import LudusError, Unavailable
from ludus.site.bots.bots import PRIVATE
from ludus.site.live.game import LiveGame
from ludus.site.live.live_games import LiveGames
from ludus.site.settings import SiteSettings
from ludus.site.table.rows import moment
from ludus.site.table.table import Table


class Eviction(Enum):
    """What is to be done with a game."""

    KEEP = auto()
    EVICT = auto()
    """The database has it; later visitors load it from there."""
    CANCEL = auto()
    """It never began."""
    FORFEIT = auto()
    """Its players have left it for too long."""


def eviction_of(game: LiveGame, now: int, settings: SiteSettings) -> Eviction:
    """Return what is to be done with a game at this moment."""
    table, age_s = game.table, (now - game.last_seen) / 1000
    if table.over:
        return Eviction.EVICT if age_s > settings.finished_kept_s and not game.visited else Eviction.KEEP
    if table.waiting:
        host = next((side for side in (0, 1) if game.seats[side].host), None)
        kept_s = settings.host_gone_s if game.row.kind == "lobby" else settings.waiting_kept_s
        gone = host is None or not game.connected(host)
        if game.opener and not game.opened:  # after a restart nobody knows who had opened it
            kept_s = min(kept_s, settings.unvisited_kept_s)
        return Eviction.CANCEL if gone and age_s > kept_s else Eviction.KEEP
    clock_runs = table.clock is not None and table.clock.running is not None
    left_at = game.presence.left_at
    if clock_runs or left_at is None or all(seat.kind != "person" for seat in game.seats):
        return Eviction.KEEP
    if now - left_at > 1000 * settings.abandoned_after_s:
        return Eviction.FORFEIT
    if game.visited:
        return Eviction.KEEP
    with_bot = game.row.kind in ("bot", PRIVATE)
    if not game.opened and with_bot and age_s > settings.unvisited_kept_s and table.can_abort:
        return Eviction.CANCEL
    return Eviction.EVICT if age_s > settings.idle_kept_s else Eviction.KEEP


_log = logging.getLogger(__name__)

MAX_ENDED = 20
"""Games in the database that are ended in one sweep because everybody has left them."""


class Evictor:
    """Sweeps the live games."""

    def __init__(self, live_games: LiveGames, settings: SiteSettings) -> None:
        self._live_games = live_games
        self._settings = settings

    async def sweep(self) -> None:
        """Evict, cancel and forfeit games as `eviction_of` says; raises Unavailable."""
        now = self._live_games.now()
        for game in list(self._live_games.games.values()):
            match eviction_of(game, now, self._settings):
                case Eviction.EVICT:
                    await self._live_games.evict(game)
                case Eviction.CANCEL:
                    await game.do(lambda table, now: table.abort(now) if table.can_abort else table)
                case Eviction.FORFEIT:
                    await self._abandon(game)
                case Eviction.KEEP:
                    pass
        await self._sweep_database(now)
        finished = [game for game in self._live_games.games.values() if game.table.over and not game.visited]
        finished.sort(key=lambda game: game.last_seen)
        for game in finished[: max(0, len(finished) - self._settings.max_games)]:
            await self._live_games.evict(game)

    async def _sweep_database(self, now: int) -> None:
        """Forfeit evicted games to which nobody came back."""
        left = moment(now - round(1000 * self._settings.abandoned_after_s))
        for game_id in await self._live_games.store.left_before(left, MAX_ENDED):
            if game_id in self._live_games.games:
                continue
            try:
                game = await self._live_games.find(game_id)
            except Unavailable:  # nothing can be read at the moment; a later sweep comes to this game
                raise
            except LudusError as error:
                _log.error("Game %s was abandoned and cannot be restored: %s", game_id, error)
                await self._live_games.store.note_left(game_id, None)  # nobody asks again before the next restart
            else:
                await self._abandon(game)

    async def _abandon(self, game: LiveGame) -> None:
        """End a game that its players have left: a person loses to a bot, else the side to move loses."""
        persons = [side for side in (0, 1) if game.seats[side].kind == "person"]

        def abandoned(table: Table, now: int) -> Table:
            if table.over or game.presence.left_at is None:
                return table
            return table.abandoned(persons[0] if len(persons) == 1 else table.position.to_play, now)

        await game.do(abandoned)
