"""The HTTP routes of an account's mail address: set, confirm and remove it, and stop letters."""

import time
from collections.abc import Callable

from fastapi import Request, Response
from starlette.responses import RedirectResponse

from ludus.errors import BadInput
from ludus.site.database.database import Database
from ludus.site.faults import NotLoggedIn, TooOften
from ludus.site.mail.addresses import CONFIRM_DAYS, Addresses, check_address
from ludus.site.mail.postman import Letter, Postman
from ludus.site.messages.mail import MailDone, MailState, MailToken, NewAddress, WantMail
from ludus.site.people.accounts import Account
from ludus.site.people.visitors import Visitor, Who
from ludus.site.routes.contract import UNKEPT, Answer, Routes, Sent
from ludus.site.safety.limits import AddressLimiter, RateLimit, RateLimiter, whole_seconds
from ludus.site.safety.secrets import hash_of

# pyright: reportUnusedFunction=false
# FastAPI calls the handlers.

NEW_ADDRESSES = RateLimit(most=5, per_s=5 / 86_400)
"""Links to new addresses, for each account, for each receiver, and for each address of visitors: five a day."""


def mail_routes(  # noqa: C901 - a list of routes
    postman: Postman | None, database: Callable[[], Database], who: Who, exempt: set[str]
) -> Routes:
    """Return the routes of mail addresses.

    Args:
        postman: the sender of letters; None if the site sends no mail.
        database: raises Unavailable before the site is open.
        who: returns the visitor of a request.
        exempt: addresses of visitors without limits.
    """
    routes = Routes()
    of_accounts, of_receivers = RateLimiter(NEW_ADDRESSES, time.monotonic), RateLimiter(NEW_ADDRESSES, time.monotonic)
    of_visitors = AddressLimiter(NEW_ADDRESSES, time.monotonic)

    def addresses() -> Addresses:
        return Addresses(database())

    async def owner(request: Request) -> tuple[Visitor, Account]:
        visitor = await who(request)
        if visitor.account is None:
            raise NotLoggedIn("Log in first; guests get no mail.")
        return visitor, visitor.account

    async def state(account: Account) -> Answer[MailState]:
        return Answer(await addresses().state_of(account.id, offered=postman is not None), headers=UNKEPT)

    def may_send(visitor: Visitor, account: Account, receiver: str) -> None:
        waits = [of_accounts.take(account.id), of_receivers.take(hash_of(receiver.lower()))]
        if visitor.address not in exempt:
            waits.append(of_visitors.take(visitor.address))
        if wait_s := max(waits):
            raise TooOften(f"Too many links were sent; try again in {whole_seconds(wait_s / 3600)} hours.", wait_s)

    @routes.get("/api/mail")
    async def mine(request: Request) -> Answer[MailState]:
        _, account = await owner(request)
        return await state(account)

    @routes.put("/api/mail")
    async def set_address(request: Request, told: Sent[NewAddress]) -> Answer[MailState]:
        visitor, account = await owner(request)
        if postman is None:
            raise BadInput("This site sends no mail.")
        address = check_address(told.address)
        may_send(visitor, account, address)
        token = await addresses().begin(account.id, address)
        postman.post(_link(account.name, address, f"{postman.settings.site.rstrip('/')}/mail#confirm={token}"))
        return await state(account)

    @routes.put("/api/mail/wanted")
    async def want(request: Request, told: Sent[WantMail]) -> Answer[MailState]:
        _, account = await owner(request)
        await addresses().want(account.id, wanted=told.wanted)
        return await state(account)

    @routes.delete("/api/mail")
    async def remove(request: Request) -> Answer[MailState]:
        _, account = await owner(request)
        await addresses().remove(account.id)
        return await state(account)

    @routes.post("/api/mail/confirm")
    async def confirm(shown: Sent[MailToken]) -> MailDone:
        await addresses().confirm(shown.token)
        return MailDone()

    @routes.post("/api/mail/stop/{token}")
    async def stop(token: str) -> MailDone:
        """Stop letters; mail programs send this request with one click (RFC 8058)."""
        await addresses().stop(token[:100])
        return MailDone()

    @routes.get("/api/mail/stop/{token}", include_in_schema=False)
    async def ask_to_stop(token: str) -> Response:
        """Show a person the page that stops letters: a request that only looks must change nothing."""
        return RedirectResponse(f"/mail#stop={''.join(each for each in token[:100] if each.isalnum() or each in '-_')}")

    return routes


def _link(name: str, address: str, link: str) -> Letter:
    text = (
        f"Hello {name},\n\nto get letters about your turns in games over days, open this link within "
        f"{CONFIRM_DAYS} days:\n\n{link}\n\nIf you did not ask for this, do nothing; you will get no more mail.\n"
    )
    return Letter(address, "Confirm your mail address", text)
