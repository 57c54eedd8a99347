"""Finds and loads a game by name (`wallgame:classic:8x8`) or by path (`mygame.py`).

Games without a path are built in, or brought by installed packages (`installed`).
"""

import importlib
import importlib.metadata
import importlib.util
import re
import sys
from collections.abc import Generator, Iterable
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from functools import cache, lru_cache
from pathlib import Path
from types import ModuleType
from typing import Any, Literal, NamedTuple

import msgspec

from ludus import trust
from ludus.errors import BadGame, LudusError
from ludus.games import BUILT_IN
from ludus.games.about import About
from ludus.games.blame import Place, add_game, places, said
from ludus.games.game import Game
from ludus.kernel import fingerprint
from ludus.paths import spec_parts

GROUP = "ludus.games"
"""The group of entry points with which installed packages bring games."""
NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,39}")
"""The form of a game's name."""
_loaded: dict[Path, ModuleType] = {}  # the modules of game files, by resolved path
_PREFIX = "ludus_game_"  # module names of game files begin with this


def game(spec: str, *, asked_by: str = "") -> Game:
    """Load the game that `spec` names; `own_game` loads one whose file has not been permitted to run yet.

    `NAME[:PART...]` is a built-in game or one of an installed package; `PATH.py[:PART...]` is a file.  The module or
    file defines `game` or `make(*parts)`; the spec of a file becomes the game's name.  A file and its `make` can import
    modules from the file's folder; functions that run such an import later cannot.

    On a page, a part such as `7x6` means the board's columns and rows, any other part a variant.  A site's list of
    games may contain `PATH.py`, `PATH.py:VARIANT`, `PATH.py:7x6` and `PATH.py:VARIANT:7x6`.

    Args:
        spec: the name or path.
        asked_by: what names the path, such as a preset; the error for a missing or refused file shows it in brackets.

    Raises:
        BadGame: the game does not exist, its definition is wrong, or its file may not run (`ludus.trust`).
    """
    if (file := file_of(spec)) and Path(file).is_file() and (why := trust.refusal(Path(file), asked_by)):
        raise BadGame(why)
    try:
        return _game(spec, Path.cwd() if file_of(spec) else None)
    except FileNotFoundError as error:
        path = Path(str(error))
        where = "" if path.is_absolute() else f" in {Path.cwd()}"
        typed = where and not asked_by  # other paths do not start at the working directory
        remedy = "run the command in the folder that the path starts from" if typed else "check the path"
        remedy += ", or name the file with --game if it has moved" if asked_by else ""
        reason = f" ({asked_by})" if asked_by else ""
        raise BadGame(f"{path}: there is no such file{where}{reason}; {remedy}.") from error


def own_game(spec: str) -> Game:
    """Load the game that `spec` names, whose file may run, because the user names it here; see `game`.

    Never pass a name from a model, run, record, message or link.  For commands and presets, see `ludus.trust`.

    Raises:
        BadGame: the game does not exist, or its definition is wrong.
    """
    trust.permit(spec)
    return game(spec)


class Installed(NamedTuple):
    """The games of installed packages."""

    modules: dict[str, ModuleType]
    """The modules of the games, by name."""
    faults: dict[str, str]
    """Why a game cannot be used, in one sentence; by `NAME`, or by `NAME (PACKAGE)` if another game has the name."""


@cache
def installed() -> Installed:
    """Import the games of installed packages, which have everything that built-in games have.

    A package names each of its games by an entry point of the group `ludus.games`:

        [project.entry-points."ludus.games"]
        hexes = "hexes_for_ludus"

    The module defines `game`, or `make(*parts)` for a game with parts after its name, and may define `about`.  A
    package, here `hexes_for_ludus/__init__.py`, may also contain

        lesson.toml             the lesson; showcase.toml: games to show
        models/NAME/            trained models; each is a folder with `model.safetensors`, and `levels.json` if measured
        puzzles/NAME.puzzles    puzzles, found by `ludus mine`
        engines/NAME.py         a protocol that `about` names, or a package engines/NAME

    `ludus serve` uses the models and puzzles beside those of its own options.  The module of one of
    `about.engines` defines `command`, a function whose arguments Typer turns into the options of `ludus engine NAME`;
    that of one of `about.analysis_dialects` defines `Dialect`, as `ludus.engine.analysis.dialect` declares it.
    """
    found = Installed({}, {})
    for point in sorted(importlib.metadata.entry_points(group=GROUP), key=lambda point: (point.name, point.value)):
        package = point.dist.name if point.dist else point.value
        told = f"The installed package {package} brings the game {point.name!r}"
        if point.name in BUILT_IN or point.name in found.modules:
            found.faults[f"{point.name} ({package})"] = (
                f"{told}, but there is another game of this name; uninstall one."
            )
            continue
        module = _imported(point)
        if isinstance(module, ModuleType) and NAME.fullmatch(point.name):
            found.modules[point.name] = module
            add_game(Path(module.__file__ or ""))
            continue
        fault = module if isinstance(module, str) else "whose name must have small letters, digits, `-` and `_` only"
        found.faults[point.name] = f"{told}, {fault}; update the package or uninstall it."
    return found


def _imported(point: importlib.metadata.EntryPoint) -> ModuleType | str:
    """Return the module of an entry point, or why it is none of a game."""
    try:
        module = point.load()
    except (Exception, SystemExit) as error:  # noqa: BLE001 - a package may raise anything
        return f"which cannot be loaded ({said(error)})"
    if not isinstance(module, ModuleType) or not (hasattr(module, "game") or callable(getattr(module, "make", None))):
        return f"but {point.value} is not a module that defines `game` or `make`"
    if not isinstance(getattr(module, "about", About()), About):
        return f"but `about` in {point.value} is not a ludus.About(...)"
    return module


def names() -> tuple[str, ...]:
    """Return the names of all games that need no path: the built-in ones, then those of installed packages."""
    return (*BUILT_IN, *installed().modules)


def about(spec: str) -> About:
    """Return the description of a game, given its name or path with or without further parts.

    The title and the aim are always there.  Files are not loaded, since a name may come from anybody on the internet:
    the description of a game in a file is the default one until `game` has loaded the file.
    """
    name = spec_parts(spec)[0]
    if file_of(name):
        return _about(name, _loaded.get(Path(name).resolve()))
    is_named = name in BUILT_IN or name in installed().modules
    return _about(name, _module(name) if is_named else None)


@lru_cache(maxsize=256)
def _about(name: str, module: ModuleType | None) -> About:
    found = getattr(module, "about", About())
    if not isinstance(found, About):
        raise BadGame(f"{name}: `about` must be a ludus.About(...), not {type(found).__name__}.")
    called = found.title or title(Path(name).stem)
    doc = (module.__doc__ or "").strip() if module else ""
    first = " ".join(re.split(r"(?<=[.!?])\s|\n\s*\n", doc, maxsplit=1)[0].split())
    told = first.removeprefix(f"{called}:").strip()  # pages show the title above
    return msgspec.structs.replace(found, title=called, aim=found.aim or told[:1].upper() + told[1:])


def title(name: str) -> str:
    """Return the title of a game that declares none: its name in words, with a capital letter."""
    return re.sub("[_-]+", " ", name).strip().capitalize()


def lesson_file(name: str) -> Path | None:
    """Return the file of a game's lesson; None if the game has none.

    It is `lesson.toml` in the package of a game, or `NAME.lesson.toml` beside `NAME.py`.

    Args:
        name: the game's name or path, with or without further parts.
    """
    return _companion(name, "lesson")


def showcase_file(name: str) -> Path | None:
    """Return the file with games that show how a game is played well, `showcase.toml`; None if the game has none.

    Args:
        name: the game's name or path, with or without further parts.
    """
    return _companion(name, "showcase")


def _companion(name: str, kind: str) -> Path | None:
    file = _source(spec_parts(name)[0])
    path = file.with_name(f"{kind}.toml") if file.name == "__init__.py" else file.with_suffix(f".{kind}.toml")
    return path if path.is_file() else None


def brought(folder: Literal["models", "puzzles"]) -> list[Path]:
    """Return the folders of models or puzzles that built-in and installed games bring in their packages."""
    sources = [file for file in map(_source, names()) if file.name == "__init__.py"]
    return [path for file in sources if (path := file.with_name(folder)).is_dir()]


def engine(name: str, protocol: str, wanted: Literal["command", "Dialect"]) -> Any:  # noqa: ANN401
    """Import a protocol that a game brings, from the module `engines.PROTOCOL` in the game's package.

    Args:
        name: the game's name, without further parts.
        protocol: one of the game's `About.engines` or `About.analysis_dialects`.
        wanted: what the module must define.

    Raises:
        BadGame: the module cannot be loaded, or does not define it.
    """
    path = f"{_module(name).__name__}.engines.{protocol}"
    try:
        found = importlib.import_module(path)
    except (Exception, SystemExit) as error:
        raise BadGame(f"The engine {protocol!r} of {name}: {path} cannot be loaded ({said(error)}).") from error
    if not callable(getattr(found, wanted, None)):
        raise BadGame(f"The engine {protocol!r} of {name}: {path} defines no `{wanted}`.")
    return getattr(found, wanted)


def _source(name: str) -> Path:
    """Return the file of a game's module, given the game's name or path."""
    with _beside(name):
        return Path(_module(name).__file__ or "")


def file_of(spec: str) -> str | None:
    """Return the path of the file that defines a game, from the game's name; None for a built-in game."""
    name = spec_parts(spec)[0]
    return name if name.endswith(".py") else None


def told_name(spec: str) -> str:
    """Return a game's public name: for a game in a file, without the folder and the ending `.py`."""
    name, *parts = spec_parts(spec)
    return ":".join([Path(name).stem if file_of(spec) else name, *parts])


def taken(spec: str) -> str:
    """Return a sentence about a game file that has a built-in game's name, without a period; empty for other specs."""
    told = told_name(spec)
    name = told.partition(":")[0]
    if not file_of(spec) or name not in BUILT_IN:
        return ""
    return f"the name {name!r} is taken by a built-in game, which sites and bots would open instead; rename the file"


def name_told(told: str, files: Iterable[str]) -> str | None:
    """Return the spec for a public name; None if it is neither built in, nor installed, nor one of `files`.

    Args:
        told: a name as `told_name` returns it.
        files: paths of the game files that may be named.
    """
    name, colon, parts = told.partition(":")
    known = {Path(path).stem: path for path in files} | {each: each for each in names()}
    return known[name] + colon + parts if name in known else None


@lru_cache(maxsize=256)
def _game(spec: str, folder: Path | None) -> Game:  # noqa: ARG001 - a relative path means another file elsewhere
    name, *parts = spec_parts(spec)
    path = Path(name) if file_of(spec) else None
    with _beside(name):
        found = _made(_module(name), spec, parts, path)
    if not isinstance(found, Game):
        raise BadGame(f"{name}: the file must define `game = ludus.Game(...)` or a function `make` that returns one.")
    if path:
        found.name = spec  # a stored name must load the same game again
    return found


def _made(module: ModuleType, spec: str, parts: list[str], path: Path | None) -> object:
    """Return the module's `game`, or the result of its `make(*parts)`."""
    name = spec_parts(spec)[0]
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
        is_not_begun = not error.__traceback__ or not error.__traceback__.tb_next  # wrong number of parts
        if not path or is_not_begun or (parts and isinstance(error, (TypeError, ValueError))):
            found = places(error)
            line = f", line {found[-1].line}" if found else ""
            raise BadGame(f"{spec}: {name} does not take these parts ({error}{line}).") from error
        raise _fault(path, error) from error


def _module(name: str) -> ModuleType:
    """Return the module that defines a game, given the game's name or path."""
    if file_of(name):
        path = Path(name)
        return _load_file(path, path.resolve(), path.stat().st_mtime_ns if path.is_file() else 0)
    if name in BUILT_IN:
        return importlib.import_module(f"{__package__}.{name}")
    found = installed()
    if name in found.faults:
        raise BadGame(found.faults[name])
    if name not in found.modules:
        raise BadGame(f"There is no game {name!r}; there are {', '.join(names())}; or give the path of a .py file.")
    return found.modules[name]


@lru_cache(maxsize=64)
def _load_file(path: Path, whole: Path, changed: int) -> ModuleType:  # noqa: ARG001 - a changed file is read again
    if not path.is_file():
        raise FileNotFoundError(path)  # `game` adds `asked_by`
    if why := trust.refusal(path, ""):
        raise BadGame(why)
    name = f"{_PREFIX}{path.stem}_{fingerprint(str(whole))}"  # the path keeps equal file names apart
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec, "importlib returns a spec for a .py file"
    assert spec.loader, "importlib sets a loader for a .py file"
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:  # a user's file may raise anything
        raise _fault(path, error) from error
    _loaded[whole] = module
    return module


def _beside(name: str) -> AbstractContextManager[None]:
    """Return a context in which a game's module can import its neighbours."""
    return _neighbours(Path(name)) if file_of(name) else nullcontext()


@contextmanager
def _neighbours(path: Path) -> Generator[None]:
    """Let a game file import modules from its folder; remove them from `sys.modules` afterwards."""
    folder = path.parent.resolve()
    known = set(sys.modules)
    sys.path.insert(0, str(folder))
    try:
        yield
    finally:
        with suppress(ValueError):  # the file may have removed it
            sys.path.remove(str(folder))
        tops = {name.partition(".")[0] for name in list(sys.modules)} - known
        own = {name for name in tops if not name.startswith(_PREFIX) and _lies_in(folder, sys.modules.get(name))}
        for name in list(sys.modules):
            if name.partition(".")[0] in own:
                del sys.modules[name]


def _lies_in(folder: Path, module: ModuleType | None) -> bool:
    """Return whether a module or package is stored directly in `folder`."""
    spec = module.__spec__ if module else None
    places = (spec.submodule_search_locations or [spec.origin]) if spec else []
    return any(Path(place).parent == folder for place in places if place)


def _fault(path: Path, error: Exception | SystemExit) -> BadGame:
    """Return a `BadGame` for an exception raised by a game file, with the line."""
    if isinstance(error, SyntaxError):
        where = Place(error.filename or str(path), error.lineno, "") if error.lineno else path
        return BadGame(f"{where}: {error.msg}.")
    found = places(error)
    what = str(error) if isinstance(error, LudusError) else f"{said(error)}."
    return BadGame(f"{found[-1] if found else path}: {what}")
