"""Messages about an account's mail address."""

from typing import Annotated

from msgspec import Struct
from pydantic import Field

from ludus.site.messages.people import AccountBody


class MailState(Struct, frozen=True):
    """The response to `GET /api/mail`, and to changes of the address."""

    offered: bool
    """Whether the site sends mail at all."""
    address: str | None
    """The address with its user name hidden, such as `a…@example.org`; null without an address."""
    confirmed: bool
    wanted: bool
    """Whether the account wants letters about its turns."""


class NewAddress(AccountBody):
    """The body of `PUT /api/mail`: the address, to which the site sends a link."""

    address: Annotated[str, Field(max_length=300)]


class WantMail(AccountBody):
    """The body of `PUT /api/mail/wanted`."""

    wanted: bool


class MailToken(AccountBody):
    """The body of `POST /api/mail/confirm`: the secret of the link."""

    token: Annotated[str, Field(max_length=100)]


class MailDone(Struct, frozen=True):
    """The response to `POST /api/mail/confirm` and `POST /api/mail/stop/{token}`."""

    success: bool = True
