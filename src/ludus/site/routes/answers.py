"""How the HTTP routes answer: with structs, declared by the type that a handler returns, and with files."""

import re
from typing import Generic, TypeVar
from urllib.parse import quote

import msgspec
from fastapi import Request, Response

from ludus.errors import LudusError
from ludus.site.faults import TooOften, status_of
from ludus.site.live.game import LiveGame
from ludus.site.messages.page import Fault
from ludus.site.safety.limits import whole_seconds

UNKEPT = {"Cache-Control": "no-store"}
"""Headers of an answer that is for one person: nobody on the way keeps it."""
_Content = TypeVar("_Content")


class Answer(Response, Generic[_Content]):
    """An answer in JSON, for a handler that has more to say than a struct: a status, headers, cookies."""

    media_type = "application/json"

    def __init__(self, content: _Content, status: int = 200, headers: dict[str, str] | None = None) -> None:
        super().__init__(msgspec.json.encode(content), status, headers)


class TextFile(Response):
    """A text that browsers keep as a file."""

    media_type = "text/plain"


def refusal(error: LudusError) -> Response:
    """Return the answer to a request that cannot be served."""
    wait_s = error.wait_s if isinstance(error, TooOften) else None
    headers = None if wait_s is None else {"Retry-After": str(whole_seconds(wait_s))}
    return Answer(Fault(str(error)), status_of(error), headers)


def as_file(text: str, name: str) -> TextFile:
    """Return an answer that browsers keep as a file of this name; who knows ASCII alone takes another (RFC 6266)."""
    plain = re.sub(r"[^A-Za-z0-9.-]", "_", name)
    told = f'attachment; filename="{plain}"' + ("" if plain == name else f"; filename*=UTF-8''{quote(name, safe='')}")
    return TextFile(text.encode(), 200, {"Content-Disposition": told}, "text/plain; charset=utf-8")


def link_to(request: Request, game: LiveGame) -> str:
    """Return a game's address, to be given to others."""
    return f"{request.base_url}game/{game.id}"
