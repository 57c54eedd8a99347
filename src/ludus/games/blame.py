"""Who is to blame when rules or compiled code raise: a rule, since nothing else in there does."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager

from ludus.errors import BadGame, LudusError


@contextmanager
def blaming(game: str) -> Generator[None]:
    """Say of an exception which game's rules raised it.

    Args:
        game: its name.

    Raises:
        BadGame: a rule raised an exception; machine code does not know the line, but `ludus check` finds it.
    """
    try:
        yield
    except LudusError:
        raise
    except Exception as error:
        what = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
        raise BadGame(
            f"{game}: a rule raised {what}; `ludus check {game}` names the rule, the position and the line."
        ) from error
