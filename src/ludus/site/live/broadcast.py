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

SHARED_MS = 20
"""While a clock runs, a text that tells the time is shared for so long."""
MAX_UNSENT = 256
"""Messages that may wait for one socket before it is closed."""
MAX_NOTES = 64
"""Messages that may wait for a socket whose state is sent besides; older ones are dropped."""
_numbers = itertools.count(1)


class Changed(Struct, frozen=True):
    """The table has changed."""

    before: Table
    after: Table


class Seated(Struct, frozen=True):
    """A player sat down, or a socket came or went."""


class Evaluated(Struct, frozen=True):
    """A bot has evaluated a position."""


class Declined(Struct, frozen=True):
    """Side `by` declined an offer."""

    what: What
    by: int


class RematchOpened(Struct, frozen=True):
    """The rematch is open; the persons' tokens are valid there, too."""

    id: str


class Said(Struct, frozen=True):
    """A line of chat."""

    text: str
    name: str
    side: int | None
    """None: a spectator."""
    speaker: int
    """Tells apart those whose names are alike."""
    at: int


class Notice(Struct, frozen=True):
    """A sentence for everybody at the table."""

    message: str


class Evicted(Struct, frozen=True):
    """The game has left memory; later visitors load another object from the database."""


Event = Changed | Seated | Evaluated | Declined | RematchOpened | Said | Notice | Evicted


class Outgoing:
    """The messages that wait to be sent to one socket."""

    def __init__(self) -> None:
        self.wake = asyncio.Event()
        self.closing: Close | None = None
        self._unsent: list[str] = []

    def send(self, text: str) -> None:
        """Queue a message; close a socket that reads too slowly."""
        if len(self._unsent) >= MAX_UNSENT:
            self.close(Close(1013, "Reads too slowly"))
            return
        self._unsent.append(text)
        self.wake.set()

    def note(self, text: str) -> None:
        """Queue a message; drop the oldest of too many."""
        self._unsent = [*self._unsent[1 - MAX_NOTES :], text]
        self.wake.set()

    def take(self) -> list[str]:
        """Return the queued messages, and empty the queue."""
        texts, self._unsent = self._unsent, []
        return texts

    def close(self, goodbye: Close) -> None:
        """Close the socket after the queued messages."""
        self.closing = self.closing or goodbye
        self.wake.set()


class Watcher(Outgoing, ABC):
    """A socket at a game's table; each dialect says how it is told of events."""

    def __init__(self, you: int | None, token: str | None, address: str = "") -> None:
        """Come to a table.

        Args:
            you: the side that the token sits on; None for a spectator.
            token: the seat's secret.
            address: where the socket comes from; "" if the limits by address do not apply.
        """
        super().__init__()
        self.you = you
        self.token = token
        self.number = next(_numbers)
        spectator = f"address {address}" if address else f"socket {self.number}"
        self.speaker = spectator if you is None else f"side {you}"
        """The key of the chat's rate limit: a seat in all its tabs, or an address with all its sockets."""

    @abstractmethod
    def hear(self, event: Event) -> None:
        """Queue what the event means for this socket."""


class Shared:
    """Texts made of a game as it stands, each made once for all sockets that see the same."""

    def __init__(self) -> None:
        self._made: dict[Hashable, Any] = {}
        self._moment: int | None = None

    def get(self, key: Hashable, now: int | None, make: Callable[[], _Made]) -> _Made:
        """Return what `make` returned last for this key, or call it.

        Args:
            key: names what is made, and for whom if it differs.
            now: milliseconds, while a clock runs; None: nothing changes by itself.
            make: depends on nothing but the game.
        """
        moment = None if now is None else now // SHARED_MS
        if moment != self._moment:
            self._made, self._moment = {}, moment
        if key not in self._made:
            self._made[key] = make()
        return self._made[key]

    def forget(self) -> None:
        """Forget all texts: the game has changed."""
        self._made = {}
