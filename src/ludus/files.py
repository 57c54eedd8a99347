"""A file appears whole or not at all: temporary file, fsync, rename."""

import os
from pathlib import Path

from ludus.errors import Unavailable


def write_atomically(path: Path, data: bytes) -> None:
    """Write `data` to `path` so that a reader, or a crash at any instant, finds the old file or the new one whole.

    The folder is created if it is missing.  A file has one writer at a time; what a killed writer left behind
    (`.NAME.partial`) is overwritten by the next, and `remove_partials` clears it away.

    Raises:
        Unavailable: the disk is full, the folder is protected, or the like; nothing is left behind.
    """
    partial = path.with_name(f".{path.name}.partial")
    try:
        make_folder(path.parent)
        try:
            with partial.open("wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            partial.replace(path)
        except BaseException:
            partial.unlink(missing_ok=True)
            raise
        sync_folder(path.parent)
    except OSError as error:
        raise Unavailable(
            f"{path}: cannot be written ({error.strerror}); make room or choose another folder."
        ) from error


def make_folder(folder: Path) -> None:
    """Create a folder, and those above it, so that it is still there after a power cut; raises OSError."""
    if not folder.is_dir():
        make_folder(folder.parent)
        folder.mkdir(exist_ok=True)
        sync_folder(folder.parent)


def remove_partials(folder: Path) -> None:
    """Remove what killed writers left in a folder; nobody may be writing there."""
    for partial in folder.glob(".*.partial"):
        partial.unlink(missing_ok=True)


def sync_folder(folder: Path) -> None:
    """Make new and removed names in a folder durable; raises OSError."""
    if os.name == "posix":  # elsewhere a folder cannot be opened; the rename is durable without it
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def ending_of(path: Path) -> str:
    """Return the ending of a file's name, by which its kind is known, in small letters."""
    return path.suffix.lower()
