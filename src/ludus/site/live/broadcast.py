"""The events of a game, the outgoing queues of its sockets, and a cache of the messages that many sockets receive.

Each dialect translates the events into messages of its own.
"""

import asyncio
import itertools
from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable
from typing import Any, TypeVar

from msgspec import Struct, json

from ludus.site.faults import Close
from ludus.site.table.table import Table, What

_Made = TypeVar("_Made")

SHARED_MS = 20
"""How long a cached message with clock times may be reused while a clock runs."""
MAX_UNSENT = 256
"""Unsent messages at which a socket is closed."""
MAX_NOTES = 64
"""Unsent messages that a queue of notes keeps; older ones are dropped."""
_numbers = itertools.count(1)


def encode(message: object) -> str:
    """Return the JSON text of a message to a browser."""
    return json.encode(message).decode()


class Changed(Struct, frozen=True):
    """The game's table has changed: a move, an offer, a result, or a filled seat."""

    before: Table
    after: Table


class Seated(Struct, frozen=True):
    """The sockets, the clocks or the right to claim the game have changed, but not the table."""


class Stall(Struct, frozen=True):
    """A bot that does not answer, or whose client is not connected; times are in milliseconds since 1970."""

    gone: bool
    """Whether the client is not connected."""
    since: int
    """When the bot got the unanswered request, or lost its connection."""
    until: int
    """When the bot forfeits the game."""


class Evaluated(Struct, frozen=True):
    """A position was evaluated."""


class Declined(Struct, frozen=True):
    """Side `by` declined the opponent's offer."""

    what: What
    by: int


class RematchOpened(Struct, frozen=True):
    """The rematch with this id was opened; the players' tokens are valid there too."""

    id: str


class Said(Struct, frozen=True):
    """A chat message."""

    text: str
    name: str
    side: int | None
    """The sender's side; None for a spectator."""
    speaker: int
    """The number of the sender's socket, because several senders may have the same name."""
    at: int
    line: int = 0
    """The message's number in this game's chat."""
    key: str = ""
    """The sender's public key; "" if the person is unknown."""


class Notice(Struct, frozen=True):
    """A message of the site to all players and spectators of a game."""

    message: str


class Evicted(Struct, frozen=True):
    """The game was evicted from memory; later visitors load a new object from the database."""


Event = Changed | Seated | Evaluated | Declined | RematchOpened | Said | Notice | Evicted


class Outgoing:
    """The queue of outgoing messages for one socket."""

    def __init__(self) -> None:
        self.wake = asyncio.Event()
        self.closing: Close | None = None
        self._unsent: list[str] = []

    def send(self, text: str) -> None:
        """Queue a message; close the socket if its queue is full."""
        if len(self._unsent) >= MAX_UNSENT:
            self.close(Close(1013, "Reads too slowly"))
            return
        self._unsent.append(text)
        self.wake.set()

    def note(self, text: str) -> None:
        """Queue a message; drop the oldest one if the queue is full."""
        self._unsent = [*self._unsent[1 - MAX_NOTES :], text]
        self.wake.set()

    def take(self) -> list[str]:
        """Return the queued messages, and empty the queue."""
        texts, self._unsent = self._unsent, []
        return texts

    def close(self, goodbye: Close) -> None:
        """Close the socket after the queued messages are sent."""
        self.closing = self.closing or goodbye
        self.wake.set()


class Watcher(Outgoing, ABC):
    """A player's or spectator's socket at a game; each dialect subclasses it."""

    def __init__(self, you: int | None, token: str | None, address: str = "", person: str = "") -> None:
        """Create a socket's queue; `LiveGame.come` connects it to the game.

        Args:
            you: the player's side; None for a spectator.
            token: the secret token of the player's seat; None for a spectator.
            address: the client's address; "" if it is exempt from limits by address.
            person: see `Visitor.person`; "" if unknown.
        """
        super().__init__()
        self.you = you
        self.token = token
        self.address = address
        self.person = person
        self.number = next(_numbers)
        spectator = f"address {address}" if address else f"socket {self.number}"
        self.speaker = spectator if you is None else f"side {you}"
        """The key of the chat's rate limit: all sockets of one seat, or all spectators from one address, share it."""

    @abstractmethod
    def hear(self, event: Event) -> None:
        """Queue this dialect's message for an event, if it has one."""


class Shared:
    """A cache of messages about a game's present state, for sockets that receive equal messages."""

    def __init__(self) -> None:
        self._made: dict[Hashable, Any] = {}
        self._moment: int | None = None

    def get(self, key: Hashable, now: int | None, make: Callable[[], _Made]) -> _Made:
        """Return the cached value of a key; on a miss, call `make` and cache its result.

        Args:
            key: the kind of message, and its receivers if they get different ones.
            now: the time in milliseconds while a clock runs; None if the state does not depend on time.
            make: builds the value from the game's state alone.
        """
        moment = None if now is None else now // SHARED_MS
        if moment != self._moment:
            self._made, self._moment = {}, moment
        if key not in self._made:
            self._made[key] = make()
        return self._made[key]

    def forget(self) -> None:
        """Clear the cache, because the game has changed."""
        self._made = {}
