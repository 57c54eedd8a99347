r"""How binary files begin: what kind they are, and what they say about themselves, so that any damage is noticed.

magic      8 bytes   b"LUDUS\x00" and two letters
version    4 bytes   little-endian
length     4 bytes   of the header
digest    16 bytes   BLAKE2b of the four other parts
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
    """Files of one kind, whose headers are of one type."""

    magic: bytes
    version: int
    header: type[Header]
    name: str  # what such a file is called
    of_version: str  # what stands before the number of another version than this one
    remedy: str  # what helps where the header is damaged

    def begin(self, header: Header) -> bytes:
        """Return the bytes with which a file begins."""
        text = msgspec.json.encode(header)
        fixed = _FIXED.pack(self.magic, self.version, len(text))
        return fixed + digest_of(fixed + text) + text

    def read(self, path: Path, file: BinaryIO) -> Header:
        """Return the header of a file that is open at its beginning, and afterwards stands behind its header.

        Raises:
            BadRecord: it is a file of another kind or version, or its header is damaged.
        """
        fixed, digest = file.read(_FIXED.size), file.read(_DIGEST_SIZE)
        if len(digest) < _DIGEST_SIZE or not fixed.startswith(self.magic):
            raise BadRecord(f"{path}: this is no {self.name}, or only the beginning of one.")
        _, version, length = _FIXED.unpack(fixed)
        if version != self.version:
            raise BadRecord(f"{path}: {self.of_version} {version}; this Ludus reads version {self.version}.")
        text = file.read(length)
        if len(text) != length or digest_of(fixed + text) != digest:
            raise BadRecord(f"{path}: its header is damaged; {self.remedy}.")
        return msgspec.json.decode(text, type=self.header)


def digest_of(data: bytes) -> bytes:
    """Return the BLAKE2b of some bytes, in 16 bytes."""
    return hashlib.blake2b(data, digest_size=_DIGEST_SIZE).digest()
