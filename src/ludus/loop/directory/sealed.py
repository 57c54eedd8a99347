"""Files of named arrays with a checksum, which store the learner's state."""

from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError
from safetensors.numpy import load, save

from ludus.errors import BadRecord
from ludus.files import write_atomically
from ludus.loop.directory.lines import readable
from ludus.network.checkpoint import digest_of

Arrays = Mapping[str, NDArray[Any]]

DIGEST = "digest"  # name of the array that holds the checksum


def write_sealed(file: Path, arrays: Arrays) -> None:
    """Write arrays atomically; raises Unavailable if the disk cannot be written."""
    whole = {name: np.asarray(array, order="C") for name, array in arrays.items()}
    whole[DIGEST] = np.frombuffer(digest_of(whole), np.uint8)
    write_atomically(file, save(whole))


@contextmanager
def undamaged(file: Path) -> Generator[None]:
    """Convert errors on decoding a file to BadRecord with the file's name."""
    try:
        yield
    except (SafetensorError, KeyError, ValueError) as error:
        raise BadRecord(f"{file}: the file is damaged ({error}); restore it from a backup or start over.") from error


def read_sealed(file: Path) -> dict[str, NDArray[Any]] | None:
    """Read the arrays of a file with their shapes; None if there is no file.

    Raises:
        BadRecord: the file is damaged.
        Unavailable: the file cannot be read.
    """
    with readable(file):
        data = file.read_bytes() if file.is_file() else None
    if data is None:
        return None
    with undamaged(file):
        arrays = load(data)
        if arrays.pop(DIGEST).tobytes() != digest_of(arrays):
            raise ValueError("the checksum is wrong")
    return arrays
