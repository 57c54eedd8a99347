"""The HTTP routes of visitors against abuse: reports to the operator, and blocks of people."""

from collections.abc import Callable

from fastapi import Request

from ludus.errors import BadInput
from ludus.site.faults import NotHere, TooOften
from ludus.site.live.live_games import LiveGames
from ludus.site.messages.moderation import BlockedPeople, BlockPerson, SendReport
from ludus.site.moderation.blocks import Blocks
from ludus.site.moderation.reports import Reported, Reports
from ludus.site.people.people import People
from ludus.site.people.visitors import Visitor
from ludus.site.routes.contract import UNKEPT, Answer, Routes, Sent
from ludus.site.safety.limits import AddressLimiter, RateLimit, address_of

# pyright: reportUnusedFunction=false
# FastAPI calls the handlers.

NEW_BLOCKS = RateLimit(most=20, per_s=1 / 30)
"""Blocks of one address."""


def moderation_routes(  # noqa: C901 - a list of routes
    live_games: LiveGames,
    blocks: Blocks,
    reports: Callable[[], Reports],
    people: Callable[[], People],
    unlimited: set[str],
    clock: Callable[[], float],
) -> Routes:
    """Return the routes of reports and blocks.

    Args:
        live_games: the games in memory.
        blocks: the blocks between people.
        reports: returns the reports; raises Unavailable before the site is open.
        people: returns the accounts and visitors; raises Unavailable before the site is open.
        unlimited: addresses without limits.
        clock: returns seconds from an arbitrary start.
    """
    routes = Routes()
    new_blocks = AddressLimiter(NEW_BLOCKS, clock)

    async def reported(request: Request, report: SendReport) -> Reported:
        if report.game_id is None:
            account = await people().accounts.named(report.name or "")
            if account is None:
                raise NotHere("There is no account with this name.")
            return Reported(f"account {account.id}", account.name)
        game = await live_games.find(report.game_id, address_of(request))
        if report.line is not None:
            line = game.chat.line(report.line)
            if line is None:
                raise NotHere("The site no longer has this message. Report the person instead.")
            return Reported(line.person, line.said.name, line.address, game.id, line.said.text)
        if report.side is None or game.seats[report.side].kind != "person":
            raise BadInput("Say whom you report: the side of a person in this game, or a message of its chat.")
        address = next((each.address for each in game.presence.watchers if each.you == report.side), "")
        return Reported(game.people[report.side], game.seats[report.side].name, address, game.id)

    def own(request: Request, visitor: Visitor, status: int = 200) -> Answer[BlockedPeople]:
        """Return the visitor's blocks, and set the cookie by which a guest is known again."""
        answer = Answer(BlockedPeople(blocks.of(visitor.person)), status, UNKEPT)
        people().visitors.set_cookies(answer, visitor, secure=request.url.scheme == "https")
        return answer

    @routes.post("/api/reports", status_code=201)
    async def send_report(request: Request, report: Sent[SendReport]) -> Answer[BlockedPeople]:
        visitor = await people().visitors.who(request)
        about = await reported(request, report)
        await reports().add((visitor.person, visitor.name, visitor.address), about, report.why)
        return own(request, visitor, 201)

    @routes.get("/api/me/blocks")
    async def my_blocks(request: Request) -> Answer[BlockedPeople]:
        return own(request, await people().visitors.who(request))

    @routes.post("/api/me/blocks", status_code=201)
    async def block(request: Request, wanted: Sent[BlockPerson]) -> Answer[BlockedPeople]:
        visitor = await people().visitors.who(request)
        wait_s = 0.0 if visitor.address in unlimited else new_blocks.take(visitor.address)
        if wait_s:
            raise TooOften.of_address("blocks came", wait_s)
        await blocks.add(visitor.person, wanted.key, wanted.name)
        return own(request, visitor, 201)

    @routes.delete("/api/me/blocks/{key}")
    async def unblock(request: Request, key: str) -> Answer[BlockedPeople]:
        visitor = await people().visitors.who(request)
        await blocks.remove(visitor.person, key[:16])
        return own(request, visitor)

    return routes
