"""Files of named arrays with a checksum: what a learner needs to go on from where it stood."""

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

DIGEST = "digest"  # the name under which the checksum lies among the arrays


def write_sealed(file: Path, arrays: Arrays) -> None:
    """Write arrays atomically; raises Unavailable if the disk refuses."""
    whole = {name: np.asarray(array, order="C") for name, array in arrays.items()}
    whole[DIGEST] = np.frombuffer(digest_of(whole), np.uint8)
    write_atomically(file, save(whole))


@contextmanager
def undamaged(file: Path) -> Generator[None]:
    """Say which file it is whose content is not what was written there; raises BadRecord."""
    try:
        yield
    except (SafetensorError, KeyError, ValueError) as error:
        raise BadRecord(f"{file}: the file is damaged ({error}); restore it from a backup or start anew.") from error


def read_sealed(file: Path) -> dict[str, NDArray[Any]] | None:
    """Return the arrays of a file, each of its own shape, or None if there is no file.

    Raises:
        BadRecord: the file is damaged.
        Unavailable: it cannot be read.
    """
    with readable(file):
        data = file.read_bytes() if file.is_file() else None
    if data is None:
        return None
    with undamaged(file):
        arrays = load(data)
        if arrays.pop(DIGEST).tobytes() != digest_of(arrays):
            raise ValueError("its checksum is wrong")
    return arrays
