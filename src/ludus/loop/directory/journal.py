r"""The journal: finished games of the generation that is being played, on disk as soon as they end.

A killed run loses only the games that were in flight.  The file is a sequence of records, each with its length and
checksum; a torn last record is cut off when the journal is opened again.  When the generation is complete its games
become a shard, and the journal goes.

    magic      8 bytes   b"LUDUS\x00JO"
    record               length of the body (4 bytes, little-endian), CRC-32 of the body (4 bytes), body (MessagePack)

The first record of each process that plays is a `Begin`; the others are games.
"""

from __future__ import annotations

import os
import struct
import threading
import zlib
from collections.abc import Generator
from dataclasses import fields
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy as np

from ludus.errors import BadRecord, Unavailable
from ludus.files import make_folder, sync_folder
from ludus.store import Samples

MAGIC = b"LUDUS\x00JO"
_HEAD = struct.Struct("<II")
_TAG = b"\xa4type"  # stands in every body behind its first byte


class Begin(msgspec.Struct, frozen=True, tag=True):
    """A process began, or continued, to play a generation."""

    generation: int
    rules: str
    """Fingerprint of what the rules do."""


class _Game(msgspec.Struct, frozen=True, tag=True):
    """The positions of one game."""

    arrays: dict[str, tuple[str, list[int], bytes]]
    """Field of `Samples` -> dtype, shape, elements."""


class Journal:
    """The journal of one generation, open for more games; threads may hand games in."""

    def __init__(self, path: Path, generation: int, rules: str, *, keep: bool = True) -> None:
        """Open the journal and read what it holds; one of an earlier generation is done with, and begun anew.

        Args:
            path: the file.
            generation: which one is being played.
            rules: fingerprint of what the rules do.
            keep: whether games of an earlier process are wanted.

        Raises:
            BadRecord: it was written under other rules, holds games of a later generation, or is damaged.
            Unavailable: it cannot be written.
        """
        self.path = path
        self.games: list[Samples] = []
        self._lock = threading.Lock()
        begins: list[Begin] = []
        end = 0
        for entry, at in _records(path) if keep else ():
            if isinstance(entry, Begin):
                if entry.generation > generation:
                    raise BadRecord(
                        f"{path}: holds games of generation {entry.generation}, but generation {generation} is to be "
                        "played; restore its shard from a backup, or remove this file and lose those games."
                    )
                if entry.generation < generation:
                    break  # its games are in a shard already
                if entry.rules != rules:
                    raise BadRecord(
                        f"{path}: written under other rules ({entry.rules}, now {rules}); start a new run, or go back "
                        "to the version of the game that wrote it."
                    )
                begins.append(entry)
            else:
                self.games.append(_samples(entry))
            end = at
        self.attempt = len(begins)
        """How many processes played at this generation before: names this one's random streams."""
        try:
            make_folder(path.parent)
            self._file = path.open("r+b" if path.is_file() else "w+b", buffering=0)
        except OSError as error:
            raise _refused(path, error) from error
        try:
            self._end = end
            if not end:
                self._end = len(MAGIC)
                self._file.truncate(0)
                self._file.write(MAGIC)
            self._write(Begin(generation, rules))
            self.sync()
            sync_folder(path.parent)
        except OSError as error:
            self._file.close()
            raise _refused(path, error) from error

    def add(self, samples: Samples) -> None:
        """Write a finished game: it survives the end of this process; raises Unavailable if the disk refuses."""
        arrays: dict[str, tuple[str, list[int], bytes]] = {}
        for field in fields(Samples):
            array: Any = getattr(samples, field.name)
            arrays[field.name] = (array.dtype.str, list(array.shape), array.tobytes())
        try:
            with self._lock:
                self._write(_Game(arrays))
        except OSError as error:
            raise _refused(self.path, error) from error

    def sync(self) -> None:
        """Have everything on the disk, so that it survives a power cut, too."""
        try:
            os.fsync(self._file.fileno())
        except OSError as error:
            raise _refused(self.path, error) from error

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def remove(self) -> None:
        """Close and remove the file: its games are in a shard."""
        self.close()
        self.path.unlink(missing_ok=True)
        sync_folder(self.path.parent)

    def _write(self, entry: Begin | _Game) -> None:
        body = msgspec.msgpack.encode(entry)
        record = _HEAD.pack(len(body), zlib.crc32(body)) + body
        self._file.seek(self._end)
        self._file.truncate(self._end)  # a record that was written in part is no beginning of the next
        written = 0
        while written < len(record):
            written += self._file.write(record[written:]) or 0
        self._end += len(record)


class JournalContents(NamedTuple):
    """What a journal holds."""

    generation: int | None
    """Which one is being played; None without a journal."""
    games: list[Samples]
    """Finished games, in the order in which they ended."""


def read_journal(path: Path) -> JournalContents:
    """Return what a journal holds, without changing it; a torn last record is left out; raises BadRecord on damage."""
    entries = [entry for entry, _ in _records(path)]
    begins = [entry.generation for entry in entries if isinstance(entry, Begin)]
    return JournalContents(
        begins[-1] if begins else None, [_samples(each) for each in entries if isinstance(each, _Game)]
    )


def _records(path: Path) -> Generator[tuple[Begin | _Game, int]]:
    """Yield the whole records of a file, each with the place where it ends.

    What a crash has torn is the end of the file, or zeros where a power cut kept its length alone; raises BadRecord if
    the beginning is another one, or a record is damaged and others follow it.
    """
    try:
        data = path.read_bytes() if path.is_file() else b""
    except OSError as error:
        raise Unavailable(f"{path}: cannot be read ({error.strerror}); mend its permissions.") from error
    if MAGIC.startswith(data.rstrip(b"\x00")):
        return
    if not data.startswith(MAGIC):
        raise _damaged(path, 0)
    at = len(MAGIC)
    while end := _end(data, at):
        yield msgspec.msgpack.decode(data[at + _HEAD.size : end], type=Begin | _Game), end
        at = end
    if _goes_on(data, at):
        raise _damaged(path, at)


def _end(data: bytes, at: int) -> int:
    """Return where the whole record ends that begins at `at`; 0 if none does."""
    begin = at + _HEAD.size
    if begin > len(data):
        return 0
    length, checksum = _HEAD.unpack_from(data, at)
    body = data[begin : begin + length]
    return begin + length if 0 < length == len(body) and zlib.crc32(body) == checksum else 0


def _goes_on(data: bytes, at: int) -> bool:
    """Return whether others follow the broken record at `at`: behind its length, or, as that may be wrong, anywhere."""
    begin = at + _HEAD.size
    if begin > len(data):
        return False
    length, _ = _HEAD.unpack_from(data, at)
    if length > 0 and any(data[begin + length :]):
        return True
    tag = begin
    while (tag := data.find(_TAG, tag + 1)) >= 0:
        if _end(data, tag - 1 - _HEAD.size):
            return True
    return False


def _samples(entry: _Game) -> Samples:
    return Samples(
        **{
            name: np.frombuffer(elements, np.dtype(dtype)).reshape(shape)
            for name, (dtype, shape, elements) in entry.arrays.items()
        }
    )


def _damaged(path: Path, at: int) -> BadRecord:
    return BadRecord(
        f"{path}: is damaged at byte {at}; restore it from a backup, or remove it: its games will be played again."
    )


def _refused(path: Path, error: OSError) -> Unavailable:
    return Unavailable(
        f"{path}: cannot be written ({error.strerror}); make room or mend its permissions, then run the same command "
        "again: the games that are finished are safe."
    )
