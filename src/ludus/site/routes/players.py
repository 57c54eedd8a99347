"""The HTTP route that searches for players by name, while a person types."""

from collections.abc import Callable

from fastapi import Request

from ludus.errors import BadInput
from ludus.site.catalogue.listing import Listing
from ludus.site.catalogue.specs import title_of
from ludus.site.faults import TooOften
from ludus.site.messages.people import BotFound, PersonFound, PlayersFound
from ludus.site.people.people import People
from ludus.site.people.visitors import Who
from ludus.site.routes.contract import UNKEPT, Answer, Routes
from ludus.site.safety.limits import AddressLimiter
from ludus.site.safety.names import folded
from ludus.site.safety.settings import SafetySettings

# pyright: reportUnusedFunction=false
# FastAPI calls the handlers.

MAX_FOUND = 8
"""Most people, and most bots, in an answer."""
MAX_CHARS = 40


def player_routes(
    people: Callable[[], People],
    listing: Listing,
    is_here: Callable[[str], bool],
    who: Who,
    safety: SafetySettings,
    clock: Callable[[], float],
) -> Routes:
    """Return the route of searches for players.

    Args:
        people: returns accounts; raises Unavailable before the site is open.
        listing: the bots.
        is_here: returns whether an account, given its id, has a page open.
        who: returns the visitor of a request.
        safety: the rate limits.
        clock: returns seconds; only differences matter.
    """
    routes = Routes()
    limit, unlimited = AddressLimiter(safety.searches, clock), safety.exempt()

    @routes.get("/api/players")
    async def search(request: Request, name: str = "") -> Answer[PlayersFound]:
        wanted = folded(name[: MAX_CHARS + 1]).strip()
        if not wanted or len(name) > MAX_CHARS:
            raise BadInput(f"Search for a name of 1 to {MAX_CHARS} characters.")
        visitor = await who(request)
        wait_s = 0.0 if visitor.address in unlimited else limit.take(visitor.address)
        if wait_s:
            raise TooOften.of_address("searches came", wait_s)
        found = await people().accounts.beginning_with(wanted, MAX_FOUND)
        bots: dict[str, BotFound] = {}
        for offer in (await listing.now(visitor.account_name)).offers:
            if len(bots) < MAX_FOUND and str(offer.key) not in bots and wanted in folded(offer.bot.name):
                title = title_of(offer.offer.spec)
                bots[str(offer.key)] = BotFound(
                    str(offer.key), offer.bot.name, offer.bot.level, offer.offer.spec, title
                )
        told = [PersonFound(each.name, each.is_shown(is_here), each.welcome) for each in found]
        return Answer(PlayersFound(told, [*bots.values()]), headers=UNKEPT)

    return routes
