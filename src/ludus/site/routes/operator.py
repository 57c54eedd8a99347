"""The HTTP routes of the operator's page, behind the operator's token."""

import logging
from collections.abc import Awaitable, Callable

from fastapi import Request

from ludus.site.faults import NotYours, TooOften
from ludus.site.messages.moderation import OperatorAct, OperatorView
from ludus.site.operator.desk import Desk
from ludus.site.routes.contract import UNKEPT, Answer, Routes, Sent
from ludus.site.safety.limits import AddressLimiter, RateLimit, address_of
from ludus.site.safety.secrets import bearer_token, hash_of, is_same

# pyright: reportUnusedFunction=false
# FastAPI calls the handlers.

_log = logging.getLogger(__name__)

TRIES = RateLimit(most=5, per_s=1 / 60)
"""Wrong tokens of one address; meanwhile its right one is refused too, or the limit would not limit guesses."""


def operator_routes(
    desk: Desk, view: Callable[[], Awaitable[OperatorView]], token: str | None, clock: Callable[[], float]
) -> Routes:
    """Return the routes of the operator's page.

    Unlike those of monitoring, they need the token from the site's own machine too: a proxy there may hide visitors.

    Args:
        desk: does what operators want.
        view: returns what the page shows.
        token: the operator's token; None: nobody has one.
        clock: returns seconds from an arbitrary start.
    """
    routes = Routes()
    tries, kept = AddressLimiter(TRIES, clock), hash_of(token or "")

    def operator_at(request: Request) -> str:
        """Return the operator's address; raise NotYours for a wrong token, TooOften after several."""
        address, given = address_of(request), bearer_token(request)
        if token is None:
            raise NotYours("This site has no operator's token. Start it with --operator-token.")
        wait_s = tries.peek(address)
        if not wait_s and given is not None and is_same(given, kept):
            return address
        wait_s = wait_s or tries.take(address)
        if wait_s:
            raise TooOften.of_address("wrong tokens came", wait_s)
        _log.warning("A wrong operator's token came from %s.", address)
        raise NotYours("This is not the operator's token.")

    @routes.get("/api/operator")
    async def shown(request: Request) -> Answer[OperatorView]:
        operator_at(request)
        return Answer(await view(), headers=UNKEPT)

    @routes.post("/api/operator/acts")
    async def do(request: Request, act: Sent[OperatorAct]) -> Answer[OperatorView]:
        await desk.do(act, operator_at(request))
        return Answer(await view(), headers=UNKEPT)

    return routes
