r"""The journal: the finished games of the current generation, written to disk as soon as they end.

A killed run loses only unfinished games.  The file is a sequence of records, each with its length and checksum; a torn
last record is cut off when the journal is opened again.  When the generation is complete, its games become a shard and
the journal is deleted.

    magic      8 bytes   b"LUDUS\x00JO"
    record               length of the body (4 bytes, little-endian), CRC-32 of the body (4 bytes), body (MessagePack)

Each process that plays first writes a `Begin` record; all other records are games.
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
from ludus.files import make_folder
from ludus.store import Samples
from ludus.system import sync_folder

MAGIC = b"LUDUS\x00JO"
_HEAD = struct.Struct("<II")
_TAG = b"\xa4type"  # bytes 1 to 5 of every record's body


class Begin(msgspec.Struct, frozen=True, tag=True):
    """The record of a process that started or continued a generation."""

    generation: int
    rules: str
    """Fingerprint of the game's rules."""


class _Game(msgspec.Struct, frozen=True, tag=True):
    """The record of one game's positions."""

    arrays: dict[str, tuple[str, list[int], bytes]]
    """Maps a field of `Samples` to its dtype, shape and bytes."""


class Journal:
    """The journal of one generation, open for writing; threads may add games."""

    def __init__(self, path: Path, generation: int, rules: str, *, keep: bool = True) -> None:
        """Open the journal and read its games; a journal of an earlier generation is replaced.

        Args:
            path: the journal's file.
            generation: the current generation.
            rules: fingerprint of the game's rules.
            keep: False discards the games of earlier processes.

        Raises:
            BadRecord: the journal was written under other rules, holds games of a later generation, or is damaged.
            Unavailable: the file cannot be written.
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
                        f"{path}: holds games of generation {entry.generation}, but generation {generation} is still "
                        "missing; restore its shard from a backup, or remove this file and lose those games."
                    )
                if entry.generation < generation:
                    break  # these games are already in a shard
                if entry.rules != rules:
                    raise BadRecord(
                        f"{path}: written under other rules ({entry.rules}, now {rules}); start a new run, or restore "
                        "the version of the game that wrote it."
                    )
                begins.append(entry)
            else:
                self.games.append(_samples(entry))
            end = at
        self.attempt = len(begins)
        """Number of earlier processes that played this generation; it selects the random streams of this process."""
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
        """Write a finished game, so that it survives the end of this process; raises Unavailable if writing fails."""
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
        """Flush the file to disk with fsync, so that it survives a power cut."""
        try:
            os.fsync(self._file.fileno())
        except OSError as error:
            raise _refused(self.path, error) from error

    def close(self) -> None:
        """Close the journal's file."""
        self._file.close()

    def remove(self) -> None:
        """Close and delete the journal after its games were stored in a shard."""
        self.close()
        self.path.unlink(missing_ok=True)
        sync_folder(self.path.parent)

    def _write(self, entry: Begin | _Game) -> None:
        body = msgspec.msgpack.encode(entry)
        record = _HEAD.pack(len(body), zlib.crc32(body)) + body
        self._file.seek(self._end)
        self._file.truncate(self._end)  # remove a partly written record
        written = 0
        while written < len(record):
            written += self._file.write(record[written:]) or 0
        self._end += len(record)


class JournalContents(NamedTuple):
    """The contents of a journal."""

    generation: int | None
    """The generation in play; None without a journal."""
    games: list[Samples]
    """Finished games, in order of completion."""


def read_journal(path: Path) -> JournalContents:
    """Read a journal without changing it, ignoring a torn last record; raises BadRecord if another is damaged."""
    entries = [entry for entry, _ in _records(path)]
    begins = [entry.generation for entry in entries if isinstance(entry, Begin)]
    return JournalContents(
        begins[-1] if begins else None, [_samples(each) for each in entries if isinstance(each, _Game)]
    )


def _records(path: Path) -> Generator[tuple[Begin | _Game, int]]:
    """Yield the complete records of a file, each with the offset of its end.

    A crash may leave a torn last record, and a power cut may leave zeros at the end; both are ignored.  Raises
    BadRecord if the file's header is wrong, or if a damaged record is followed by others.
    """
    try:
        data = path.read_bytes() if path.is_file() else b""
    except OSError as error:
        raise Unavailable(f"{path}: cannot be read ({error.strerror}); fix its permissions.") from error
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
    """Return the end offset of the complete record that starts at `at`; 0 if there is none."""
    begin = at + _HEAD.size
    if begin > len(data):
        return 0
    length, checksum = _HEAD.unpack_from(data, at)
    body = data[begin : begin + length]
    return begin + length if 0 < length == len(body) and zlib.crc32(body) == checksum else 0


def _goes_on(data: bytes, at: int) -> bool:
    """Return whether other records follow the broken one at `at`; its length may be wrong, so search all offsets."""
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
        f"{path}: is damaged at byte {at}; restore it from a backup, or remove it to play its games again."
    )


def _refused(path: Path, error: OSError) -> Unavailable:
    return Unavailable(
        f"{path}: cannot be written ({error.strerror}); free disk space or fix its permissions, then run the same "
        "command again; finished games are safe."
    )
