"""Looks after the games that nobody looks at: puts them away, calls them off, or ends them."""

import logging

from ludus.errors import LudusError, Unavailable
from ludus.site.fate import Fate, abandoned, fate_of
from ludus.site.game import LiveGame
from ludus.site.hall import Hall
from ludus.site.keeping import moment
from ludus.site.settings import SiteSettings

_log = logging.getLogger(__name__)

MAX_ENDED = 20
"""Games in the database that are ended in one sweep because everybody has left them."""


class Caretaker:
    """Goes round the hall now and then."""

    def __init__(self, hall: Hall, settings: SiteSettings) -> None:
        self._hall = hall
        self._settings = settings

    async def sweep(self) -> None:
        """Put away what nobody needs in memory, and call off what never began; raises Unavailable."""
        now = self._hall.now()
        for game in list(self._hall.games.values()):
            match fate_of(game, now, self._settings):
                case Fate.PUT_AWAY:
                    await self._hall.put_away(game)
                case Fate.CALL_OFF:
                    await game.do(lambda table, now: table.abort(now) if table.can_abort else table)
                case Fate.ABANDON:
                    await self._abandon(game)
                case Fate.STAY:
                    pass
        await self._sweep_database(now)
        finished = [game for game in self._hall.games.values() if game.table.over and not game.visited]
        finished.sort(key=lambda game: game.last_seen)
        for game in finished[: max(0, len(finished) - self._settings.max_games)]:
            await self._hall.put_away(game)

    async def _sweep_database(self, now: int) -> None:
        """End the games that were put away and to which nobody came back."""
        left = moment(now - round(1000 * self._settings.abandoned_after_s))
        for game_id in await self._hall.store.left_before(left, MAX_ENDED):
            if game_id in self._hall.games:
                continue
            try:
                game = await self._hall.find(game_id)
            except Unavailable:  # nothing can be read at the moment; a later sweep comes to this game
                raise
            except LudusError as error:
                _log.error("Game %s was abandoned and cannot be restored: %s", game_id, error)
                await self._hall.store.note_left(game_id, None)  # nobody asks again before the next restart
            else:
                await self._abandon(game)

    async def _abandon(self, game: LiveGame) -> None:
        await game.do(lambda table, now: abandoned(game, table, now))
