"""The chat of one game, with its latest messages, which visitors may report."""

from __future__ import annotations

import itertools
from collections import deque
from collections.abc import Callable
from typing import NamedTuple

from ludus.errors import BadInput
from ludus.site.live.broadcast import Said, Watcher
from ludus.site.safety.limits import RateLimit, RateLimiter
from ludus.site.safety.secrets import public_key

MAX_SPEAKERS = 1000
"""Chat speakers whose rate limits a game keeps in memory."""
MAX_LINES = 100
"""Messages that can be reported."""

Silence = Callable[[str, str], str | None]
"""Returns what a speaker is told whom the operator has silenced, by person and address; None for other speakers."""


class SilencedError(BadInput):
    """Raised when the operator has silenced a speaker."""


class Line(NamedTuple):
    """A message of the chat, and who sent it."""

    said: Said
    person: str
    """See `Visitor.person`; "" if unknown."""
    address: str


class GameChat:
    """Broadcasts the messages of players and spectators, at a limited rate for each of them."""

    def __init__(
        self,
        limit: RateLimit,
        silence: Silence,
        now: Callable[[], int],
        name_of: Callable[[int], str],
        publish: Callable[[Said], None],
    ) -> None:
        """Start without messages.

        Args:
            limit: the rate limit of each speaker.
            silence: tells who is silenced.
            now: the site's clock, in milliseconds since 1970.
            name_of: returns the name of the player of a side.
            publish: broadcasts a message.
        """
        self._now, self._silence, self._name_of, self._publish = now, silence, name_of, publish
        self._breath = RateLimiter(limit, lambda: now() / 1000, MAX_SPEAKERS)
        self._lines = deque[Line](maxlen=MAX_LINES)
        self._numbers = itertools.count(1)

    def say(self, watcher: Watcher, text: str) -> bool:
        """Broadcast a message and return True; return False if its sender is over the rate limit.

        Raises:
            SilencedError: the operator has silenced the sender.
        """
        if self._breath.take(watcher.speaker):
            return False
        if sentence := self._silence(watcher.person, watcher.address):
            raise SilencedError(sentence)
        name = f"Spectator {watcher.number}" if watcher.you is None else self._name_of(watcher.you)
        key = public_key(watcher.person) if watcher.person else ""
        said = Said(text, name, watcher.you, watcher.number, self._now(), next(self._numbers), key)
        self._lines.append(Line(said, watcher.person, watcher.address))
        self._publish(said)
        return True

    def line(self, number: int) -> Line | None:
        """Return a message by its number; None if it is too old."""
        return next((line for line in self._lines if line.said.line == number), None)
