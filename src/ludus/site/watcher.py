"""One open socket at a table: whose it is, and what waits to be sent to it."""

import asyncio
import itertools
from abc import ABC, abstractmethod

from ludus.site.events import Event, Goodbye

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
        self.closing: Goodbye | None = None

    @abstractmethod
    def hear(self, event: Event) -> None:
        """Note what happened at the table; it must not wait for the socket."""

    @abstractmethod
    def take(self) -> list[str]:
        """Return the messages that are to be sent now."""

    def close(self, goodbye: Goodbye) -> None:
        """Close the socket, after what waits."""
        self.closing = self.closing or goodbye
        self.wake.set()
