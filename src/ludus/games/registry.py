"""Finds a game by name (`wallgame:classic:8x8`) or by path (`mygame.py`)."""

import importlib
import importlib.util
import sys
from collections.abc import Generator, Iterable
from contextlib import contextmanager, nullcontext, suppress
from functools import lru_cache
from pathlib import Path
from types import ModuleType
from typing import Any

from ludus.errors import BadGame, LudusError
from ludus.games.blame import Place, places, said
from ludus.games.game import Game
from ludus.kernel import fingerprint

BUILT_IN = ("chess", "connect4", "go", "gomoku", "tictactoe", "wallgame")
_PREFIX = "ludus_game_"  # of the names under which files are modules


def game(spec: str, *, asked_by: str = "") -> Game:
    """Return the game that `spec` names.

    `NAME[:PART...]` is a built-in game (`ludus.games.NAME`, whose `make(*parts)` builds it); `PATH.py` is a file that
    defines `game`, or `make`; parts may follow the path as well.  The name of such a game is its spec.  The file
    imports what lies beside it at its top or in `make`; functions that do so when they are called later find nothing.
    On a page, a part such as `7x6` stands for the columns and rows that `describe` draws, any other one for a variant:
    it lists `PATH.py`, `PATH.py:VARIANT`, `PATH.py:7x6` and `PATH.py:VARIANT:7x6`.

    Args:
        spec: the name or path.
        asked_by: who asks for the file, to be said in brackets where it is not there.

    Raises:
        BadGame: there is no such game, or its definition is wrong.
    """
    try:
        return _game(spec)
    except FileNotFoundError as error:
        path = Path(str(error))
        where, remedy = "", "check the path"
        if not path.is_absolute():
            where, remedy = f" in {Path.cwd()}", "run this where that path leads to it"
        reason = f" ({asked_by})" if asked_by else ""
        raise BadGame(f"{path}: there is no such file{where}{reason}; {remedy}.") from error


def plays_as(name: str, variant: str) -> str:
    """Return the variant by whose rules a variant of a game is played: its own, unless the game says another one.

    A built-in game whose variants differ from others in their first position alone names them in `PLAYS_AS`.
    """
    alike: dict[str, str] = getattr(_built_in(name), "PLAYS_AS", {}) if name in BUILT_IN else {}
    return alike.get(variant, variant)


def file_of(spec: str) -> str | None:
    """Return the path of the file that defines a game, as its name says it; None: the game is built in."""
    name = spec.partition(":")[0]
    return name if name.endswith(".py") else None


def told_name(spec: str) -> str:
    """Return a game's name as strangers are told it: of a game in a file, without its folder and ending."""
    name, colon, parts = spec.partition(":")
    return (Path(name).stem if file_of(spec) else name) + colon + parts


def name_told(told: str, files: Iterable[str]) -> str | None:
    """Return the name by which `game` finds what a stranger calls so; None if that is neither built in nor welcome.

    Args:
        told: as `told_name` says it.
        files: paths of game files that are welcome.
    """
    name, colon, parts = told.partition(":")
    known = {Path(path).stem: path for path in files} | {each: each for each in BUILT_IN}
    return known[name] + colon + parts if name in known else None


@lru_cache(maxsize=256)
def _game(spec: str) -> Game:
    name, *parts = spec.split(":")
    path = Path(name) if file_of(spec) else None
    with _neighbours(path) if path else nullcontext():
        found = _made(_load_file(path) if path else _built_in(name), spec, parts, path)
    if not isinstance(found, Game):
        raise BadGame(f"{name}: the file must define `game = ludus.Game(...)` or a function `make` that returns one.")
    if path:
        found.name = spec  # whatever remembers the game by its name must find it again
    return found


def _made(module: ModuleType, spec: str, parts: list[str], path: Path | None) -> object:
    """Return what a module defines as its game, or what its `make` returns for these parts."""
    name = spec.partition(":")[0]
    make: Any = getattr(module, "make", None)
    if not callable(make):
        if parts:
            raise BadGame(f"{spec}: {name} takes no parts after its name.")
        return getattr(module, "game", None)
    try:
        return make(*parts)
    except Exception as error:
        if isinstance(error, LudusError) and not path:
            raise
        is_not_begun = not error.__traceback__ or not error.__traceback__.tb_next  # too many parts, or too few
        if not path or is_not_begun or (parts and isinstance(error, (TypeError, ValueError))):
            found = places(error)
            line = f", line {found[-1].line}" if found else ""
            raise BadGame(f"{spec}: {name} does not take these parts ({error}{line}).") from error
        raise _fault(path, error) from error


def _built_in(name: str) -> ModuleType:
    if name not in BUILT_IN:
        raise BadGame(f"There is no game {name!r}; built in: {', '.join(BUILT_IN)}; or give the path of a .py file.")
    return importlib.import_module(f"ludus.games.{name}")


def _load_file(path: Path) -> ModuleType:
    if not path.is_file():
        raise FileNotFoundError(path)  # `game` knows who asks for it
    name = f"{_PREFIX}{path.stem}_{fingerprint(str(path.resolve()))}"  # files of one name in two folders are two games
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec, "a .py file has a spec"
    assert spec.loader, "and a loader"
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:  # whatever a user's file raises is the user's to see
        raise _fault(path, error) from error
    return module


@contextmanager
def _neighbours(path: Path) -> Generator[None]:
    """Let a file import what lies beside it, and forget that afterwards: the next file has neighbours of its own."""
    folder = path.parent.resolve()
    known = set(sys.modules)
    sys.path.insert(0, str(folder))
    try:
        yield
    finally:
        with suppress(ValueError):  # unless the file has seen to it
            sys.path.remove(str(folder))
        tops = {name.partition(".")[0] for name in list(sys.modules)} - known
        own = {name for name in tops if not name.startswith(_PREFIX) and _lies_in(folder, sys.modules.get(name))}
        for name in list(sys.modules):
            if name.partition(".")[0] in own:
                del sys.modules[name]


def _lies_in(folder: Path, module: ModuleType | None) -> bool:
    """Return whether a module, or a package, is one of a folder's own."""
    spec = module.__spec__ if module else None
    places = (spec.submodule_search_locations or [spec.origin]) if spec else []
    return any(Path(place).parent == folder for place in places if place)


def _fault(path: Path, error: Exception | SystemExit) -> BadGame:
    """Return what is wrong with a file that raises this, with the line."""
    if isinstance(error, SyntaxError):
        where = Place(error.filename or str(path), error.lineno, "") if error.lineno else path
        return BadGame(f"{where}: {error.msg}.")
    found = places(error)
    what = str(error) if isinstance(error, LudusError) else f"{said(error)}."
    return BadGame(f"{found[-1] if found else path}: {what}")
