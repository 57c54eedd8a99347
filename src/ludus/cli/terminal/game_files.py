"""Options and arguments that name games: the files that they name may run (`ludus.trust`)."""

from typing import Annotated, TypeVar

import typer

from ludus import trust

T = TypeVar("T", str, list[str], None)


def named(value: T) -> T:
    """Permit the files of the games that an option or argument names, as its callback; return the value."""
    trust.permit(*([value] if isinstance(value, str) else value or ()))
    return value


GameFiles = Annotated[
    list[str] | None,
    typer.Option(
        "--game",
        metavar="FILE",
        help="A game's file that may run because you trust it, if models or runs mention it and no command of yours "
        "has named it before; repeatable.",
        callback=named,
    ),
]
