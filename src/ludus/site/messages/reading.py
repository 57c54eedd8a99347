"""Parses untrusted input into strict models; the callers have already limited its length."""

from typing import TypeVar

from pydantic import BaseModel, ValidationError

from ludus.errors import BadInput, BadMessage

_Model = TypeVar("_Model", bound=BaseModel)


def read_as(model: type[_Model], text: bytes | str, what: str = "message") -> _Model:
    """Parse JSON into a model; raise BadMessage with the first error, "The `what` cannot be read: ...", if invalid."""
    try:
        return model.model_validate_json(text)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        # The cause is left out, because it quotes the input, which may be a password.
        raise BadMessage(f"The {what} cannot be read: {where + ': ' if where else ''}{first['msg']}.") from None


def page_number(text: str) -> int:
    """Parse a page number, counted from 1; raises BadInput."""
    if not text.isdecimal() or len(text) > 6 or not 1 <= int(text) <= 100_000:
        raise BadInput(f"{text[:20]!r} is not a page number. Pages are numbered from 1.")
    return int(text)
