"""A file appears whole or not at all: temporary file, fsync, rename."""

import os
from pathlib import Path

from ludus.errors import Unavailable


def write_atomically(path: Path, data: bytes) -> None:
    """Write `data` to `path` so that a reader, or a crash at any instant, finds the old file or the new one whole.

    The folder is created if it is missing.  A file has one writer at a time; what a killed writer left behind
    (`.NAME.partial`) is overwritten by the next.

    Raises:
        Unavailable: the disk is full, the folder is protected, or the like; nothing is left behind.
    """
    partial = path.with_name(f".{path.name}.partial")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            with partial.open("wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            partial.replace(path)
        except BaseException:
            partial.unlink(missing_ok=True)
            raise
        _sync_folder(path.parent)
    except OSError as error:
        raise Unavailable(
            f"{path}: cannot be written ({error.strerror}); make room or choose another folder."
        ) from error


def _sync_folder(folder: Path) -> None:
    if os.name == "posix":  # elsewhere a folder cannot be opened; the rename is durable without it
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
