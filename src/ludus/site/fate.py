"""What becomes of a game that nobody looks at: it stays in memory, is put away, is called off, or is lost."""

from datetime import datetime
from enum import Enum, auto

from ludus.site.database.records import GameRow
from ludus.site.game import LiveGame
from ludus.site.private_bots import PRIVATE
from ludus.site.settings import SiteSettings
from ludus.site.table import Table


class Fate(Enum):
    """What is to be done with a game."""

    STAY = auto()
    PUT_AWAY = auto()
    """The database has it; whoever comes finds it there."""
    CALL_OFF = auto()
    """It never began."""
    ABANDON = auto()
    """Its players have left it for too long."""


def fate_of(game: LiveGame, now: int, settings: SiteSettings) -> Fate:
    """Return what is to be done with a game at this moment."""
    table, age_s = game.table, (now - game.last_seen) / 1000
    if table.over:
        return Fate.PUT_AWAY if age_s > settings.finished_kept_s and not game.visited else Fate.STAY
    if table.waiting:
        host = next((side for side in (0, 1) if game.seats[side].host), None)
        kept_s = settings.host_gone_s if game.row.kind == "lobby" else settings.waiting_kept_s
        gone = host is None or not game.connected(host)
        if game.opener and not game.opened:  # after a restart nobody knows who had opened it
            kept_s = min(kept_s, settings.unvisited_kept_s)
        return Fate.CALL_OFF if gone and age_s > kept_s else Fate.STAY
    clock_runs = table.clock is not None and table.clock.running is not None
    left_at = game.presence.left_at
    if clock_runs or left_at is None or all(seat.kind != "person" for seat in game.seats):
        return Fate.STAY
    if now - left_at > 1000 * settings.abandoned_after_s:
        return Fate.ABANDON
    if game.visited:
        return Fate.STAY
    with_bot = game.row.kind in ("bot", PRIVATE)
    if not game.opened and with_bot and age_s > settings.unvisited_kept_s and table.can_abort:
        return Fate.CALL_OFF
    return Fate.PUT_AWAY if age_s > settings.idle_kept_s else Fate.STAY


def is_left(row: GameRow, before: datetime) -> bool:
    """Return whether a game's players left it before a moment, and nothing happens in it without them."""
    waits = row.progress.status == "playing" and row.progress.since is None
    persons = any(seat.kind == "person" for seat in row.seats)
    return waits and persons and row.left_at is not None and row.left_at < before


def abandoned(game: LiveGame, table: Table, now: int) -> Table:
    """Return the table of a game that its players have left; a person loses to a bot, else whoever is to move loses."""
    if table.over or game.presence.left_at is None:
        return table
    persons = [side for side in (0, 1) if game.seats[side].kind == "person"]
    return table.abandoned(persons[0] if len(persons) == 1 else table.position.to_play, now)
