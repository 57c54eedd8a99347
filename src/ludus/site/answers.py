"""How the HTTP routes answer."""

from typing import Any

import msgspec
from fastapi import Request, Response

from ludus.errors import LudusError
from ludus.site.faults import status_of
from ludus.site.game import LiveGame
from ludus.site.messages import Fault
from ludus.site.reception import Placed


def as_json(content: object, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    """Return an answer in JSON."""
    return Response(msgspec.json.encode(content), status, headers, "application/json")


def refusal(error: LudusError) -> Response:
    """Return the answer to a request that cannot be served."""
    return as_json(Fault(str(error)), status_of(error))


def seat_of(placed: Placed) -> dict[str, Any]:
    """Return what a person is told of the own seat."""
    return {"playerId": placed.side + 1, "token": placed.token, "socketToken": placed.token}


def link_to(request: Request, game: LiveGame) -> str:
    """Return a game's address, to be given to others."""
    return f"{request.base_url}game/{game.id}"
