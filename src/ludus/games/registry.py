"""Finds a game by name (`wallgame:classic:8x8`) or by path (`mygame.py`)."""

import importlib
import importlib.util
import pkgutil
import sys
import traceback
from functools import lru_cache
from pathlib import Path
from types import ModuleType
from typing import Any

import ludus.games
from ludus.errors import BadGame, LudusError
from ludus.games.game import Game

_MACHINERY = {
    "behaviour",
    "bitsets",
    "blame",
    "board",
    "calls",
    "check",
    "entries",
    "examine",
    "fields",
    "game",
    "guard",
    "laws",
    "position",
    "recorded",
    "registry",
    "square",
}


def names() -> list[str]:
    """Return the names of the built-in games."""
    return sorted(found.name for found in pkgutil.iter_modules(ludus.games.__path__) if found.name not in _MACHINERY)


def game(spec: str) -> Game:
    """Return the game that `spec` names.

    `NAME[:PART...]` is a built-in game (`ludus.games.NAME`, whose `make(*parts)` builds it); `PATH.py` is a file that
    defines `game`, or `make`; parts may follow the path as well.  The name of such a game is its spec.

    Raises:
        BadGame: there is no such game, or its definition is wrong.
    """
    return _game(spec)


def plays_as(name: str, variant: str) -> str:
    """Return the variant by whose rules a variant of a game is played: its own, unless the game says another one.

    A built-in game whose variants differ from others in their first position alone names them in `PLAYS_AS`.
    """
    alike: dict[str, str] = getattr(_built_in(name), "PLAYS_AS", {}) if name in names() else {}
    return alike.get(variant, variant)


@lru_cache(maxsize=256)
def _game(spec: str) -> Game:
    name, *parts = spec.split(":")
    module = _load_file(Path(name)) if name.endswith(".py") else _built_in(name)
    make: Any = getattr(module, "make", None)
    found: Any
    if make is not None:
        try:
            found = make(*parts)
        except LudusError:
            raise
        except Exception as error:  # a part that `make` cannot read
            raise BadGame(f"{spec}: {name} does not take these parts ({error}).") from error
    elif parts:
        raise BadGame(f"{spec}: {name} takes no parts after its name.")
    else:
        found = getattr(module, "game", None)
    if not isinstance(found, Game):
        raise BadGame(f"{name}: the file must define `game = ludus.Game(...)` or a function `make` that returns one.")
    if name.endswith(".py"):
        found.name = spec  # whatever remembers the game by its name must find it again
    return found


def _built_in(name: str) -> ModuleType:
    if name not in names():
        raise BadGame(f"There is no game {name!r}; built in: {', '.join(names())}; or give the path of a .py file.")
    return importlib.import_module(f"ludus.games.{name}")


def _load_file(path: Path) -> ModuleType:
    if not path.is_file():
        raise BadGame(f"{path}: no such file.")
    spec = importlib.util.spec_from_file_location(f"ludus_game_{path.stem}", path)
    assert spec, "a .py file has a spec"
    assert spec.loader, "and a loader"
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    sys.path.insert(0, str(path.parent.resolve()))
    try:
        spec.loader.exec_module(module)
    except SyntaxError as error:
        raise BadGame(f"{error.filename or path}, line {error.lineno}: {error.msg}.") from error
    except LudusError as error:
        raise BadGame(f"{path}: {error}") from error
    except Exception as error:  # whatever a user's file raises is the user's to see
        lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == str(path)]
        place = f"{path}, line {lines[-1]}" if lines else str(path)
        raise BadGame(f"{place}: {type(error).__name__}: {str(error).rstrip('.')}.") from error
    finally:
        sys.path.pop(0)
    return module
