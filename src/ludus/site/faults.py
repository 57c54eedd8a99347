"""Refusals of requests, each with an HTTP status and a code that closes a socket."""

from __future__ import annotations

import logging
from functools import lru_cache
from typing import ClassVar, NamedTuple

from ludus.errors import BadInput, BadRecord, LudusError, Unavailable
from ludus.site.safety.limits import whole_seconds

_log = logging.getLogger(__name__)


class NotHere(BadInput):
    """There is nothing of this name."""


class SeatTaken(BadInput):
    """Somebody else sat down a moment before."""


class NotYours(BadInput):
    """It belongs to somebody else."""


class PersonFault(BadInput):
    """A refusal that concerns who asks."""

    status: ClassVar[int] = 400
    """Of the HTTP answer."""


class NotLoggedIn(PersonFault):
    """Only an account can do this."""

    status = 401


class WrongPassword(PersonFault):
    """A name and a password do not belong together; which of them is wrong stays secret."""

    status = 401


class NameTaken(PersonFault):
    """Somebody else has this name."""

    status = 409


class TooOften(PersonFault):
    """It was tried too often."""

    status = 429

    def __init__(self, sentence: str, wait_s: float | None = None) -> None:
        """Take a sentence, and after how many seconds to try again; None: waiting alone does not help."""
        super().__init__(sentence)
        self.wait_s = wait_s

    @classmethod
    def of_address(cls, what: str, wait_s: float) -> TooOften:
        """Refuse too many of something from one address, such as `games were opened`."""
        return cls(f"Too many {what} from your address; try again in {whole_seconds(wait_s)} seconds.", wait_s)


class Close(NamedTuple):
    """How a socket is closed."""

    code: int
    reason: str


CLOSED = Close(1001, "This game is closed")
RESTARTING = Close(1012, "The site is being restarted")
"""The code that tells clients to come back."""


def status_of(error: LudusError) -> int:
    """Return the HTTP status of a refusal; log damage of the site's own."""
    if isinstance(error, BadRecord):
        _log_once(str(error))
        return 500
    if isinstance(error, NotHere):
        return 404
    if isinstance(error, NotYours):
        return 403
    if isinstance(error, PersonFault):
        return error.status
    return 503 if isinstance(error, Unavailable) else 400


def close_of(error: LudusError, otherwise: str) -> Close:
    """Return how to close a socket that is refused, `otherwise` if its client is at fault; log our own damage."""
    status = status_of(error)
    if status == 500:
        return Close(1011, "Damaged here")
    return Close(1013, "Try again later") if status == 503 else Close(1008, otherwise)


@lru_cache(maxsize=256)  # whoever asks for the same damaged game again and again does not fill the log
def _log_once(sentence: str) -> None:
    _log.error("A record of this site is damaged: %s", sentence)
