"""Turns exceptions in a game author's functions into a `BadGame` that names the author's file and line."""

from __future__ import annotations

import reprlib
import sysconfig
import textwrap
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
_games: set[Path] = set()  # folders and files of installed games


class Place(NamedTuple):
    """A source line in an exception's traceback."""

    file: str
    line: int
    function: str

    def __str__(self) -> str:
        """Return `FILE, line N`, with the path relative to the working directory if possible."""
        path = Path(self.file)
        return f"{path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path}, line {self.line}"

    @property
    def is_ours(self) -> bool:
        """Return whether the file belongs to Ludus."""
        return Path(self.file).is_relative_to(_LUDUS)

    @property
    def is_a_librarys(self) -> bool:
        """Return whether the file belongs to Python or an installed package, or is no file, such as `<string>`."""
        path = Path(self.file)
        if any(map(path.is_relative_to, _games)):
            return False
        installed = bool(_INSTALLED & set(path.parts)) or any(map(path.is_relative_to, _LIBRARIES))
        return not self.is_ours and (installed or self.file.startswith("<"))


def add_game(file: Path) -> None:
    """Count the module of an installed game, with the other files of its package, as an author's files."""
    _games.add(file.parent if file.name == "__init__.py" else file)


def places(error: BaseException) -> list[Place]:
    """Return the traceback's lines outside Ludus and libraries; the last one raised the exception."""
    return [place for place in _places(error) if not place.is_ours]


def _places(error: BaseException) -> list[Place]:
    passed = [(frame.f_code, line) for frame, line in walk_tb(error.__traceback__)]
    found = [Place(code.co_filename, line, code.co_name) for code, line in passed if not _is_machine_code(code)]
    return [place for place in found if not place.is_a_librarys]


def _is_machine_code(code: CodeType) -> bool:
    """Return whether Numba generated this code object; its file name is then that of the first compiled copy."""
    return code.co_name != "<module>" and not code.co_flags & CO_OPTIMIZED


def said(error: BaseException) -> str:
    """Return an exception's type and message in one line: `NameError: name 'one' is not defined`."""
    text = " ".join(str(error).split()).rstrip(".")
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


class _Shown(reprlib.Repr):
    """Short forms of values that end between words."""

    def repr_str(self, x: str, level: int) -> str:  # noqa: ARG002 - as in the base class
        return repr(textwrap.shorten(x, 2 * self.maxstring, placeholder=" ..."))

    def repr_instance(self, x: object, level: int) -> str:  # noqa: ARG002
        return textwrap.shorten(repr(x), 4 * self.maxother, placeholder=" ...")


shown = _Shown().repr
"""Return the representation of a value, shortened between words or items if it is long."""


def origin(error: Exception) -> Exception:
    """Return the exception that a game's function raised, unwrapped if `blamed` has turned it into a `BadGame`."""
    return error.__cause__ if isinstance(error, BadGame) and isinstance(error.__cause__, Exception) else error


def authors_fault(error: Exception, game: str) -> BadGame | None:
    """Return a `BadGame` for an exception raised by an author's line; None for a LudusError or one raised in Ludus."""
    passed = _places(error)
    if isinstance(error, LudusError) or not passed or passed[-1].is_ours:
        return None
    called = next(place.function for place in passed if not place.is_ours)
    who = "a lambda" if called == "<lambda>" else f"{called}()"
    return BadGame(f"{passed[-1]}: {who} raises {said(error)}; `ludus check {game}` tries all rules.")


def blamed(game: Any, function: Callable[P, R]) -> Callable[P, R]:  # noqa: ANN401 - a Game, which is made of these
    """Wrap a plain function of a game so that exceptions from an author's line become a `BadGame` with that line.

    Exceptions that Ludus raises pass unchanged, also from a built-in game.
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
    """Return a `BadGame` for an author's function that takes other arguments than Ludus passes; else None."""
    code = getattr(function, "__code__", None)
    was_begun = not error.__traceback__ or error.__traceback__.tb_next
    if was_begun or not code or (place := Place(code.co_filename, code.co_firstlineno, code.co_name)).is_ours:
        return None
    return BadGame(f"{place}: {said(error)}; `ludus check {game}` tries all rules.")


class Blaming:
    """A context that turns exceptions of a game's rules into `BadGame`; entering it costs almost nothing.

    Raises:
        BadGame: a rule raised an exception; compiled code does not know the line, so the message names `ludus check`.
    """

    __slots__ = ("_game",)

    def __init__(self, game: str) -> None:
        """Store the game that the errors name."""
        self._game = game

    def __enter__(self) -> None:
        """Enter the context."""

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        """Raise `BadGame` from any exception that is not a LudusError."""
        if not isinstance(error, Exception) or isinstance(error, LudusError):
            return
        remedy = f"`ludus check {self._game}` names the rule, the position and the line"
        raise authors_fault(error, self._game) or BadGame(
            f"{self._game}: a rule raised {said(error)}; {remedy}."
        ) from error
