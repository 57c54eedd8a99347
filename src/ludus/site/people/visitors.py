"""Identify the visitor of a request by cookies: a guest and a device by signed ones, an account by a session."""

import math
import secrets
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from http.cookies import CookieError, SimpleCookie
from typing import NamedTuple

from starlette.requests import HTTPConnection
from starlette.responses import Response

from ludus.site.people.accounts import SESSION_DAYS, Account, Accounts
from ludus.site.people.devices import Device
from ludus.site.people.keys import LASTING_DAYS, Signer
from ludus.site.safety.limits import address_of

GUEST, SESSION, DEVICE = "ludus_guest", "ludus_session", "ludus_device"
_DAY_S = 86_400
MAX_COOKIE_CHARS = 8192
MAX_SEEN = 20_000
"""Accounts whose latest request is remembered."""


class Visitor(NamedTuple):
    """The person who sent a request: a guest, or an account that is logged in."""

    guest_id: str
    account: Account | None
    session: str | None
    """Token of the account's session; None for a guest."""
    needs_cookie: bool
    """Whether the guest's cookie is missing or must be renewed."""
    address: str = ""
    """The request's address as a key for limits."""
    session_is_old: bool = False
    """Whether the session's cookie must be set again; `known_of` then also prolongs the session."""
    device: Device = Device()

    @property
    def name(self) -> str:
        """Return the name that other people see."""
        return self.account.name if self.account else f"Guest {self.guest_id[:4]}"

    @property
    def person(self) -> str:
        """Return the key of the person, `account ID` or `guest ID`: the same on all pages that the person has open."""
        return f"account {self.account.id}" if self.account else f"guest {self.guest_id}"

    @property
    def account_name(self) -> str | None:
        """Return the account's name; None for a guest."""
        return self.account.name if self.account else None

    @property
    def account_id(self) -> str | None:
        """Return the account's id; None for a guest."""
        return self.account.id if self.account else None


def new_guest() -> Visitor:
    """Return a guest with a new random id."""
    return Visitor(f"{secrets.randbelow(9000) + 1000}-{secrets.token_urlsafe(9)}", None, None, needs_cookie=True)


Who = Callable[[HTTPConnection], Awaitable[Visitor]]
"""Returns the visitor of a request."""


class Visitors:
    """Identifies visitors by their cookies, and sets these cookies."""

    def __init__(self, signer: Signer, accounts: Accounts) -> None:
        self._signer = signer
        self._accounts = accounts
        self._seen: OrderedDict[str, float] = OrderedDict()  # when an account sent its latest request, by its id

    async def who(self, connection: HTTPConnection) -> Visitor:
        """Return the visitor of a request; without valid cookies, a new guest.

        Raises:
            Unavailable: the session cannot be looked up.
        """
        cookies = _cookies(connection.headers.get("cookie", ""))
        signed = self._signer.read(cookies.get(GUEST, ""))
        session = cookies.get(SESSION)
        found = await self._accounts.of_session(session) if session else None
        account, is_old = found or (None, False)
        if account:
            self._seen.pop(account.id, None)
            self._seen[account.id] = time.monotonic()
            if len(self._seen) > MAX_SEEN:
                self._seen.popitem(last=False)
        return Visitor(
            guest_id=signed.text if signed else new_guest().guest_id,
            account=account,
            session=session if account else None,
            needs_cookie=not (signed and signed.fresh),
            address=address_of(connection),
            session_is_old=is_old,
            device=Device.of_cookie(self._signer, cookies.get(DEVICE, "")),
        )

    def seen_s(self, account_id: str) -> float:
        """Return how many seconds ago an account sent its latest request; infinity if it is not known."""
        return time.monotonic() - self._seen.get(account_id, -math.inf)

    def set_cookies(self, response: Response, visitor: Visitor, *, secure: bool) -> None:
        """Set the cookies that are missing or must be renewed."""
        if visitor.session and visitor.session_is_old:
            set_cookie(response, SESSION, visitor.session, SESSION_DAYS, secure=secure)
        if visitor.needs_cookie:
            set_cookie(response, GUEST, self._signer.sign(visitor.guest_id), LASTING_DAYS, secure=secure)

    def remember_device(self, response: Response, device: Device, *, secure: bool) -> None:
        """Set the cookie of a device after a log-in."""
        set_cookie(response, DEVICE, device.cookie(self._signer), LASTING_DAYS, secure=secure)


def set_cookie(response: Response, name: str, value: str, days: float, *, secure: bool) -> None:
    """Set a cookie that scripts cannot read; 0 days delete it."""
    response.set_cookie(name, value, max_age=int(days * _DAY_S), path="/", secure=secure, httponly=True, samesite="lax")


def _cookies(header: str) -> dict[str, str]:
    """Parse the site's cookies in a Cookie header, however malformed; the first cookie of each name counts."""
    found: dict[str, str] = {}
    for part in header[:MAX_COOKIE_CHARS].split(";"):
        name, _, value = part.strip().partition("=")
        if name in (GUEST, SESSION, DEVICE) and name not in found:
            try:
                morsel = SimpleCookie(f"{name}={value}").get(name)
            except CookieError:
                continue
            if morsel:
                found[name] = morsel.value
    return found
