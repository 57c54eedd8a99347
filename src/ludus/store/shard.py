r"""Shards: files of self-play positions, written atomically and protected by checksums.

    header               magic b"LUDUS\x00SH", version 2, `ShardHeader` (`ludus.headers`)
    body                 Zstandard: the arrays of `Samples` in the order of their declaration, little-endian, packed

Neighbouring positions are similar, so arrays are transformed before compression: those in STEPS are stored as
differences (states: exclusive or), and those in PLANES byte by byte, first the lowest byte of all items.  After
compression a state takes about as many bytes as a move.  The header has the length and the digest of the body, so that
damage to any byte is detected.
"""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import BinaryIO

import msgspec
import numpy as np
import zstandard

from ludus.errors import BadRecord
from ludus.files import write_atomically
from ludus.headers import FileKind, digest_of
from ludus.paths import in_game, lasting
from ludus.store.samples import DTYPES, Samples
from ludus.trust import found

STEPS = ("game", "ply", "mover", "policy_start", "outcome", "network", "game_id")
PLANES = ("states", "action", "policy_start", "policy_action", "root_value", "root_draw", "surprise")
_LEVEL = 3  # Zstandard's own default: ten times the speed of the high levels for a few percent more bytes


class ShardHeader(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The header of a shard."""

    rules_key: str
    """Fingerprint of the rules under which the games were played."""
    names: list[str]
    """Full names of the games; `Samples.game` has indices into this list.  A file has absolute paths of games."""
    num_words: int
    """Number of 64-bit words of a state."""
    num_positions: int
    num_pairs: int
    """Number of policy pairs; see `Samples`."""
    body_length: int
    """Number of compressed bytes after the header."""
    body_digest: str
    """BLAKE2b hash of these bytes, in hexadecimal."""


SHARD = FileKind(
    b"LUDUS\x00SH", 2, ShardHeader, "shard of self-play positions", "shard version", "restore it from a backup"
)


def write_shard(path: Path, samples: Samples, *, rules_key: str, names: Sequence[str]) -> None:
    """Write samples to a shard.

    Args:
        path: the path of the shard.
        samples: the positions.
        rules_key: fingerprint of the rules.
        names: full names of the games; `samples.game` has indices into them.

    Raises:
        Unavailable: the file cannot be written.
    """
    assert len(samples) == 0 or int(samples.game.max()) < len(names), "Samples.game has an index outside `names`"
    raw = b"".join(_packed(name, getattr(samples, name)) for name in DTYPES)
    body = zstandard.ZstdCompressor(level=_LEVEL).compress(raw)
    header = ShardHeader(
        rules_key=rules_key,
        names=[in_game(name, lasting) for name in names],
        num_words=samples.num_words,
        num_positions=len(samples),
        num_pairs=len(samples.policy_action),
        body_length=len(body),
        body_digest=digest_of(body).hex(),
    )
    write_atomically(path, SHARD.begin(header) + body)


def read_header(path: Path) -> ShardHeader:
    """Read only the header of a shard, and find its games' files; raises BadRecord for a missing or damaged file."""
    with _open(path) as file:
        header = SHARD.read(path, file)
    return msgspec.structs.replace(header, names=[in_game(name, partial(found, file=path)) for name in header.names])


def read_shard(path: Path, *, rules_key: str | None = None) -> Samples:
    """Read the positions of a shard.

    Args:
        path: the path of the shard.
        rules_key: the fingerprint of the rules that the shard must have; None: any.

    Raises:
        BadRecord: the file is missing, damaged, not a shard, or has another version or other rules.
    """
    with _open(path) as file:
        header, body = SHARD.read(path, file), file.read()
    if rules_key is not None and header.rules_key != rules_key:
        raise BadRecord(
            f"{path}: this shard was written with other rules ({header.rules_key}, now {rules_key}); "
            "start a new run, or go back to the version of the game that wrote it."
        )
    if len(body) != header.body_length:
        follow = f"{len(body)} bytes follow its header instead of {header.body_length}"
        raise BadRecord(f"{path}: {follow}; {SHARD.remedy}.")
    if digest_of(body).hex() != header.body_digest:
        raise BadRecord(f"{path}: its checksum is wrong; {SHARD.remedy}.")
    return _arrays(zstandard.ZstdDecompressor().decompress(body), header)


def _packed(name: str, array: np.ndarray) -> bytes:
    changed = np.array(array, DTYPES[name])
    if name == "states":
        changed[1:] ^= array[:-1]
    elif name in STEPS:
        changed[1:] -= array[:-1]
    return _bytes_of(changed).T.tobytes() if name in PLANES else changed.tobytes()


def _unpacked(name: str, raw: memoryview, shape: tuple[int, ...]) -> np.ndarray:
    array = np.empty(shape, DTYPES[name])
    if name in PLANES:
        items = _bytes_of(array)
        items[:] = np.frombuffer(raw, np.uint8).reshape(items.shape[::-1]).T
    else:
        array.reshape(-1).view(np.uint8)[:] = np.frombuffer(raw, np.uint8)
    if name == "states":
        return np.bitwise_xor.accumulate(array, axis=0)
    return np.cumsum(array, dtype=array.dtype) if name in STEPS else array


def _bytes_of(array: np.ndarray) -> np.ndarray:
    """Return a view of the array as bytes [items, bytes of an item]; an item is a row of a 2D array."""
    width = array.itemsize * (array.shape[1] if array.ndim > 1 else 1)
    return array.reshape(-1).view(np.uint8).reshape(len(array), width)


def _open(path: Path) -> BinaryIO:
    try:
        return path.open("rb")
    except OSError as error:
        raise BadRecord(f"{path}: cannot be read ({error.strerror}).") from error


def _arrays(raw: bytes, header: ShardHeader) -> Samples:
    shapes: dict[str, tuple[int, ...]] = {
        "states": (header.num_positions, header.num_words),
        "policy_start": (header.num_positions + 1,),
        "policy_action": (header.num_pairs,),
        "policy_weight": (header.num_pairs,),
    }
    arrays: dict[str, np.ndarray] = {}
    rest = memoryview(raw)
    for name, dtype in DTYPES.items():
        shape = shapes.get(name, (header.num_positions,))
        size = int(np.prod(shape)) * dtype.itemsize
        arrays[name] = _unpacked(name, rest[:size], shape)
        rest = rest[size:]
    return Samples(**arrays)
