"""Files: atomic writes (temporary file, fsync, rename), file name extensions, and detection of Unicode encodings."""

import codecs
import os
from pathlib import Path

from ludus.errors import Unavailable
from ludus.system import replace, sync_folder


def write_atomically(path: Path, data: bytes) -> None:
    """Write `data` to `path` atomically: readers see the old file or the new one, also after a crash.

    The folder is created if it is missing.  Only one process at a time may write to a path.  A killed writer leaves a
    file `.NAME.partial`; the next writer overwrites it, and `remove_partials` deletes it.

    Raises:
        Unavailable: the file cannot be written, e.g. the disk is full; the temporary file is deleted.
    """
    partial = path.with_name(f".{path.name}.partial")
    try:
        make_folder(path.parent)
        try:
            with partial.open("wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            replace(partial, path)
        except BaseException:
            partial.unlink(missing_ok=True)
            raise
        sync_folder(path.parent)
    except OSError as error:
        raise Unavailable(
            f"{path}: cannot be written ({error.strerror}); free disk space or choose another folder."
        ) from error


def make_folder(folder: Path) -> None:
    """Create a folder and its parents durably, so that they survive a power cut; raises OSError."""
    if not folder.is_dir():
        make_folder(folder.parent)
        folder.mkdir(exist_ok=True)
        sync_folder(folder.parent)


def remove_partials(folder: Path) -> None:
    """Delete the temporary files of killed writers in a folder; no process may be writing there."""
    for partial in folder.glob(".*.partial"):
        partial.unlink(missing_ok=True)


def ending_of(path: Path) -> str:
    """Return the file name extension in lower case, with its dot."""
    return path.suffix.lower()


def without_mark(data: bytes) -> bytes:
    """Return UTF-8 text without the byte order mark that some editors write first."""
    return data.removeprefix(codecs.BOM_UTF8)


def marked_encoding(data: bytes) -> str | None:
    """Return the Unicode encoding that the first bytes of a text file show; None if they show none.

    UTF-16 without a byte order mark is known by its first two characters if they are ASCII.
    """
    marks = {codecs.BOM_UTF8: "utf-8-sig", codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16"}
    if name := next((name for mark, name in marks.items() if data.startswith(mark)), None):
        return name
    zeros = "".join("0" if each == 0 else "x" for each in data[:4])
    return {"x0x0": "utf-16-le", "0x0x": "utf-16-be"}.get(zeros)
