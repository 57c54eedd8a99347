"""Files that a command writes at its end: what cannot be written is refused before the work begins."""

import os
from pathlib import Path

from ludus.errors import BadInput, Unavailable
from ludus.files import make_folder


def check_destination(option: str, file: Path, kind: str) -> None:
    """Refuse a file that could not be written when all is done; its folder is made if it is missing.

    Args:
        option: that names the file.
        file: the file, which may exist.
        kind: the ending of such files, for the sentence.

    Raises:
        BadInput: it is a folder.
        Unavailable: its folder cannot be made, or written to.
    """
    if file.is_dir():
        raise BadInput(f"{option} {file}: is a folder; name a {kind} file.")
    try:
        make_folder(file.parent)
    except OSError as error:
        raise Unavailable(f"{option} {file}: cannot be written ({error.strerror}).") from None
    if not os.access(file.parent, os.W_OK):
        raise Unavailable(f"{option} {file}: cannot be written (no permission in {file.parent}).")
