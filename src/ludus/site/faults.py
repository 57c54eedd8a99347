"""What a request may be refused for besides being wrong; each has an HTTP status, and ends a socket with a code."""

import logging
from functools import lru_cache
from typing import NamedTuple

from ludus.errors import BadInput, BadRecord, LudusError, Unavailable
from ludus.site.people.faults import PersonFault

_log = logging.getLogger(__name__)


class NotHere(BadInput):
    """There is nothing of this name."""


class SeatTaken(BadInput):
    """Somebody else sat down a moment before."""


class NotYours(BadInput):
    """It belongs to somebody else."""


class Close(NamedTuple):
    """How a socket is closed."""

    code: int
    reason: str


def status_of(error: LudusError) -> int:
    """Return the HTTP status with which a request is refused; what the site itself has spoilt is logged."""
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
    """Return how a socket is closed that is refused; what the site itself has spoilt is logged.

    Args:
        error: why.
        otherwise: the reason given where the client is at fault.
    """
    status = status_of(error)
    if status == 500:
        return Close(1011, "Damaged here")
    return Close(1013, "Try again later") if status == 503 else Close(1008, otherwise)


@lru_cache(maxsize=256)  # whoever asks for the same damaged game again and again does not fill the log
def _log_once(sentence: str) -> None:
    _log.error("A record of this site is damaged: %s", sentence)
