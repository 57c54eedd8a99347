"""Checks of output files before a command starts its work, so that the result is not lost at the end."""

import os
from collections.abc import Collection
from pathlib import Path

from ludus import shipped
from ludus.errors import BadInput, BadModel, Unavailable
from ludus.files import make_folder
from ludus.network.checkpoint import FILE, load_checkpoint


def check_destination(option: str, file: Path, kind: str) -> None:
    """Raise an error if a file cannot be written at the end; create its folder if it is missing.

    Args:
        option: name of the option, for errors.
        file: the file, which may exist.
        kind: required file name extension; a file with another one may contain other data, which is not overwritten.

    Raises:
        BadInput: the file is a folder, or has another extension.
        Unavailable: the folder cannot be created, or is not writable.
    """
    if file.is_dir():
        raise BadInput(f"{option} {file}: is a folder; give a {kind} file.")
    if file.suffix != kind:
        raise BadInput(f"{option} {file}: give a file that ends in {kind}.")
    try:
        make_folder(file.parent)
    except OSError as error:
        raise Unavailable(f"{option} {file}: cannot be written ({error.strerror}).") from None
    if not os.access(file.parent, os.W_OK):
        raise Unavailable(f"{option} {file}: cannot be written (no permission in {file.parent}).")


def check_new(option: str, file: Path) -> None:
    """Raise BadInput if a file exists, to protect its contents."""
    if file.exists():
        raise BadInput(f"{option} {file}: exists already; choose a new file.")


def model_file(out: Path, games: Collection[str], source: Path) -> Path:
    """Return the path for a model: `out`, or the model file in that directory.

    Args:
        out: path from the user.
        games: the games of the new model.
        source: the model that is read, a file or a directory; never overwritten.

    Raises:
        BadInput: the path is the source itself, or contains a model for other games, which is not overwritten.
    """
    source = shipped.model(source)
    file = out if out.suffix == ".safetensors" else out / FILE
    if file.is_file() and file.samefile(source / FILE if source.is_dir() else source):
        raise BadInput(f"{file}: is the model to be read and would be overwritten; choose another path.")
    try:
        there = load_checkpoint(file).info if file.is_file() else None
    except BadModel:  # of another version, or damaged: may be overwritten
        return file
    if there and not set(there.games) & set(games):
        raise BadInput(f"{file}: contains {there.name}, a model for {', '.join(there.games)}; choose another path.")
    return file
