"""Tracks the connected sockets of a game, and since when each player is away."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextvars import Context

from ludus.site.live.broadcast import Watcher

Now = Callable[[], int]
"""Returns the time of the site's clock in milliseconds since 1970."""


class Timer:
    """A timer with one deadline, which can be moved or cancelled."""

    def __init__(self, now: Now, ring: Callable[[], None], context: Context) -> None:
        """Create a timer without a deadline.

        Args:
            now: the site's clock.
            ring: called at the deadline, or slightly before it: the event loop's clock may run ahead of `now`.
            context: the context in which `ring` is called.
        """
        self._now = now
        self._ring = ring
        self._context = context
        self._timer: asyncio.TimerHandle | None = None

    def set(self, moment: int | None) -> None:
        """Replace the deadline, in milliseconds since 1970; a past one fires at once, None cancels the timer."""
        if self._timer:
            self._timer.cancel()
            self._timer = None
        if moment is not None:
            delay = max(0, moment - self._now()) / 1000
            self._timer = asyncio.get_running_loop().call_later(delay, self._ring, context=self._context)


class Presence:
    """The connected sockets of a game, and since when each side has none."""

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
        """Start without connected sockets.

        Args:
            now: the site's clock.
            patience_ms: how long a player may be away before the opponent may claim the game.
            left_at: when the last player disconnected.
            may_claim: returns whether the game's state allows a claim.
            tell: called, in `context`, when a connected player becomes able to claim the game.
            context: see `tell`.
        """
        self.watchers: set[Watcher] = set()
        self.left_at: int | None = left_at
        """When the last player disconnected; None while a player is connected."""
        self._now = now
        self._may_claim = may_claim
        self._tell = tell
        self._patience_ms = patience_ms
        self._away_since: list[int | None] = [now(), now()]
        self._alarm = Timer(now, self._ring, context)

    @property
    def num_spectators(self) -> int:
        """Return the number of spectators' sockets."""
        return sum(watcher.you is None for watcher in self.watchers)

    def has(self, side: int) -> bool:
        """Return whether the player of a side is connected."""
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
        """Return from when `side` may claim the game because the opponent is away; None if it may not."""
        since = self._away_since[1 - side]
        return since + self._patience_ms if since is not None and self._may_claim() else None

    def await_claims(self) -> None:
        """Set the timer for the next time at which a connected player becomes able to claim the game."""
        moments = [self.claimable_at(watcher.you) for watcher in self.watchers if watcher.you is not None]
        self._alarm.set(min((at for at in moments if at is not None and at > self._now()), default=None))

    def close(self) -> None:
        """Cancel the timer."""
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
        self.await_claims()  # the timer may fire slightly early
        self._tell()
