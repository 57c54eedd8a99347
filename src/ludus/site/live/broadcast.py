"""Broadcast: the events of a table, and the sockets that hear them; what all are told alike is made once.

Each dialect says an event in its own words.
"""

import asyncio
import itertools
from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable
from typing import Any, TypeVar

from msgspec import Struct

from ludus.site.faults import Close
from ludus.site.table.table import Table, What

_Made = TypeVar("_Made")

GOOD_MS = 20
"""For so long it is good while a clock runs, since it tells the time."""


class Changed(Struct, frozen=True):
    """The table is another one now."""

    before: Table
    after: Table


class Seated(Struct, frozen=True):
    """Somebody sat down, came, or went."""


class Evaluated(Struct, frozen=True):
    """A bot said what a position is worth."""


class Declined(Struct, frozen=True):
    """Side `by` said no."""

    what: What
    by: int


class RematchOpened(Struct, frozen=True):
    """The next game is there; seats and their tokens are the same persons'."""

    id: str


class Said(Struct, frozen=True):
    """Somebody said something to everybody."""

    text: str
    name: str
    side: int | None
    """None: a spectator."""
    speaker: int
    """Tells apart those whose names are alike."""
    at: int


class Notice(Struct, frozen=True):
    """Something that concerns everybody, in a sentence."""

    message: str


class Evicted(Struct, frozen=True):
    """The game has left memory; whoever asks for it is given another one from the database."""


Event = Changed | Seated | Evaluated | Declined | RematchOpened | Said | Notice | Evicted


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


_numbers = itertools.count(1)


class Watcher(ABC):
    """What a table says to one socket; a dialect says how."""

    def __init__(self, you: int | None, token: str | None, address: str = "") -> None:
        """Come to a table.

        Args:
            you: the side that the token sits on; None for a spectator.
            token: the seat's secret, which this socket knows already.
            address: where the socket comes from; "" if the limits by address do not concern it.
        """
        self.you = you
        self.token = token
        self.number = next(_numbers)
        spectator = f"address {address}" if address else f"socket {self.number}"
        self.speaker = spectator if you is None else f"side {you}"
        """Who says what it says, as chat is counted: a seat in all its tabs, an address in all its sockets."""
        self.wake = asyncio.Event()
        self.closing: Close | None = None

    @abstractmethod
    def hear(self, event: Event) -> None:
        """Note what happened at the table; it must not wait for the socket."""

    @abstractmethod
    def take(self) -> list[str]:
        """Return the messages that are to be sent now."""

    def close(self, goodbye: Close) -> None:
        """Close the socket, after what waits."""
        self.closing = self.closing or goodbye
        self.wake.set()
