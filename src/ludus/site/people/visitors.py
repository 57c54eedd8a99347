"""Who is asking: a guest with a signed cookie, or an account with a session; everybody has a name at once."""

import secrets
from collections.abc import Awaitable, Callable
from http.cookies import CookieError, SimpleCookie
from typing import NamedTuple

from starlette.requests import HTTPConnection
from starlette.responses import Response

from ludus.site.people.accounts import SESSION_DAYS, Account, Accounts
from ludus.site.people.keys import LASTING_DAYS, Signer
from ludus.site.safety.callers import address_of

GUEST, SESSION = "ludus_guest", "ludus_session"
_DAY_S = 86_400
MAX_COOKIE_CHARS = 8192


class Visitor(NamedTuple):
    """Somebody at the site."""

    guest_id: str
    account: Account | None
    session: str | None
    """The secret of the session, of an account."""
    needs_cookie: bool
    """Whether the guest's cookie is missing or getting old."""
    address: str = ""
    """Where the question comes from, as limits count addresses."""
    session_is_old: bool = False
    """Whether it is time to prolong the session, and its cookie with it."""

    @property
    def name(self) -> str:
        """Return what others see."""
        return self.account.name if self.account else f"Guest {self.guest_id[:4]}"

    @property
    def account_name(self) -> str | None:
        """Return what the account is called; None for a guest."""
        return self.account.name if self.account else None

    @property
    def account_id(self) -> str | None:
        """Return whose account it is; None for a guest."""
        return self.account.id if self.account else None


def new_guest() -> Visitor:
    """Return somebody nobody has seen before."""
    return Visitor(f"{secrets.randbelow(9000) + 1000}-{secrets.token_urlsafe(9)}", None, None, needs_cookie=True)


Who = Callable[[HTTPConnection], Awaitable[Visitor]]
"""Says who asks."""


class Visitors:
    """Knows visitors by their cookies."""

    def __init__(self, signer: Signer, accounts: Accounts) -> None:
        self._signer = signer
        self._accounts = accounts

    async def who(self, connection: HTTPConnection) -> Visitor:
        """Return who asks; somebody without cookies, or with forged ones, is a new guest.

        Raises:
            Unavailable: there is a session, and the database cannot be read.
        """
        cookies = _cookies(connection.headers.get("cookie", ""))
        signed = self._signer.read(cookies.get(GUEST, ""))
        session = cookies.get(SESSION)
        found = await self._accounts.of_session(session) if session else None
        account, is_old = found or (None, False)
        return Visitor(
            guest_id=signed.text if signed else new_guest().guest_id,
            account=account,
            session=session if account else None,
            needs_cookie=not (signed and signed.fresh),
            address=address_of(connection),
            session_is_old=is_old,
        )

    def remember_guest(self, response: Response, visitor: Visitor, *, secure: bool) -> None:
        """Give a guest the cookie, if it is missing or getting old."""
        if visitor.needs_cookie:
            _set(response, GUEST, self._signer.sign(visitor.guest_id), LASTING_DAYS, secure=secure)

    def remember_session(self, response: Response, session: str, *, secure: bool) -> None:
        """Give somebody the cookie of a session."""
        _set(response, SESSION, session, SESSION_DAYS, secure=secure)

    def forget_session(self, response: Response, *, secure: bool) -> None:
        """Take the cookie of a session away."""
        _set(response, SESSION, "", 0, secure=secure)


def _set(response: Response, name: str, value: str, days: float, *, secure: bool) -> None:
    response.set_cookie(name, value, max_age=int(days * _DAY_S), path="/", secure=secure, httponly=True, samesite="lax")


def _cookies(header: str) -> dict[str, str]:
    """Return our cookies of a header, which may be anything; of two of one name, the first."""
    found: dict[str, str] = {}
    for part in header[:MAX_COOKIE_CHARS].split(";"):
        name, _, value = part.strip().partition("=")
        if name in (GUEST, SESSION) and name not in found:
            try:
                morsel = SimpleCookie(f"{name}={value}").get(name)
            except CookieError:
                continue
            if morsel:
                found[name] = morsel.value
    return found
