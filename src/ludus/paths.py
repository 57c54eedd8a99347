"""Paths of files that other files name: presets, settings, runs, models and evaluation files.

A relative path that a person writes starts at the folder of the file that contains it (`path_in`).  A path that Ludus
writes is absolute (`lasting`); if nothing is there any more, the file is searched for (`found`).  In memory and in
messages, a path inside the working directory is relative to it.  The name of a game may be the path of its file with
parts behind it: `mygame.py:7x7`.
"""

import os
import re
from collections.abc import Callable
from pathlib import Path

_GAME = re.compile(r"(.+?\.py)((?::.*)?)", re.DOTALL)
_DRIVE = re.compile(r"[A-Za-z]:(?=[\\/])")  # of a path on Windows


def spec_parts(spec: str) -> list[str]:
    r"""Split a game's name at its colons into the name or path, which may begin with a drive (`C:\`), and the parts."""
    drive = match[0] if (match := _DRIVE.match(spec)) else ""
    name, *parts = spec[len(drive) :].split(":")
    return [drive + name, *parts]


def in_game(spec: str, change: Callable[[str], str]) -> str:
    """Return the name of a game with the path of its file changed; a name without a path is returned as it is."""
    named = _GAME.fullmatch(spec)
    return change(named[1]) + named[2] if named else spec


def path_in(path: str, file: Path) -> str:
    """Return a path that a person wrote in `file`, which a relative path starts at."""
    return shown(file.absolute().parent / path)


def lasting(path: str) -> str:
    """Return the absolute form of a path, for a file that may be read from another working directory."""
    return os.path.abspath(path)  # noqa: PTH100 - keeps symbolic links, and removes `..`


def found(path: str, file: Path) -> str:
    """Return where the file now is whose path Ludus stored in `file`; the path as it is if it cannot be found.

    If nothing is at the path, its last parts are looked for in the folders above `file`, the nearest folder first.  So
    a project can be moved or copied with its runs, and the file of a game can lie beside its model.
    """
    if not os.path.exists(path):  # noqa: PTH110 - unlike Path.exists, returns False for a folder without permission
        parts = Path(path).parts
        for folder in file.absolute().parents:
            for first in range(len(parts) - 1, -1, -1):
                there = folder.joinpath(*parts[first:])
                if os.path.exists(there):  # noqa: PTH110
                    return shown(there)
    return shown(Path(path))


def shown(path: str | Path) -> str:
    """Return a path as messages show it: relative to the working directory if it is inside it."""
    whole, here = Path(lasting(str(path))), Path.cwd()
    return str(whole.relative_to(here) if whole.is_relative_to(here) else whole)
