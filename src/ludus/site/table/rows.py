"""Converts a game's table into database rows and back."""

from __future__ import annotations

import logging
from datetime import UTC, datetime
from typing import Any, cast, get_args

from msgspec.structs import replace

from ludus.errors import BadRecord, LudusError
from ludus.games.game import Position
from ludus.site.database.records import GameProgress, GameRow, MoveRow
from ludus.site.table.clock import Clock, Periods, TimeControl
from ludus.site.table.table import Offer, PlayedMove, Table, TableResult, What, new_table

_log = logging.getLogger(__name__)


def moment(ms: int) -> datetime:
    """Convert milliseconds since 1970 into a date."""
    return datetime.fromtimestamp(ms / 1000, UTC)


def milliseconds(at: datetime) -> int:
    """Convert a date into milliseconds since 1970."""
    return round(at.timestamp() * 1000)


def progress_of(table: Table, rematch: str | None = None) -> GameProgress:
    """Return the database record of a table, without its moves; `rematch` is the id of the rematch, if any."""
    clock = table.clock
    running = clock is not None and clock.running is not None
    first, second = ((None, None), (None, None))
    if clock and table.control and table.control.overtime:
        first, second = zip(clock.periods, clock.played, strict=True)
    falls_at = clock.falls_at if clock and table.over_days else None
    return GameProgress(
        status="over" if table.over else "waiting" if table.waiting else "playing",
        left_0=clock.left[0] if clock else None,
        left_1=clock.left[1] if clock else None,
        since=moment(clock.since) if clock and running else None,
        periods_0=first[0],
        periods_1=second[0],
        played_0=first[1],
        played_1=second[1],
        deadline=None if falls_at is None else moment(falls_at),
        to_play=table.to_play,
        staged=table.actions_since(table.settled),
        offers=[[offer.what, offer.by] for offer in table.offers],
        winner=table.result.winner if table.result else None,
        reason=table.result.reason if table.result else None,
        ended_at=None if table.ended_at is None else moment(table.ended_at),
        rematch=rematch,
    )


CONTROL = ("initial_ms", "increment_ms", "preset", "period_ms", "periods", "period_moves")
"""The columns of a time control in a game's row."""


def control_in(row: Any) -> TimeControl | None:  # noqa: ANN401 - a row of the table, or a `GameRow`
    """Return the time control in a game's columns; None for a game without clocks."""
    if row.initial_ms is None:
        return None
    overtime = Periods(row.period_ms, row.periods or 1, row.period_moves or 1) if row.period_ms else None
    return TimeControl(row.initial_ms, row.increment_ms or 0, row.preset, overtime)


def columns_of(control: TimeControl | None) -> dict[str, Any]:
    """Return the columns of a time control in a game's row, the inverse of `control_in`."""
    overtime = control.overtime if control else None
    return {
        "initial_ms": control.initial_ms if control else None,
        "increment_ms": control.increment_ms if control else None,
        "preset": control.preset if control else None,
        "period_ms": overtime.ms if overtime else None,
        "periods": overtime.count if overtime else None,
        "period_moves": overtime.moves if overtime else None,
    }


def move_row(move: PlayedMove) -> MoveRow:
    """Return the database row of a move."""
    first, second = move.left or (None, None)
    return MoveRow(move.text, first, second, moment(move.at))


def num_shared(before: Table, after: Table) -> int:
    """Return the length of the common prefix of two tables' moves."""
    shared = 0
    for one, other in zip(before.moves, after.moves, strict=False):
        if one != other:
            break
        shared += 1
    return shared


def table_of(row: GameRow, start: Position, max_plies: int) -> Table:
    """Rebuild a table from its rows and its first position; raises BadRecord if the rules refuse a move."""
    progress = row.progress
    control = control_in(row)
    table = new_table(start, control, waiting=progress.status == "waiting", max_plies=max_plies)
    position, moves = start, list[PlayedMove]()
    for number, kept in enumerate(row.moves):
        before = position
        try:
            position = position.play(kept.text)
        except LudusError as error:
            raise BadRecord(f"Move {number + 1} in the record of game {row.id} cannot be played: {error}") from error
        left = None if kept.left_0 is None or kept.left_1 is None else (kept.left_0, kept.left_1)
        start_ply, end_ply = before.num_actions_played, position.num_actions_played
        moves.append(PlayedMove(kept.text, before.to_play, start_ply, end_ply, left, milliseconds(kept.played_at)))
    table = replace(table, position=_staged(position, progress.staged, row.id), moves=tuple(moves), result=None)
    offers = (Offer(cast("What", what), int(by)) for what, by in progress.offers if what in get_args(What))
    table = replace(table, offers=tuple(offers), clock=_clock(progress, table))
    if progress.status != "over":
        return table
    ended_at = milliseconds(progress.ended_at) if progress.ended_at else None
    # If the site crashed before the agreed rematch was opened, the players may offer it again.
    if table.rematch_agreed and progress.rematch is None:
        table = replace(table, offers=())
    return replace(table, result=TableResult(progress.winner, progress.reason or ""), ended_at=ended_at)


def gone_on(table: Table, last_known: int, goes_on: int) -> Table:
    """Return a table with its running clock paused from the site's last heartbeat, `last_known`, until `goes_on`.

    In a game over days it is not paused.
    """
    clock = table.clock
    if clock is None or clock.running is None or table.over_days:
        return table  # the store has moved the deadlines of games over days
    return replace(table, clock=replace(clock, left=clock.left_at(last_known), since=goes_on))


def _staged(position: Position, actions: list[int], game_id: str) -> Position:
    for action in actions:
        try:
            position = position.play(action)
        except LudusError:  # stored by a version with other action numbers; the player repeats the move
            _log.warning("Cannot restore the unfinished move of game %s.", game_id)
            break
    return position


def _clock(progress: GameProgress, table: Table) -> Clock | None:
    if progress.left_0 is None or progress.left_1 is None:
        return None
    clock = Clock(
        (progress.left_0, progress.left_1),
        periods=(progress.periods_0 or 0, progress.periods_1 or 0),
        played=(progress.played_0 or 0, progress.played_1 or 0),
    )
    if progress.since is None:
        return clock
    return replace(clock, running=table.position.to_play, since=milliseconds(progress.since))


def is_left(row: GameRow, before: datetime) -> bool:
    """Return whether all players of an unfinished game left before a date, and no clock runs, except one over days."""
    waits = row.progress.status == "playing" and (row.progress.since is None or row.progress.deadline is not None)
    persons = any(seat.kind == "person" for seat in row.seats)
    return waits and persons and row.left_at is not None and row.left_at < before
