"""Lines that notice damage: JSON objects in a file that is only ever appended to, each with a checksum of its own.

A line ends in `"crc32":"89abcdef"}`, the CRC-32 of the same object without that key, in hexadecimal.  A last line
without its end was torn by an interruption: what it told of is done again, and the next line takes its place.
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
from ludus.files import make_folder, sync_folder

try:
    import fcntl
except ImportError:  # not on Windows
    fcntl = None

_BLOCK = 1 << 12  # bytes that are read at once in search of the last line's end
_LINE = re.compile(rb'(\{.*),"crc32":"([0-9a-f]{8})"\}', re.DOTALL)
_TRACES = re.compile(rb'"crc32"|"[0-9a-f]{8}"\}$')  # no single wrong byte hides both


def sealed(line: msgspec.Struct) -> bytes:
    """Return a line with its checksum and its end."""
    body = msgspec.json.encode(line)
    return body[:-1] + b',"crc32":"%08x"}\n' % zlib.crc32(body)


def unsealed(file: Path, number: int, line: bytes) -> bytes:
    """Return the object of line `number` of a file; raises BadRecord if its checksum is wrong or missing."""
    found = _LINE.fullmatch(line)
    if number == 1 and not _TRACES.search(line):
        raise BadRecord(f"{file}, line 1: has no checksum, so this is no record; name another file.")
    body = found[1] + b"}" if found else b""
    if not found or zlib.crc32(body) != int(found[2], 16):
        raise BadRecord(f"{file}, line {number}: is damaged (its checksum is wrong); restore it from a backup.")
    return body


def whole_lines(file: Path) -> list[bytes]:
    """Return the lines of a file without their ends, a torn last one left out; raises OSError."""
    data = file.read_bytes()
    return data[: data.rfind(b"\n") + 1].splitlines()


def append(file: Path, line: msgspec.Struct) -> None:
    """Add a line, in place of a torn one; it is on the disk when this returns; raises OSError if the disk refuses.

    Several threads may append to one file, and several processes, where files can be locked (not on Windows).
    """
    with _locked(file) as opened:
        _write(opened, file, sealed(line))


def begin(file: Path, line: msgspec.Struct) -> bool:
    """Write the first line of a file, unless it holds more than that line torn; return whether it was written.

    Of several that begin a file at the same moment, with the same line or another, one does; otherwise as `append`.
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
    """Open a file, which others who write to it wait for until it is closed."""
    make_folder(file.parent)
    with file.open("a+b") as opened:
        if fcntl:
            fcntl.flock(opened, fcntl.LOCK_EX)
        yield opened


def _write(opened: BinaryIO, file: Path, line: bytes) -> None:
    end = _end(opened)
    if end == 0:
        sync_folder(file.parent)  # before the first line, so that no other one is there without its file's name
    opened.truncate(end)
    opened.write(line)
    opened.flush()
    os.fsync(opened.fileno())


def _end(opened: BinaryIO) -> int:
    """Return where the last whole line of a file ends."""
    end = opened.seek(0, os.SEEK_END)
    while end > 0:
        begin = max(0, end - _BLOCK)
        opened.seek(begin)
        if found := opened.read(end - begin).rfind(b"\n") + 1:
            return begin + found
        end = begin
    return 0
