"""What is said of a game, made once for all who listen and forgotten when the game changes."""

from collections.abc import Callable, Hashable
from typing import Any, TypeVar

_Made = TypeVar("_Made")

GOOD_MS = 20
"""For so long it is good while a clock runs, since it tells the time."""


class Shared:
    """What was made of a game as it stands, by who may see it."""

    def __init__(self) -> None:
        self._made: dict[Hashable, Any] = {}
        self._moment: int | None = None

    def get(self, key: Hashable, now: int | None, make: Callable[[], _Made]) -> _Made:
        """Return what `make` makes, or what it made for another who asked for the same.

        Args:
            key: names what is made, and for whom if it is not the same for everybody.
            now: milliseconds, while a clock runs; None: nothing changes by itself.
            make: makes it of the game, and of nothing else that changes.
        """
        moment = None if now is None else now // GOOD_MS
        if moment != self._moment:
            self._made, self._moment = {}, moment
        if key not in self._made:
            self._made[key] = make()
        return self._made[key]

    def forget(self) -> None:
        """The game has changed."""
        self._made = {}
