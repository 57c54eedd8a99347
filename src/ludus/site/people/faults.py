"""What may keep a person from doing something besides it being wrong; each has an HTTP status."""

from __future__ import annotations

from typing import ClassVar

from ludus.errors import BadInput
from ludus.site.safety.limits import whole_seconds


class PersonFault(BadInput):
    """Something about who asks."""

    status: ClassVar[int] = 400
    """Of the HTTP answer."""


class NotLoggedIn(PersonFault):
    """Only an account can do this."""

    status = 401


class WrongPassword(PersonFault):
    """A name and a password that do not belong together; which of them is wrong is not said."""

    status = 401


class NameTaken(PersonFault):
    """Somebody else has this name."""

    status = 409


class TooOften(PersonFault):
    """It was tried too often."""

    status = 429

    def __init__(self, sentence: str, wait_s: float | None = None) -> None:
        """Say it, and in how many seconds it may be tried again; None: it needs more than time."""
        super().__init__(sentence)
        self.wait_s = wait_s

    @classmethod
    def of_address(cls, what: str, wait_s: float) -> TooOften:
        """Say that too many of something came from an address, such as `games were opened`."""
        return cls(f"Too many {what} from your address; try again in {whole_seconds(wait_s)} seconds.", wait_s)
