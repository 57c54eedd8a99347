"""Append-only files of JSON objects, one a line, each line with a checksum.

A line ends in `"crc32":"89abcdef"}`, the CRC-32 of the same object without that key, in hexadecimal.  A last line
without a line feed was torn by an interrupted write: readers skip it, and the next append overwrites it.
"""

from __future__ import annotations

import os
import re
import zlib
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

import msgspec

from ludus.errors import BadRecord
from ludus.files import make_folder
from ludus.system import locked, sync_folder

_BLOCK = 1 << 12  # bytes read at a time when searching backwards for the last line feed
_LINE = re.compile(rb'(\{.*),"crc32":"([0-9a-f]{8})"\}', re.DOTALL)
_TRACES = re.compile(rb'"crc32"|"[0-9a-f]{8}"\}$')  # one wrong byte can damage only one of the two


def sealed(line: msgspec.Struct) -> bytes:
    """Encode an object as a line with checksum and line feed."""
    body = msgspec.json.encode(line)
    return body[:-1] + b',"crc32":"%08x"}\n' % zlib.crc32(body)


def unsealed(file: Path, number: int, line: bytes) -> bytes:
    """Return the JSON object of line `number` of a file; raises BadRecord if its checksum is wrong or missing."""
    found = _LINE.fullmatch(line)
    if number == 1 and not _TRACES.search(line):
        raise BadRecord(f"{file}, line 1: there is no checksum, so this is not a record; name another file.")
    body = found[1] + b"}" if found else b""
    if not found or zlib.crc32(body) != int(found[2], 16):
        raise BadRecord(f"{file}, line {number}: is damaged (its checksum is wrong); restore it from a backup.")
    return body


def whole_lines(file: Path) -> list[bytes]:
    """Return the complete lines of a file, each without its line feed; ignore a torn last line; raises OSError."""
    data = file.read_bytes()
    return data[: data.rfind(b"\n") + 1].splitlines()


def append(file: Path, line: msgspec.Struct) -> None:
    """Append a line durably, overwriting a torn last line; raises OSError if it cannot be written.

    Several threads and processes may append to one file.
    """
    with _locked(file) as opened:
        _write(opened, file, sealed(line))


def begin(file: Path, line: msgspec.Struct) -> bool:
    """Write the first line of a file that is empty or holds only a torn copy of that line.

    If several threads or processes begin one file at the same time, one of them succeeds.

    Returns:
        Whether the line was written.
    """
    first = sealed(line)
    with _locked(file) as opened:
        opened.seek(0)
        begins = first[:-1].startswith(opened.read(len(first)))
        if begins:
            _write(opened, file, first)
        return begins


@contextmanager
def _locked(file: Path) -> Generator[BinaryIO]:
    """Open a file for appending under an exclusive lock, and create its folder."""
    make_folder(file.parent)
    with file.open("a+b") as opened, locked(opened, file):
        yield opened


def _write(opened: BinaryIO, file: Path, line: bytes) -> None:
    end = _end(opened)
    if end == 0:
        sync_folder(file.parent)  # before the first line, so that the file's name is durable before its content
    opened.truncate(end)
    opened.write(line)
    opened.flush()
    os.fsync(opened.fileno())


def _end(opened: BinaryIO) -> int:
    """Return the offset after the last line feed of a file."""
    end = opened.seek(0, os.SEEK_END)
    while end > 0:
        begin = max(0, end - _BLOCK)
        opened.seek(begin)
        if found := opened.read(end - begin).rfind(b"\n") + 1:
            return begin + found
        end = begin
    return 0
