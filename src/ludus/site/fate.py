"""What becomes of a game that nobody looks at: it stays in memory, is put away, or is called off."""

from enum import Enum, auto

from ludus.site.game import LiveGame
from ludus.site.settings import SiteSettings


class Fate(Enum):
    """What is to be done with a game."""

    STAY = auto()
    PUT_AWAY = auto()
    """The database has it; whoever comes finds it there."""
    CALL_OFF = auto()


def fate_of(game: LiveGame, now: int, settings: SiteSettings) -> Fate:
    """Return what is to be done with a game at this moment."""
    table, age_s = game.table, (now - game.last_seen) / 1000
    if table.over:
        return Fate.PUT_AWAY if age_s > settings.finished_kept_s and not game.visited else Fate.STAY
    if table.waiting:
        host = next((side for side in (0, 1) if game.seats[side].host), None)
        kept_s = settings.host_gone_s if game.row.kind == "lobby" else settings.waiting_kept_s
        gone = host is None or not game.connected(host)
        return Fate.CALL_OFF if gone and age_s > kept_s else Fate.STAY
    if game.visited or all(seat.kind != "person" for seat in game.seats):
        return Fate.STAY
    if not game.opened and game.row.kind == "bot" and age_s > settings.unvisited_kept_s and table.can_abort:
        return Fate.CALL_OFF
    if age_s > settings.idle_kept_s and (table.clock is None or table.clock.running is None):
        return Fate.PUT_AWAY
    return Fate.STAY
