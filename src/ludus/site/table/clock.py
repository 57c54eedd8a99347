"""Immutable game clocks, with times in milliseconds since 1970, and the time classes of time controls."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace


class TimeControl(Struct, frozen=True):
    """The time control of a game; both players get the same."""

    initial_ms: int
    increment_ms: int
    """Added to the mover's clock after each move."""
    preset: str | None = None
    """The name of the preset, such as `blitz`, if the time control was chosen by one."""


class Clock(Struct, frozen=True):
    """Both players' clocks; at most one of them runs."""

    left: tuple[int, int]
    """The time left of both sides at the time `since`, in milliseconds."""
    running: int | None = None
    """The side whose clock runs; None if both are stopped."""
    since: int = 0
    """When the clock starts to run; in the future for a paused clock."""

    def left_at(self, now: int) -> tuple[int, int]:
        """Return the time left of both sides at a time, in milliseconds; never below 0."""
        if self.running is None:
            return self.left
        left = list(self.left)
        left[self.running] = max(0, left[self.running] - max(0, now - self.since))
        return left[0], left[1]

    def stopped(self, now: int) -> Clock:
        """Return the clocks with both stopped."""
        return Clock(self.left_at(now))

    def started(self, side: int, now: int) -> Clock:
        """Return the clocks with that of `side` running from `now`."""
        return Clock(self.left_at(now), side, now)

    def stood(self, begin: int, end: int) -> Clock:
        """Return the clocks with the running one paused from `begin` to `end`."""
        return Clock(self.left_at(begin), self.running, max(self.since, end))

    def added(self, side: int, ms: int) -> Clock:
        """Return the clocks with `ms` milliseconds added to those of a side."""
        left = (self.left[0] + ms, self.left[1]) if side == 0 else (self.left[0], self.left[1] + ms)
        return replace(self, left=left)

    @property
    def falls_at(self) -> int | None:
        """Return when the running clock reaches 0; None if both are stopped."""
        return None if self.running is None else self.since + self.left[self.running]


MOVES = 40  # moves of one player in a game of ordinary length
CLASSES = ("bullet", "blitz", "rapid", "classical", "unlimited")
_LIMITS_S = ((180, "bullet"), (600, "blitz"), (1800, "rapid"))


def time_class(initial_ms: int | None, increment_ms: int | None) -> str:
    """Return the time class of a time control; `initial_ms` is None for a game without clocks."""
    if initial_ms is None:
        return "unlimited"
    seconds = (initial_ms + MOVES * (increment_ms or 0)) / 1000
    return next((name for limit, name in _LIMITS_S if seconds < limit), "classical")
