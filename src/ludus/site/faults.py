"""Errors that refuse a request, their HTTP statuses, and the codes that close sockets."""

from __future__ import annotations

import logging
from functools import lru_cache
from typing import ClassVar, NamedTuple

from ludus.errors import BadInput, BadRecord, LudusError, Unavailable
from ludus.site.safety.limits import whole_seconds

_log = logging.getLogger(__name__)


class NotHere(BadInput):
    """Raised when no game, person or bot has the requested name."""


class SeatTaken(BadInput):
    """Raised when another player has taken the seat in the meantime."""


class NotYours(BadInput):
    """Raised when a seat, game or token belongs to another person."""


class PersonFault(BadInput):
    """Base class of errors about the account or address that sends a request."""

    status: ClassVar[int] = 400
    """HTTP status of the response."""


class NotLoggedIn(PersonFault):
    """Raised when a guest requests something that needs an account."""

    status = 401


class WrongPassword(PersonFault):
    """Raised when a login fails; the text keeps secret whether the name or the password is wrong."""

    status = 401


class NameTaken(PersonFault):
    """Raised when another account already has the name."""

    status = 409


class Banned(PersonFault):
    """Raised when the operator has banned an account or an address."""

    status = 403


class TooOften(PersonFault):
    """Raised when a rate limit is exceeded."""

    status = 429

    def __init__(self, sentence: str, wait_s: float | None = None) -> None:
        """Create the error.

        Args:
            sentence: the message for the user.
            wait_s: seconds until a retry can succeed; None: waiting alone does not help.
        """
        super().__init__(sentence)
        self.wait_s = wait_s

    @classmethod
    def of_address(cls, what: str, wait_s: float) -> TooOften:
        """Return the error for too many actions from one address; `what` names them, e.g. `games were opened`."""
        return cls(f"Too many {what} from your address; try again in {whole_seconds(wait_s)} seconds.", wait_s)


class Close(NamedTuple):
    """The code and the reason that close a WebSocket."""

    code: int
    reason: str


CLOSED = Close(1001, "This game is closed")
RESTARTING = Close(1012, "The site is being restarted")
"""Makes clients reconnect."""


def status_of(error: LudusError) -> int:
    """Return the HTTP status for an error; log it if a stored record is damaged."""
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
    """Return the code and reason that close a socket after an error; log it if a stored record is damaged.

    Args:
        error: why the socket is closed.
        otherwise: the reason to give if the client is at fault.
    """
    status = status_of(error)
    if status == 500:
        return Close(1011, "Damaged here")
    return Close(1013, "Try again later") if status == 503 else Close(1008, otherwise)


@lru_cache(maxsize=256)  # repeated requests for the same damaged game must not fill the log
def _log_once(sentence: str) -> None:
    _log.error("A record of this site is damaged: %s", sentence)
