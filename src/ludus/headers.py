r"""Headers of binary files: magic bytes, version, a checksum and a JSON object.

magic      8 bytes   b"LUDUS\x00" and two letters
version    4 bytes   little-endian
length     4 bytes   of the header
digest    16 bytes   BLAKE2b of the other four fields
header               JSON
"""

import hashlib
import struct
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Generic, TypeVar

import msgspec

from ludus.errors import BadRecord

Header = TypeVar("Header", bound=msgspec.Struct)

_FIXED = struct.Struct("<8sII")  # magic, version, length
_DIGEST_SIZE = 16


@dataclass(frozen=True)
class FileKind(Generic[Header]):
    """A binary file format: its magic bytes, version and type of header, and words for its errors."""

    magic: bytes
    version: int
    header: type[Header]
    name: str  # of the format, in errors
    of_version: str  # in the error about another version, the words before its number
    remedy: str  # in the error about a damaged header

    def begin(self, header: Header) -> bytes:
        """Return the first bytes of a file: magic, version, length, digest and header."""
        text = msgspec.json.encode(header)
        fixed = _FIXED.pack(self.magic, self.version, len(text))
        return fixed + digest_of(fixed + text) + text

    def read(self, path: Path, file: BinaryIO) -> Header:
        """Read the header of a file opened at its beginning, and leave the file's position after the header.

        Raises:
            BadRecord: the file has another format or version, or its header is damaged.
        """
        fixed, digest = file.read(_FIXED.size), file.read(_DIGEST_SIZE)
        if len(digest) < _DIGEST_SIZE or not fixed.startswith(self.magic):
            raise BadRecord(f"{path}: this is not a Ludus {self.name}, or it is cut off.")
        _, version, length = _FIXED.unpack(fixed)
        if version != self.version:
            raise BadRecord(f"{path}: {self.of_version} {version}; this Ludus reads version {self.version}.")
        text = file.read(length)
        if len(text) != length or digest_of(fixed + text) != digest:
            raise BadRecord(f"{path}: its header is damaged; {self.remedy}.")
        return msgspec.json.decode(text, type=self.header)


def digest_of(data: bytes) -> bytes:
    """Return the BLAKE2b hash of `data`, 16 bytes long."""
    return hashlib.blake2b(data, digest_size=_DIGEST_SIZE).digest()
