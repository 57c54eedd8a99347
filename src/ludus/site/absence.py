"""Who has left the table, and from when on the other side need not wait any more; pure, in milliseconds since 1970."""

from __future__ import annotations


class Absences:
    """Since when each side has been away; before they first come, they are."""

    def __init__(self, now: int, patience_ms: int) -> None:
        """Begin with nobody here.

        Args:
            now: this moment.
            patience_ms: how long a side must have been away before the other one may claim the game.
        """
        self._since: list[int | None] = [now, now]
        self._patience_ms = patience_ms

    def note(self, side: int, *, here: bool, now: int) -> None:
        """Note whether the person of a side is here."""
        since = self._since[side]
        self._since[side] = None if here else now if since is None else since

    def claimable_at(self, side: int) -> int | None:
        """Return the moment from which `side` may claim that the other one has left; None: it is here."""
        since = self._since[1 - side]
        return None if since is None else since + self._patience_ms
