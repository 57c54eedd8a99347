"""Files that a command writes at its end: what cannot be written is refused before the work begins."""

import os
from collections.abc import Collection
from pathlib import Path

from ludus.errors import BadInput, BadModel, Unavailable
from ludus.files import make_folder
from ludus.network.checkpoint import FILE, load_checkpoint


def check_destination(option: str, file: Path, kind: str) -> None:
    """Refuse a file that could not be written when all is done; its folder is made if it is missing.

    Args:
        option: that names the file.
        file: the file, which may exist.
        kind: the ending of such files: with another one it may be a file of another kind, which is not replaced.

    Raises:
        BadInput: it is a folder, or has another ending.
        Unavailable: its folder cannot be made, or written to.
    """
    if file.is_dir():
        raise BadInput(f"{option} {file}: is a folder; name a {kind} file.")
    if file.suffix != kind:
        raise BadInput(f"{option} {file}: name a file that ends in {kind}.")
    try:
        make_folder(file.parent)
    except OSError as error:
        raise Unavailable(f"{option} {file}: cannot be written ({error.strerror}).") from None
    if not os.access(file.parent, os.W_OK):
        raise Unavailable(f"{option} {file}: cannot be written (no permission in {file.parent}).")


def check_new(option: str, file: Path) -> None:
    """Raise BadInput if a file is there: what it holds is its author's."""
    if file.exists():
        raise BadInput(f"{option} {file}: is there already; name a new file.")


def model_file(out: Path, games: Collection[str], source: Path) -> Path:
    """Return where a model for these games is written: `out`, or the model's file in that directory.

    Args:
        out: as the user names it.
        games: that it is for.
        source: the model that was read, a file or a directory, which stays.

    Raises:
        BadInput: it is the source itself, or a model for none of these games is there, which is not replaced.
    """
    file = out if out.suffix == ".safetensors" else out / FILE
    if file.is_file() and file.samefile(source / FILE if source.is_dir() else source):
        raise BadInput(f"{file}: is the model that is read, and would be lost; name another place.")
    try:
        there = load_checkpoint(file).info if file.is_file() else None
    except BadModel:  # of another version, or damaged: nothing to keep
        return file
    if there and not set(there.games) & set(games):
        raise BadInput(f"{file}: holds {there.name}, a model for {', '.join(there.games)}; name another place.")
    return file
