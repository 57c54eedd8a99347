"""Who is at a game's table, and since when a side that has left may lose the game by a claim."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextvars import Context

from ludus.site.live.broadcast import Watcher

Now = Callable[[], int]
"""The site's clock: milliseconds since 1970."""


class Timer:
    """Calls a function once at a moment, unless it is set to another moment before."""

    def __init__(self, now: Now, ring: Callable[[], None], context: Context) -> None:
        """Prepare; `ring` is called in `context`, at the moment or a little before: clocks differ."""
        self._now = now
        self._ring = ring
        self._context = context
        self._timer: asyncio.TimerHandle | None = None

    def set(self, moment: int | None) -> None:
        """Ring at this moment instead of an earlier setting, at once if it is past; None: do not ring."""
        if self._timer:
            self._timer.cancel()
            self._timer = None
        if moment is not None:
            delay = max(0, moment - self._now()) / 1000
            self._timer = asyncio.get_running_loop().call_later(delay, self._ring, context=self._context)


class Presence:
    """The sockets at a table, and since when each side has none."""

    def __init__(
        self,
        now: Now,
        patience_ms: int,
        left_at: int,
        *,
        may_claim: Callable[[], bool],
        tell: Callable[[], None],
        context: Context,
    ) -> None:
        """Begin with nobody here.

        Args:
            now: the site's clock.
            patience_ms: how long a person may be away before the other side may claim the game.
            left_at: when the last player left.
            may_claim: whether a game in this state can be claimed at all.
            tell: is called, in `context`, when somebody here may claim the game from now on.
            context: see `tell`.
        """
        self.watchers: set[Watcher] = set()
        self.left_at: int | None = left_at
        """When the last player left; None: one is here."""
        self._now = now
        self._may_claim = may_claim
        self._tell = tell
        self._patience_ms = patience_ms
        self._away_since: list[int | None] = [now(), now()]
        self._alarm = Timer(now, self._ring, context)

    @property
    def num_spectators(self) -> int:
        """Return how many watch."""
        return sum(watcher.you is None for watcher in self.watchers)

    def has(self, side: int) -> bool:
        """Return whether the person of a side is here."""
        return any(watcher.you == side for watcher in self.watchers)

    def come(self, watcher: Watcher) -> None:
        """Add an opened socket."""
        self.watchers.add(watcher)
        self._note(watcher.you)

    def go(self, watcher: Watcher) -> None:
        """Remove a closed socket."""
        self.watchers.discard(watcher)
        self._note(watcher.you)

    def claimable_at(self, side: int) -> int | None:
        """Return when `side` may claim the game because the other person is away; None: never."""
        since = self._away_since[1 - side]
        return since + self._patience_ms if since is not None and self._may_claim() else None

    def await_claims(self) -> None:
        """Set the alarm for the next moment at which somebody here may claim the game."""
        moments = [self.claimable_at(watcher.you) for watcher in self.watchers if watcher.you is not None]
        self._alarm.set(min((at for at in moments if at is not None and at > self._now()), default=None))

    def close(self) -> None:
        """Cancel the alarm."""
        self._alarm.set(None)

    def _note(self, side: int | None) -> None:
        if side is not None:
            now = self._now()
            self.left_at = None if self.has(0) or self.has(1) else now
            if self.has(side):
                self._away_since[side] = None
            elif self._away_since[side] is None:
                self._away_since[side] = now
            self.await_claims()

    def _ring(self) -> None:
        self.await_claims()  # an alarm may come a moment too early
        self._tell()
