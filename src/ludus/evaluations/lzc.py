r"""Evaluation files in the format `.lzc` of the engine behind cbaduk, for boards of points with a pass.

    magic    4 bytes    b"\xfeLNC"
    guide   16 bytes    all ones; at the beginning of each session of writing, and after every 1,024 entries
    entry               hash uint64, policy of the pass float32, winrate float32, length uint8: little-endian, 17 bytes;
                        then `length` bytes: the policy of the points in the code of `ludus.evaluations.code`

The file does not say its network, its rules or its board size; a reader must know them.  After a damaged entry, readers
skip everything up to the next guide.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from ludus.errors import BadRecord, Unavailable
from ludus.evaluations.code import STEPS, compress, unpack
from ludus.kernel import entry, kernel

MAGIC = b"\xfeLNC"
GUIDE = b"\xff" * 16
BETWEEN_GUIDES = 1024  # entries
HEAD = np.dtype([("hash", "<u8"), ("policy_pass", "<f4"), ("winrate", "<f4"), ("length", "u1")])
RESERVED = 0xFFFFFFFFFFFFFFFF  # a hash that is never stored, since it would look like a guide
MOST_BYTES = 255  # of a stored policy

_SURE = 48  # bytes of 255 that are counted at most; after the first 16, two more guides fit in
_TAIL = 17  # bytes of an entry before its policy


class LzcFile:
    """The entries of an `.lzc` file in memory.

    Attributes:
        heads: hash, policy of the pass, winrate and length of each entry.  # [M] HEAD
        policies: of the points, in 2048ths; index 0 is A1, then the bottom row from left to right.  # [M, points]
        lost: number of bytes that could not be read as entries or guides.
    """

    def __init__(self, path: Path, points: int) -> None:
        """Read an `.lzc` file.

        Args:
            path: the path of the file.
            points: the number of points of its board: 361, 169 or 81.

        Raises:
            BadRecord: the file cannot be read, or is not an `.lzc` file.
        """
        try:
            data = np.fromfile(path, np.uint8)
        except OSError as error:
            raise BadRecord(f"{path}: cannot be read ({error.strerror}).") from error
        if data[: len(MAGIC)].tobytes() != MAGIC:
            raise BadRecord(f"{path}: this is not an .lzc file; such files begin with {MAGIC!r}.")
        places = np.zeros(len(data) // _TAIL + 1, np.int64)
        values = np.zeros(points, np.int32)
        count, self.lost = _find_entries(data, points, places, values)
        places = places[:count]
        bytes_of_heads = data[places[:, None] + np.arange(_TAIL)]  # [M, 17]
        self.heads: NDArray[Any] = bytes_of_heads.view(HEAD)[:, 0]
        self.policies = np.zeros((count, points), np.int16)
        _read_policies(data, places, self.policies, values)

    def __len__(self) -> int:
        """Return the number of entries."""
        return len(self.heads)


class LzcWriter:
    """A writer that appends entries to an `.lzc` file."""

    def __init__(self, path: Path) -> None:
        """Open or create a file, and write a guide.

        Raises:
            BadRecord: the file is not an `.lzc` file.
            Unavailable: the file cannot be written.
        """
        self.path, self._since_guide = path, 0
        try:
            if path.exists() and path.stat().st_size:
                with path.open("rb") as file:
                    if file.read(len(MAGIC)) != MAGIC:
                        raise BadRecord(f"{path}: this is not an .lzc file; name another one to write to.")
                begin = GUIDE
            else:
                begin = MAGIC + GUIDE
            self._file: BinaryIO = path.open("ab")
            self._file.write(begin)
        except OSError as error:
            raise self._refused(error) from error

    def add(self, position_hash: int, policy: NDArray[np.float32], policy_pass: float, value: float) -> bool:
        """Append an entry, unless its hash is reserved or its encoded policy is longer than 255 bytes.

        Args:
            position_hash: hash of the position.
            policy: priors of the points.  # [points]
            policy_pass: prior of the pass.
            value: the winrate as the engine computes it.

        Returns:
            Whether the entry was written.
        """
        # A multiplication by 2048 is exact, so truncation gives the same numbers as in the original engine.
        data, _ = compress((np.asarray(policy, np.float32) * np.float32(STEPS)).astype(np.int32))
        if position_hash == RESERVED or len(data) > MOST_BYTES:
            return False
        head = np.array((position_hash, policy_pass, value, len(data)), HEAD)
        try:
            if self._since_guide == BETWEEN_GUIDES:
                self._file.write(GUIDE)
                self._since_guide = 0
            self._file.write(head.tobytes() + data)
        except OSError as error:
            raise self._refused(error) from error
        self._since_guide += 1
        return True

    def close(self) -> None:
        """Write the buffered entries and close the file."""
        self._file.close()

    def __enter__(self) -> LzcWriter:
        """Return the writer."""
        return self

    def __exit__(self, *_error: object) -> None:
        """Close the file."""
        self.close()

    def _refused(self, error: OSError) -> Unavailable:
        return Unavailable(
            f"{self.path}: cannot be written ({error.strerror}); free disk space or choose another file."
        )


@entry
def _find_entries(data: np.ndarray, points: int, places: np.ndarray, values: np.ndarray) -> tuple[int, int]:
    """Write the offsets of all entries into `places`; return their number, and the number of unreadable bytes."""
    at, size, count, lost = len(MAGIC), data.shape[0], 0, 0
    while at < size:
        if _ones(data, at, at + 16) == 16:
            at = _after_guide(data, at, points, values)
            continue
        end = _end_of_entry(data, at, points, values)
        if end > 0:
            places[count] = at
            count += 1
            at = end
        else:
            guide = _next_guide(data, at)
            lost += guide - at
            at = _after_guide(data, guide, points, values)
    return count, lost


@kernel
def _ones(data: np.ndarray, first: int, end: int) -> int:
    """Return the number of consecutive bytes 255 from `first` on, up to `end`."""
    at, end = first, min(end, data.shape[0])
    while at < end and int(data[at]) == 255:
        at += 1
    return at - first


@kernel
def _end_of_entry(data: np.ndarray, at: int, points: int, values: np.ndarray) -> int:
    """Return the offset after the entry at `at`, or -1 if there is no valid entry."""
    if at + _TAIL > data.shape[0]:
        return -1
    end = at + _TAIL + int(data[at + 16])
    if end > data.shape[0] or _next_guide(data[:end], at) < end:  # an entry never contains a guide
        return -1
    return end if unpack(data, at + _TAIL, end, values, points) else -1


@kernel
def _next_guide(data: np.ndarray, first: int) -> int:
    """Return the offset of the next guide (16 bytes of 255), or the end of the data."""
    at = first
    while at < data.shape[0]:
        ones = _ones(data, at, at + 16)
        if ones == 16:
            return at
        at += ones + 1
    return int(data.shape[0])


@kernel
def _after_guide(data: np.ndarray, guide: int, points: int, values: np.ndarray) -> int:
    """Return the offset of the first entry after a guide, although neighbouring bytes may look like parts of it."""
    end = guide + _ones(data, guide, guide + _SURE)  # the limit keeps the time linear
    for follows in (True, False):  # prefer an entry that is followed by another entry or a guide
        for at in range(guide + 16, end + 1):
            after = at + 16 if _ones(data, at, at + 16) == 16 else _end_of_entry(data, at, points, values)
            if after > 0 and (not follows or _begins(data, after, points, values)):
                return at
    return end


@kernel
def _begins(data: np.ndarray, at: int, points: int, values: np.ndarray) -> bool:
    """Return whether a guide, an entry or the end of the data is at an offset."""
    return at == data.shape[0] or _ones(data, at, at + 16) == 16 or _end_of_entry(data, at, points, values) > 0


@entry
def _read_policies(data: np.ndarray, places: np.ndarray, policies: np.ndarray, values: np.ndarray) -> None:
    for k in range(places.shape[0]):
        at = int(places[k])
        unpack(data, at + _TAIL, at + _TAIL + int(data[at + 16]), values, values.shape[0])
        for point in range(values.shape[0]):
            policies[k, point] = values[point]
