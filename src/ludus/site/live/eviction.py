"""Decides which unattended games are kept, evicted to the database, aborted or forfeited, and does it."""

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
    """What a sweep does with a game."""

    KEEP = auto()
    EVICT = auto()
    """Remove it from memory; later visitors load it from the database."""
    CANCEL = auto()
    """Abort it, because its players left before it started properly."""
    FORFEIT = auto()
    """End it as lost for one side, because its players have been away for too long."""


def eviction_of(game: LiveGame, now: int, settings: SiteSettings) -> Eviction:
    """Return what a sweep at this time does with a game."""
    table, age_s = game.table, (now - game.last_seen) / 1000
    if table.over:
        return Eviction.EVICT if age_s > settings.finished_kept_s and not game.visited else Eviction.KEEP
    if table.waiting:
        host = next((side for side in (0, 1) if game.seats[side].host), None)
        kept_s = settings.host_gone_s if game.row.kind == "lobby" else settings.waiting_kept_s
        if table.over_days:
            kept_s = settings.days_offered_s
        gone = host is None or not game.connected(host)
        if game.opener and not game.opened:  # the opener is unknown after a restart
            kept_s = min(kept_s, settings.unvisited_kept_s)
        return Eviction.CANCEL if gone and age_s > kept_s else Eviction.KEEP
    clock_runs = table.clock is not None and table.clock.running is not None
    if clock_runs and table.over_days:  # a sweep loads it at its deadline
        return Eviction.EVICT if age_s > settings.idle_kept_s and not game.visited else Eviction.KEEP
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
"""Abandoned games in the database that one sweep ends at most."""


class Evictor:
    """Regularly evicts, aborts and forfeits unattended games."""

    def __init__(self, live_games: LiveGames, settings: SiteSettings) -> None:
        self._live_games = live_games
        self._settings = settings
        self._broken: set[str] = set()  # games at their deadlines that cannot be restored

    async def sweep(self) -> None:
        """Apply `eviction_of` to every live game, then end abandoned games in the database; raises Unavailable."""
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
        await self._flag_evicted(now)
        finished = [game for game in self._live_games.games.values() if game.table.over and not game.visited]
        finished.sort(key=lambda game: game.last_seen)
        for game in finished[: max(0, len(finished) - self._settings.max_games)]:
            await self._live_games.evict(game)

    async def _sweep_database(self, now: int) -> None:
        """End evicted games whose players have been away for too long."""
        left = moment(now - round(1000 * self._settings.abandoned_after_s))
        for game_id in await self._live_games.store.left_before(left, MAX_ENDED):
            if game_id in self._live_games.games:
                continue
            if game := await self._restored(game_id):
                await self._abandon(game)
            else:
                await self._live_games.store.note_left(game_id, None)  # no sweep tries again before the next restart

    async def _flag_evicted(self, now: int) -> None:
        """Load evicted games over days at their deadlines, which ends them."""
        for game_id in await self._live_games.store.due(moment(now), MAX_ENDED, self._broken):
            if game_id not in self._live_games.games and not await self._restored(game_id):
                self._broken.add(game_id)

    async def _restored(self, game_id: str) -> LiveGame | None:
        """Return an evicted game that is to end; log an error and return None if its record is damaged."""
        try:
            return await self._live_games.find(game_id)
        except Unavailable:  # the database is busy; a later sweep retries this game
            raise
        except LudusError as error:
            _log.error("Cannot restore game %s, which is to end: %s", game_id, error)
            return None

    async def _abandon(self, game: LiveGame) -> None:
        """Abort or end an abandoned game: a person loses to a bot; between persons, the side to move loses."""
        persons = [side for side in (0, 1) if game.seats[side].kind == "person"]

        def abandoned(table: Table, now: int) -> Table:
            if table.over or game.presence.left_at is None:
                return table
            return table.abandoned(persons[0] if len(persons) == 1 else table.position.to_play, now)

        await game.do(abandoned)
