"""How the HTTP routes answer."""

import re
from typing import Any
from urllib.parse import quote

import msgspec
from fastapi import Request, Response

from ludus.errors import LudusError
from ludus.site.faults import TooOften, status_of
from ludus.site.live.game import LiveGame
from ludus.site.lobby.reception import Placed
from ludus.site.messages.page import Fault
from ludus.site.safety.limits import whole_seconds

UNKEPT = {"Cache-Control": "no-store"}
"""Headers of an answer that is for one person: nobody on the way keeps it."""


def as_json(content: object, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    """Return an answer in JSON."""
    return Response(msgspec.json.encode(content), status, headers, "application/json")


def refusal(error: LudusError) -> Response:
    """Return the answer to a request that cannot be served."""
    wait_s = error.wait_s if isinstance(error, TooOften) else None
    headers = None if wait_s is None else {"Retry-After": str(whole_seconds(wait_s))}
    return as_json(Fault(str(error)), status_of(error), headers)


def as_file(text: str, name: str) -> Response:
    """Return an answer that browsers keep as a file of this name; who knows ASCII alone takes another (RFC 6266)."""
    plain = re.sub(r"[^A-Za-z0-9.-]", "_", name)
    told = f'attachment; filename="{plain}"' + ("" if plain == name else f"; filename*=UTF-8''{quote(name, safe='')}")
    return Response(text.encode(), 200, {"Content-Disposition": told}, "text/plain; charset=utf-8")


def seat_of(placed: Placed) -> dict[str, Any]:
    """Return what a person is told of the own seat."""
    return {"playerId": placed.side + 1, "token": placed.token, "socketToken": placed.token}


def link_to(request: Request, game: LiveGame) -> str:
    """Return a game's address, to be given to others."""
    return f"{request.base_url}game/{game.id}"
