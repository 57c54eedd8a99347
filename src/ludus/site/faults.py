"""What a request may be refused for besides being wrong; each has an HTTP status."""

from ludus.errors import BadInput, LudusError, Unavailable
from ludus.site.people.faults import PersonFault


class NotHere(BadInput):
    """There is nothing of this name."""


class SeatTaken(BadInput):
    """Somebody else sat down a moment before."""


class NotYours(BadInput):
    """It belongs to somebody else."""


def status_of(error: LudusError) -> int:
    """Return the HTTP status with which a request is refused."""
    if isinstance(error, NotHere):
        return 404
    if isinstance(error, NotYours):
        return 403
    if isinstance(error, PersonFault):
        return error.status
    return 503 if isinstance(error, Unavailable) else 400
