"""The HTTP routes of accounts, sessions, ratings, and bot tokens."""

from collections.abc import Callable
from typing import Annotated

import msgspec
from fastapi import Query, Request, Response

from ludus.errors import BadInput, BadMessage, Unavailable
from ludus.site.faults import Banned, NameTaken, NotLoggedIn, TooOften
from ludus.site.messages import people as messages
from ludus.site.messages.page import Fault
from ludus.site.messages.reading import page_number
from ludus.site.people.accounts import Account
from ludus.site.people.devices import Guesses
from ludus.site.people.passwords import Asker
from ludus.site.people.people import People
from ludus.site.people.visitors import SESSION, Visitor, set_cookie
from ludus.site.routes.contract import UNKEPT, Answer, Routes, Sent
from ludus.site.safety.limits import AddressLimiter
from ludus.site.safety.secrets import public_key
from ludus.site.safety.settings import SafetySettings
from ludus.site.table.clock import CLASSES

# pyright: reportUnusedFunction=false
# FastAPI calls the handlers.

_Name = Annotated[str, msgspec.Meta(pattern=r"^[A-Za-z][\w.-]{0,39}\Z")]
_Value = bool | int | float | Annotated[str, msgspec.Meta(max_length=200)]
_Settings = Annotated[dict[_Name, _Value], msgspec.Meta(max_length=64)]
"""Settings that the page stores with an account; the page chooses their names."""
_SETTINGS_BODY = {
    "requestBody": {"required": True, "content": {"application/json": {"schema": msgspec.json.schema(_Settings)}}}
}


def people_routes(  # noqa: C901 - a list of routes
    people: Callable[[], People],
    is_of_a_bot: Callable[[str], bool],
    is_here: Callable[[str], bool],
    safety: SafetySettings,
    clock: Callable[[], float],
) -> Routes:
    """Return the routes of accounts, sessions, ratings and bot tokens.

    Args:
        people: returns accounts, ratings and tokens; raises Unavailable before the site is open.
        is_of_a_bot: returns whether a name is the name of an attached bot, or looks like it.
        is_here: returns whether an account, given its id, has a page open.
        safety: the rate limits.
        clock: returns seconds from an arbitrary start.
    """
    routes = Routes()
    guesses, new = Guesses(clock), AddressLimiter(safety.new_accounts, clock)
    unlimited = safety.exempt()

    async def known_of(visitor: Visitor) -> list[messages.RatingInfo]:
        """Return an account's ratings, and prolong its session.

        Both may fail, so handlers call this before they change anything.
        """
        if visitor.session and visitor.session_is_old:
            await people().accounts.prolong(visitor.session)
        return await people().ratings.of(visitor.account.id) if visitor.account else []

    def me(
        request: Request, visitor: Visitor, known: list[messages.RatingInfo], status: int = 200
    ) -> Answer[messages.Me]:
        account = visitor.account
        settings, key = account.settings if account else {}, public_key(visitor.person)
        told = messages.Me(visitor.name, account is not None, settings, known, key)
        answer = Answer(told, status, UNKEPT)
        people().visitors.set_cookies(answer, visitor, secure=request.url.scheme == "https")
        return answer

    def nobody(request: Request, visitor: Visitor) -> Answer[messages.Me]:
        answer = me(request, visitor._replace(account=None, session=None), [])
        set_cookie(answer, SESSION, "", 0, secure=request.url.scheme == "https")
        return answer

    async def owner(request: Request) -> tuple[Visitor, Account]:
        visitor = await people().visitors.who(request)
        if not visitor.account:
            raise NotLoggedIn("Log in first; guests have no account.")
        return visitor, visitor.account

    def logged_in(
        request: Request,
        visitor: Visitor,
        account: Account,
        session: str,
        known: list[messages.RatingInfo],
        status: int,
    ) -> Answer[messages.Me]:
        guesses.succeeded(account.name, visitor.address)
        answer = me(request, visitor._replace(account=account, session=session, session_is_old=True), known, status)
        device = visitor.device.with_name(account.name)
        people().visitors.remember_device(answer, device, secure=request.url.scheme == "https")
        return answer

    async def proved(visitor: Visitor, account: Account, password: str) -> str:
        """Check the password of an account that is logged in, and return its hash."""
        assert visitor.session, "an owner is logged in"
        guesses.take_own(account.name, visitor.session)
        return await people().accounts.check(account, password, Asker(visitor.address, is_known=True))

    def may_register(address: str) -> None:
        wait_s = 0.0 if address in unlimited else new.take(address)
        if wait_s:
            raise TooOften.of_address("account registrations came", wait_s)

    @routes.get("/api/me")
    async def who_am_i(request: Request) -> Answer[messages.Me]:
        visitor = await people().visitors.who(request)
        return me(request, visitor, await known_of(visitor))

    @routes.post("/api/account", status_code=201)
    async def register(request: Request, wanted: Sent[messages.Credentials]) -> Answer[messages.Me]:
        visitor = await people().visitors.who(request)
        may_register(visitor.address)
        if is_of_a_bot(wanted.name):
            raise NameTaken(f"The name {wanted.name} is the name of a bot, or looks like it. Choose another name.")
        account = await people().accounts.register(wanted.name, wanted.password, Asker(visitor.address))
        try:
            session = await people().accounts.open_session(account)
        except Unavailable as error:
            raise Unavailable(
                f"The account {account.name} was created, but the database is too busy to log you in. Log in later."
            ) from error
        return logged_in(request, visitor, account, session, [], 201)  # a new account has no ratings

    @routes.post("/api/session")
    async def log_in(request: Request, told: Sent[messages.Credentials]) -> Answer[messages.Me]:
        visitor = await people().visitors.who(request)
        guesses.take(told.name, visitor.device, visitor.address)
        asker = Asker(visitor.address, guesses.is_known(told.name, visitor.device, visitor.address))
        account, session = await people().accounts.log_in(told.name, told.password, asker)
        if ban := people().restrictions.of("ban", f"account {account.id}"):
            await people().accounts.close_session(session)
            raise Banned(ban.sentence)
        return logged_in(request, visitor, account, session, await people().ratings.of(account.id), 200)

    @routes.delete("/api/session")
    async def log_out(request: Request) -> Answer[messages.Me]:
        visitor = await people().visitors.who(request)
        if visitor.session:
            await people().accounts.close_session(visitor.session)
        return nobody(request, visitor)

    @routes.put("/api/account/password")
    async def change_password(request: Request, told: Sent[messages.NewPassword]) -> Answer[messages.Me]:
        visitor, account = await owner(request)
        assert visitor.session, "an owner is logged in"
        checked = await proved(visitor, account, told.password)
        known = await known_of(visitor)
        asker = Asker(visitor.address, is_known=True)
        await people().accounts.change_password(account, checked, told.new_password, visitor.session, asker)
        return me(request, visitor, known)

    @routes.put("/api/account/settings", openapi_extra=_SETTINGS_BODY)
    async def change_settings(request: Request) -> Answer[messages.Me]:
        visitor, account = await owner(request)
        try:
            settings = msgspec.json.decode(await request.body(), type=_Settings)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
            sentence = (
                "The request cannot be read: settings are a JSON object whose values are booleans, numbers or strings"
            )
            raise BadMessage(f"{sentence} ({error}).") from error
        known = await known_of(visitor)
        changed = await people().accounts.set_settings(account, settings)
        return me(request, visitor._replace(account=changed), known)

    @routes.delete("/api/account")
    async def end_account(request: Request, told: Sent[messages.Password]) -> Answer[messages.Me]:
        visitor, account = await owner(request)
        await people().accounts.end(account, await proved(visitor, account, told.password))
        return nobody(request, visitor)

    @routes.get("/api/ratings")
    async def best(
        game: str = "", speed: Annotated[str, Query(alias="timeClass")] = "unlimited", page: str = "1"
    ) -> Answer[messages.RatingPage]:
        if speed not in CLASSES:
            raise BadInput(f"There is no time class {speed[:20]!r}. Choose one of {', '.join(CLASSES)}.")
        number = page_number(page)
        found, pages = await people().ratings.best(game if ":" in game else f"{game}:standard", speed, number)
        return Answer(messages.RatingPage(found, number, pages), headers=UNKEPT)

    @routes.get("/api/ratings/lists")
    async def lists() -> Answer[messages.RatingLists]:
        return Answer(messages.RatingLists(await people().ratings.lists()), headers=UNKEPT)

    @routes.get("/api/people/{name}")
    async def person(name: str) -> Answer[messages.Person | Fault]:
        account = await people().accounts.named(name[:200])
        if account is None:
            return Answer(Fault(f"There is no account named {name[:40]!r}."), 404, UNKEPT)
        known = await people().ratings.of(account.id)
        here, welcome, key = account.is_shown(is_here), account.welcome, public_key(f"account {account.id}")
        told = messages.Person(account.name, account.made_at.timestamp(), known, here, welcome, key)
        return Answer(told, headers=UNKEPT)

    @routes.get("/api/people/{name}/ratings")
    async def history(
        name: str, game: str = "", speed: Annotated[str, Query(alias="timeClass")] = "unlimited"
    ) -> Answer[messages.RatingHistory | Fault]:
        account = await people().accounts.named(name[:200])
        if account is None:
            return Answer(Fault(f"There is no account named {name[:40]!r}."), 404, UNKEPT)
        points = await people().ratings.history(account.id, game[:150], speed[:20])
        return Answer(messages.RatingHistory(points), headers=UNKEPT)

    @routes.get("/api/bot-tokens")
    async def my_tokens(request: Request) -> Answer[messages.TokenList]:
        _, account = await owner(request)
        return Answer(messages.TokenList(await people().tokens.of(account)), headers=UNKEPT)

    @routes.post("/api/bot-tokens", status_code=201)
    async def make_token(request: Request, wanted: Sent[messages.ClaimClient]) -> Answer[messages.NewToken]:
        _, account = await owner(request)
        token = await people().tokens.make(account, wanted.client_id)
        return Answer(messages.NewToken(wanted.client_id, token), 201, UNKEPT)

    @routes.delete("/api/bot-tokens/{client_id:path}", status_code=204)  # a client's name may contain slashes
    async def end_token(request: Request, client_id: str) -> Response:
        _, account = await owner(request)
        if not await people().tokens.end(account, client_id):
            return Answer(Fault("You have no token for this client."), 404, UNKEPT)
        return Response(status_code=204)

    return routes
