"""Who is to blame when a game's functions raise: an author's line, or rules that have become machine code."""

from __future__ import annotations

import sysconfig
from collections.abc import Callable
from functools import wraps
from inspect import CO_OPTIMIZED
from pathlib import Path
from traceback import walk_tb
from types import CodeType, TracebackType
from typing import Any, NamedTuple, ParamSpec, TypeVar

from ludus.errors import BadGame, LudusError

P = ParamSpec("P")
R = TypeVar("R")

_LUDUS = Path(__file__).parents[1]
_LIBRARIES = [Path(sysconfig.get_path(name)) for name in ("stdlib", "platstdlib")]
_INSTALLED = {"site-packages", "dist-packages"}


class Place(NamedTuple):
    """A line that an exception passed through."""

    file: str
    line: int
    function: str

    def __str__(self) -> str:
        """Show it as people name the file, from where they are."""
        path = Path(self.file)
        return f"{path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path}, line {self.line}"

    @property
    def is_ours(self) -> bool:
        """Return whether the file is one of Ludus."""
        return Path(self.file).is_relative_to(_LUDUS)

    @property
    def is_a_librarys(self) -> bool:
        """Return whether the file is Python's or an installed package's, or none at all, as `<string>`."""
        path = Path(self.file)
        installed = bool(_INSTALLED & set(path.parts)) or any(map(path.is_relative_to, _LIBRARIES))
        return not self.is_ours and (installed or self.file.startswith("<"))


def places(error: BaseException) -> list[Place]:
    """Return the lines of authors' files that an exception passed through, the one that raised it last."""
    return [place for place in _places(error) if not place.is_ours]


def _places(error: BaseException) -> list[Place]:
    passed = [(frame.f_code, line) for frame, line in walk_tb(error.__traceback__)]
    found = [Place(code.co_filename, line, code.co_name) for code, line in passed if not _is_machine_code(code)]
    return [place for place in found if not place.is_a_librarys]


def _is_machine_code(code: CodeType) -> bool:
    """Return whether Numba has made this up: it names the file that machine code was first made of, perhaps a copy."""
    return code.co_name != "<module>" and not code.co_flags & CO_OPTIMIZED


def said(error: BaseException) -> str:
    """Return what an exception says, in one line: `NameError: name 'one' is not defined`."""
    text = " ".join(str(error).split()).rstrip(".")
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def origin(error: Exception) -> Exception:
    """Return what a game's function raised, of which a sentence may have been made since."""
    return error.__cause__ if isinstance(error, BadGame) and isinstance(error.__cause__, Exception) else error


def authors_fault(error: Exception, game: str) -> BadGame | None:
    """Return what to say of an exception that an author's line raised; None if Ludus raised it, or on purpose."""
    passed = _places(error)
    if isinstance(error, LudusError) or not passed or passed[-1].is_ours:
        return None
    called = next(place.function for place in passed if not place.is_ours)
    who = "a lambda" if called == "<lambda>" else f"{called}()"
    return BadGame(f"{passed[-1]}: {who} raises {said(error)}; `ludus check {game}` tries all rules.")


def blamed(game: Any, function: Callable[P, R]) -> Callable[P, R]:  # noqa: ANN401 - a Game, which is made of these
    """Return a function of a game for people, whose exceptions become one sentence where an author's line raises them.

    What Ludus itself raises, in a game of its own too, stays as it is.
    """

    @wraps(function)
    def asked(*arguments: P.args, **named: P.kwargs) -> R:
        try:
            return function(*arguments, **named)
        except Exception as error:
            if fault := authors_fault(error, game.name) or _unfit(error, function, game.name):
                raise fault from error
            raise

    return asked


def _unfit(error: Exception, function: Callable[..., Any], game: str) -> BadGame | None:
    """Return what to say of an author's function that cannot be called as Ludus calls it."""
    code = getattr(function, "__code__", None)
    was_begun = not error.__traceback__ or error.__traceback__.tb_next
    if was_begun or not code or (place := Place(code.co_filename, code.co_firstlineno, code.co_name)).is_ours:
        return None
    return BadGame(f"{place}: {said(error)}; `ludus check {game}` tries all rules.")


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
        remedy = f"`ludus check {self._game}` names the rule, the position and the line"
        raise authors_fault(error, self._game) or BadGame(
            f"{self._game}: a rule raised {said(error)}; {remedy}."
        ) from error
