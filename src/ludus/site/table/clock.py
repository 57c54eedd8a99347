"""Immutable game clocks, with times in milliseconds since 1970, and the time classes of time controls."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from ludus.site.database.records import DAY_MS


class Periods(Struct, frozen=True):
    """The overtime of a time control: periods that begin when the main time is used up.

    A player who plays `moves` moves within a period gets its full time again; one who does not loses the period, and
    the game with the last one.  Byo-yomi has periods of one move, Canadian overtime has one period of several moves.
    """

    ms: int
    """The length of a period."""
    count: int = 1
    moves: int = 1


class TimeControl(Struct, frozen=True):
    """The time control of a game; both players get the same."""

    initial_ms: int
    increment_ms: int
    """Added to the mover's clock after each move."""
    preset: str | None = None
    """The name of the preset, such as `blitz`, if the time control was chosen by one."""
    overtime: Periods | None = None

    @property
    def total_ms(self) -> int:
        """Return the time of one side with all its periods."""
        return self.initial_ms + (self.overtime.count * self.overtime.ms if self.overtime else 0)

    @property
    def days(self) -> int | None:
        """Return the days for each move of a game over days; None for other games."""
        return days_of(self.overtime.ms if self.overtime else None)


class Clock(Struct, frozen=True):
    """Both players' clocks; at most one of them runs."""

    left: tuple[int, int]
    """The time of both sides at the time `since` until their flags fall, in milliseconds: all periods count."""
    running: int | None = None
    """The side whose clock runs; None if both are stopped."""
    since: int = 0
    """When the clock starts to run; in the future for a paused clock."""
    periods: tuple[int, int] = (0, 0)
    """The periods of both sides that were not lost before `since`; 0 without overtime."""
    played: tuple[int, int] = (0, 0)
    """The moves that both sides have played in their present periods."""

    def left_at(self, now: int) -> tuple[int, int]:
        """Return the time left of both sides at a time, in milliseconds; never below 0."""
        if self.running is None:
            return self.left
        left = list(self.left)
        left[self.running] = max(0, left[self.running] - max(0, now - self.since))
        return left[0], left[1]

    def stopped(self, now: int) -> Clock:
        """Return the clocks with both stopped."""
        return replace(self, left=self.left_at(now), running=None, since=0)

    def started(self, side: int, now: int) -> Clock:
        """Return the clocks with that of `side` running from `now`."""
        return replace(self, left=self.left_at(now), running=side, since=now)

    def stood(self, begin: int, end: int) -> Clock:
        """Return the clocks with the running one paused from `begin` to `end`."""
        return replace(self, left=self.left_at(begin), since=max(self.since, end))

    def pressed(self, side: int, control: TimeControl, now: int) -> Clock:
        """Return the clocks stopped after a move of `side`: with its increment, or a renewed period."""
        clock, overtime = self.stopped(now), control.overtime
        if overtime is None:
            return replace(clock, left=_with(clock.left, side, clock.left[side] + control.increment_ms))
        left, periods = clock.left[side], clock.periods_at(side, control, now)
        played = 0
        if left <= periods * overtime.ms:  # the main time is used up
            played = 1 + clock.played_at(side, control, now)
            if played == overtime.moves:
                left, played = periods * overtime.ms, 0
        return replace(
            clock,
            left=_with(clock.left, side, left),
            periods=_with(clock.periods, side, periods),
            played=_with(clock.played, side, played),
        )

    def given(self, side: int, ms: int, control: TimeControl, now: int) -> Clock:
        """Return the clocks with `ms` milliseconds more for a side; lost periods do not come back.

        In overtime, the time first fills the present period, and the rest becomes main time before a new one.
        """
        periods = self.periods_at(side, control, now)
        is_main = control.overtime is not None and self.left_at(now)[side] + ms > periods * control.overtime.ms
        played = 0 if is_main else self.played_at(side, control, now)
        return replace(
            self,
            left=_with(self.left, side, self.left[side] + ms),
            periods=_with(self.periods, side, periods),
            played=_with(self.played, side, played),
        )

    def periods_at(self, side: int, control: TimeControl, now: int) -> int:
        """Return the periods that a side has not lost yet, with the present one."""
        if control.overtime is None:
            return 0
        return min(self.periods[side], -(-self.left_at(now)[side] // control.overtime.ms))

    def played_at(self, side: int, control: TimeControl, now: int) -> int:
        """Return the moves that a side has played in its present period: none in one that has begun since."""
        return self.played[side] if self.periods_at(side, control, now) == self.periods[side] else 0

    @property
    def falls_at(self) -> int | None:
        """Return when the running clock reaches 0; None if both are stopped."""
        return None if self.running is None else self.since + self.left[self.running]


def new_clock(control: TimeControl) -> Clock:
    """Return the stopped clocks of a new game."""
    count = control.overtime.count if control.overtime else 0
    return Clock((control.total_ms, control.total_ms), periods=(count, count))


def _with(pair: tuple[int, int], side: int, value: int) -> tuple[int, int]:
    return (value, pair[1]) if side == 0 else (pair[0], value)


MOVES = 40  # moves of one player in a game of ordinary length
MOVES_IN_OVERTIME = 20  # of these
CLASSES = ("bullet", "blitz", "rapid", "classical", "days", "unlimited")
_LIMITS_S = ((180, "bullet"), (600, "blitz"), (1800, "rapid"))


def days_of(period_ms: int | None) -> int | None:
    """Return the days for each move of a game with periods of this length; None if it is not a game over days."""
    return period_ms // DAY_MS if period_ms and period_ms >= DAY_MS else None


def time_class(control: TimeControl | None) -> str:
    """Return the time class of a time control, None for a game without clocks."""
    if control is None:
        return "unlimited"
    if control.days:
        return "days"
    overtime = control.overtime
    in_periods = MOVES_IN_OVERTIME * overtime.ms / overtime.moves if overtime else 0.0
    seconds = (control.initial_ms + MOVES * control.increment_ms + in_periods) / 1000
    return next((name for limit, name in _LIMITS_S if seconds < limit), "classical")
