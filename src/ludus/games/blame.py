"""Who is to blame when rules or compiled code raise: a rule, since nothing else in there does."""

from __future__ import annotations

from types import TracebackType

from ludus.errors import BadGame, LudusError


class Blaming:
    """A context that says of an exception which game's rules raised it; it costs a batch next to nothing.

    Raises:
        BadGame: a rule raised an exception; machine code does not know the line, but `ludus check` finds it.
    """

    __slots__ = ("_game",)

    def __init__(self, game: str) -> None:
        """Blame the rules of the game of this name."""
        self._game = game

    def __enter__(self) -> None:
        """Begin."""

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        """Turn an exception that is none of Ludus's own into one sentence."""
        if not isinstance(error, Exception) or isinstance(error, LudusError):
            return
        what = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
        raise BadGame(
            f"{self._game}: a rule raised {what}; `ludus check {self._game}` names the rule, the position and the line."
        ) from error
