"""The clocks of a game, pure, in milliseconds since 1970; and how fast a time control is."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace


class TimeControl(Struct, frozen=True):
    """The time of both players."""

    initial_ms: int
    increment_ms: int
    """Added after each move."""
    preset: str | None = None
    """Its name, if it was chosen by one."""


class Clock(Struct, frozen=True):
    """Both clocks, of which one may be running."""

    left: tuple[int, int]
    """Milliseconds at the moment `since`."""
    running: int | None = None
    """The side whose time passes."""
    since: int = 0
    """When it was set going; in the future for a clock that stands until then."""

    def left_at(self, now: int) -> tuple[int, int]:
        """Return the milliseconds of both sides; never below 0."""
        if self.running is None:
            return self.left
        left = list(self.left)
        left[self.running] = max(0, left[self.running] - max(0, now - self.since))
        return left[0], left[1]

    def stopped(self, now: int) -> Clock:
        """Return both clocks standing."""
        return Clock(self.left_at(now))

    def started(self, side: int, now: int) -> Clock:
        """Return the clocks with that of `side` running from now on."""
        return Clock(self.left_at(now), side, now)

    def stood(self, begin: int, end: int) -> Clock:
        """Return the clocks after a while in which the running one was stopped."""
        return Clock(self.left_at(begin), self.running, max(self.since, end))

    def added(self, side: int, ms: int) -> Clock:
        """Return the clocks with more time for a side."""
        left = (self.left[0] + ms, self.left[1]) if side == 0 else (self.left[0], self.left[1] + ms)
        return replace(self, left=left)

    @property
    def falls_at(self) -> int | None:
        """Return the moment at which the running clock is at 0; None if both stand."""
        return None if self.running is None else self.since + self.left[self.running]


MOVES = 40  # of one player in a game of ordinary length
CLASSES = ("bullet", "blitz", "rapid", "classical", "unlimited")
_LIMITS_S = ((180, "bullet"), (600, "blitz"), (1800, "rapid"))


def time_class(initial_ms: int | None, increment_ms: int | None) -> str:
    """Return the class of a time control; None is a game without clocks."""
    if initial_ms is None:
        return "unlimited"
    seconds = (initial_ms + MOVES * (increment_ms or 0)) / 1000
    return next((name for limit, name in _LIMITS_S if seconds < limit), "classical")
