"""Parses untrusted input into strict models; the callers have already limited its length."""

from typing import TypeVar

from pydantic import BaseModel, ValidationError

from ludus.errors import BadInput, BadMessage

MAX_ERRORS = 100
"""Most errors of an input of which the first is quoted: Pydantic describes the first only together with all others."""
_Model = TypeVar("_Model", bound=BaseModel)


def read_as(model: type[_Model], text: bytes | str, what: str = "message") -> _Model:
    """Parse JSON into a model; raise BadMessage, "The `what` cannot be read: ...", if invalid, with the first error."""
    try:
        return model.model_validate_json(text)
    except ValidationError as error:
        if error.error_count() > MAX_ERRORS:
            raise BadMessage(f"The {what} cannot be read: it has {error.error_count()} errors.") from None
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        # The cause is left out, because it quotes the input, which may be a password.
        raise BadMessage(f"The {what} cannot be read: {where + ': ' if where else ''}{first['msg']}.") from None


def page_number(text: str) -> int:
    """Parse a page number, counted from 1; raises BadInput."""
    if not text.isdecimal() or len(text) > 6 or not 1 <= int(text) <= 100_000:
        raise BadInput(f"{text[:20]!r} is not a page number. Pages are numbered from 1.")
    return int(text)
