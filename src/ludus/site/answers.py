"""How the HTTP routes read what they are sent, and answer."""

from typing import Any

import msgspec
from fastapi import Request, Response

from ludus.errors import BadInput, LudusError
from ludus.site.faults import NotYours, status_of
from ludus.site.game import LiveGame
from ludus.site.incoming import MAX_BYTES
from ludus.site.messages import Fault
from ludus.site.origin import is_welcome
from ludus.site.reception import Placed
from ludus.site.settings import SiteSettings


class TooLong(BadInput):
    """A body that is longer than any request needs."""


async def body_of(request: Request, settings: SiteSettings) -> bytes:
    """Return what was sent with a request.

    Raises:
        NotYours: a page of another site sent it.
        TooLong: it is longer than any request needs.
    """
    headers = request.headers
    if not is_welcome(headers.get("origin"), headers.get("host"), settings.allowed_origins):
        raise NotYours("Pages of other sites cannot play here.")
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > MAX_BYTES:
            raise TooLong("The request is too long.")
    return body


def as_json(content: object, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    """Return an answer in JSON."""
    return Response(msgspec.json.encode(content), status, headers, "application/json")


def refusal(error: LudusError) -> Response:
    """Return the answer to a request that cannot be served."""
    return as_json(Fault(str(error)), 413 if isinstance(error, TooLong) else status_of(error))


def seat_of(placed: Placed) -> dict[str, Any]:
    """Return what a person is told of the own seat."""
    return {"playerId": placed.side + 1, "token": placed.token, "socketToken": placed.token}


def link_to(request: Request, game: LiveGame) -> str:
    """Return a game's address, to be given to others."""
    return f"{request.base_url}game/{game.id}"
