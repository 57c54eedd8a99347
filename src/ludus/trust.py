"""Decides which files of games may run: data never runs code.

To load a game from a file is to run that file.  It may run if its user names it: by an argument or option of a command,
in a preset or in settings that the command names, or in a call of `ludus.game`.  Models, runs, records, evaluation
files, messages and links only mention games, and may come from anybody.

Commands also remember the files that their user names, with a hash of each (`remember_in`), so that a model can be
played by one command after its file was trained by another.
"""

import hashlib
import sys
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

import msgspec

from ludus import paths
from ludus.errors import Unavailable
from ludus.files import write_atomically

COMMAND = (sys.executable, "-P", "-m", "ludus")
"""Starts Ludus as a child process; `-P`: not with modules of the working directory, such as a stranger's `numpy.py`."""
_named: dict[Path, str] = {}  # absolute paths of the files that the user named in this process, by resolved path
_memory: Path | None = None  # the file that remembers the files named in other processes


def remember_in(file: Path | None) -> None:
    """Set the file that remembers, between commands, which files their user named; None: there is none."""
    global _memory
    _memory = file


def permit(*specs: str) -> None:
    """Permit the files of games to run, because the user names them.

    Args:
        specs: names of games, with or without parts behind them; those without a file need no permission.
    """
    found = [name for spec in specs if (name := paths.spec_parts(spec)[0]).endswith(".py")]
    for path in found:
        _named[Path(path).resolve()] = paths.lasting(path)
    if _memory and found:
        _remember(_memory, [path.resolve() for path in map(Path, found) if path.is_file()])


def permitted() -> tuple[str, ...]:
    """Return the files that the user named in this process, for another process that works for it."""
    return tuple(_named.values())


def refusal(path: Path, asked_by: str) -> str | None:
    """Return why a game's file may not run, with the remedy; None: it may.

    Args:
        path: the file, which exists.
        asked_by: what mentions the file.
    """
    whole = path.resolve()
    if whole in _named:
        return None
    before = _remembered(_memory).get(str(whole)) if _memory else None
    if before and before == _hash(whole):
        return None
    why = "it has changed since you named it" if before else "you have not named it yourself"
    return (
        f"{path}: this file of a game does not run, because {why} ({asked_by or 'data mentions it'}); if you trust it, "
        f"run `ludus check {path}` once, or give it with --game."
    )


def found(path: str, file: Path) -> str:
    """Return where the file now is whose path Ludus stored in `file`: a file of this name that the user named, if any.

    See `ludus.paths.found` for all others.
    """
    if not path.endswith(".py") or Path(path).resolve() in _named:
        return paths.found(path, file)
    alike = [own for own in _named.values() if Path(own).name == Path(path).name]
    return paths.shown(alike[0]) if len(alike) == 1 else paths.found(path, file)


def _hash(path: Path) -> str:
    stat = path.stat()
    return _hash_of(path, stat.st_mtime_ns, stat.st_size)


@lru_cache(maxsize=64)
def _hash_of(path: Path, changed: int, size: int) -> str:  # noqa: ARG001 - a changed file is read again
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _remembered(memory: Path) -> dict[str, str]:
    """Return the hashes of remembered files by absolute path; a damaged memory is empty."""
    try:
        return msgspec.json.decode(memory.read_bytes(), type=dict[str, str])
    except (OSError, msgspec.DecodeError, UnicodeDecodeError):
        return {}


def _remember(memory: Path, files: Iterable[Path]) -> None:
    """Remember files with their present contents, and forget those that are gone; a memory on a full disk stays."""
    before = _remembered(memory)
    try:
        now = before | {str(path): _hash(path) for path in files}
        if now != before:
            there = {path: known for path, known in sorted(now.items()) if Path(path).is_file()}
            write_atomically(memory, msgspec.json.encode(there))
    except (OSError, Unavailable, UnicodeEncodeError):  # such as a read-only cache: the user names the file each time
        return
