"""Reads what strangers send, JSON into strict models above all, or refuses it; the door has limited its length."""

from typing import TypeVar

from pydantic import BaseModel, ValidationError

from ludus.errors import BadInput, BadMessage

_Model = TypeVar("_Model", bound=BaseModel)


def read_as(model: type[_Model], text: bytes | str, what: str = "message") -> _Model:
    """Return what a text in JSON says; raises BadMessage that names the first fault: "The `what` cannot be read"."""
    try:
        return model.model_validate_json(text)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        # The cause is left out: it quotes what came in, which may be a password.
        raise BadMessage(f"The {what} cannot be read: {where + ': ' if where else ''}{first['msg']}.") from None


def page_number(text: str) -> int:
    """Return the number of a page of a list, counted from 1; raises BadInput."""
    if not text.isdecimal() or len(text) > 6 or not 1 <= int(text) <= 100_000:
        raise BadInput(f"Pages are numbered from 1, not {text[:20]!r}.")
    return int(text)
