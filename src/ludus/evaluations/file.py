r"""An evaluation file: what one network says of positions of one game, kept from one program to the next.

    header     magic b"LUDUS\x00EV", version 1, `FileInfo` (`ludus.headers`)
    entries    each with a checksum, guides between them (`ludus.evaluations.entry`)

Entries are only ever appended, by one process at a time, while any number of others read: what is torn or damaged is
stepped over, and everything before and behind it is found.  A file in use must not be cut or written to by others.
"""

from __future__ import annotations

import mmap
import os
import threading
from pathlib import Path
from typing import BinaryIO, Literal

import msgspec
import numpy as np
from filelock import FileLock, Timeout
from numpy.typing import NDArray

from ludus.errors import BadInput, Unavailable
from ludus.evaluations.entry import BETWEEN_GUIDES, GUIDE, room_for_entry
from ludus.evaluations.index import (
    COUNT,
    FILLED,
    FIRST_SLOTS,
    LEFT_OUT,
    SEEN,
    SINCE_GUIDE,
    Rows,
    Stored,
    add,
    enlarge,
    look_up,
    make_tally,
    read_on,
)
from ludus.files import make_folder, write_atomically
from ludus.headers import FileKind

NEW_BYTES = 1 << 20  # that are appended before the file is mapped anew
INDEX_BYTES = 256 << 20  # a quarter of a gigabyte finds 25 million positions

Mode = Literal["read", "append"]


class FileInfo(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a file says about itself: whose evaluations of which game it holds."""

    game: str
    """Spec."""
    rules: str
    """Fingerprint of what the rules do (`ludus.games.behaviour`)."""
    start: str
    """Key of the first position, in hexadecimal: it changes when states are laid out otherwise."""
    model: str
    """Name and generation of the network, for people."""
    network: str
    """Fingerprint of its weights."""


_KIND = FileKind(
    b"LUDUS\x00EV",
    1,
    FileInfo,
    "evaluation file",
    "an evaluation file of version",
    "delete the file, it can be computed again",
)


class EvaluationFile:
    """An open file; any thread may look up, and add.

    Attributes:
        path: the file.
        info: its header.
        lock: of everything below.
        old: the file as far as it is mapped.
        new: what was appended since, and room for more.
        num_new: bytes of it in use.
        slots: the index.
        tally: see `ludus.evaluations.index`.
    """

    def __init__(
        self,
        path: Path,
        mode: Mode = "read",
        *,
        begin: FileInfo | None = None,
        index_bytes: int = INDEX_BYTES,
    ) -> None:
        """Open a file.

        Args:
            path: the file.
            mode: `read`, or `append` as well, which one process may do at a time.
            begin: the header with which a file begins that does not exist; without it, there must be one.
            index_bytes: memory of the index at most.

        Raises:
            BadInput: there is no such file, or another process appends to it.
            BadRecord: it is no evaluation file, or its header is damaged.
            Unavailable: the disk refuses.
        """
        self.path, self.mode = path, mode
        self.lock = threading.Lock()
        self._most_slots = 1 << (max(index_bytes, 8 * FIRST_SLOTS) // 8).bit_length() - 1
        self._reader: BinaryIO | None = None
        self._writer: BinaryIO | None = None
        self._process_lock: FileLock | None = None
        self._refusal: Unavailable | None = None  # what the disk said when it took no more
        if mode == "append":
            if begin is None or path.exists():
                _read_header(path)  # what cannot be used gets no lock beside it
            self._claim()  # before the file is begun: of two processes that begin it, one would write for nobody
        try:
            if begin is not None and not path.exists():
                write_atomically(path, _KIND.begin(begin) + GUIDE)
            self.info, first = _read_header(path)
            self._open()
        except BaseException:
            self._release()
            raise
        self.slots: NDArray[np.uint64] = np.zeros(min(FIRST_SLOTS, self._most_slots), np.uint64)
        self.tally = make_tally()
        self.tally[SEEN] = first
        self.new: NDArray[np.uint8] = np.zeros(NEW_BYTES if mode == "append" else 0, np.uint8)
        self.num_new = 0
        self._map()
        if int(self.tally[SINCE_GUIDE]) > 0 or int(self.tally[SEEN]) < self.size:
            self.tally[SINCE_GUIDE] = (
                BETWEEN_GUIDES  # a session begins with a guide: behind a torn end, it is the way back
            )

    # ---- what it holds -----------------------------------------------------------------------------------------------

    def __len__(self) -> int:
        """Return how many positions can be found."""
        return int(self.tally[COUNT])

    @property
    def left_out(self) -> int:
        """Return how many entries cannot be found because the index is as large as it may be."""
        return int(self.tally[LEFT_OUT])

    @property
    def size(self) -> int:
        """Return the bytes of the file as it is known here."""
        return len(self.old) + self.num_new

    @property
    def index_nbytes(self) -> int:
        """Return the memory of the index."""
        return self.slots.nbytes

    def refresh(self) -> None:
        """Read what another process has appended since; the caller holds no lock."""
        with self.lock:
            if self.mode == "read" and self._reader and os.fstat(self._reader.fileno()).st_size > len(self.old):
                self._map()

    def look_up(self, rows: Rows) -> NDArray[np.bool_]:
        """Write logits and outcomes of the rows whose positions are in the file; return which these are [N]."""
        found = np.zeros(len(rows.keys), np.bool_)
        values = np.zeros(rows.actions.shape[1], np.int32)
        with self.lock:
            look_up(rows, self._stored(), values, found)
        return found

    def add(self, rows: Rows) -> None:
        """Append evaluations; those of positions that are there already are left out, and all if the file is full.

        When this returns they are with the operating system: the end of this process does not lose them.

        Raises:
            Unavailable: the disk refuses.
        """
        values = np.zeros(rows.actions.shape[1], np.int32)
        row = 0
        with self.lock:
            while row < len(rows.keys) and not self.is_full:
                self._make_room(room_for_entry(rows.actions.shape[1]))
                row, end = add(row, rows, self._stored(), self.num_new, values)
                try:
                    self._write(end)
                except Unavailable as error:
                    self._refusal = error
                    raise

    @property
    def is_full(self) -> bool:
        """Return whether the index has no room for another position, and cannot grow."""
        return int(self.tally[COUNT]) >= FILLED * self._most_slots

    def must_take_more(self) -> None:
        """Raise Unavailable if what is added is not kept: the disk has refused something, or the file is full."""
        if self._refusal:
            raise self._refusal
        if self.is_full:
            raise Unavailable(f"{self.path}: is full, with {len(self):,} positions; name another file.")

    def close(self) -> None:
        """Flush all that was appended to the disk, and release the file for other processes."""
        with self.lock:
            self._release()
            self.old = np.zeros(0, np.uint8)
            self.slots = np.zeros(FIRST_SLOTS, np.uint64)
            self.num_new = 0
            reader, self._reader = self._reader, None
            if reader is not None:
                reader.close()

    def __enter__(self) -> EvaluationFile:
        """Return the file."""
        return self

    def __exit__(self, *_error: object) -> None:
        """Close it."""
        self.close()

    def __del__(self) -> None:
        """Close the file of a player that was dropped."""
        if self._reader is not None:
            self.close()

    # ---- inside ------------------------------------------------------------------------------------------------------

    def _stored(self) -> Stored:
        return Stored(self.slots, self.tally, self.old, self.new)

    def _claim(self) -> None:
        """Lock the file against other processes that append."""
        lock = FileLock(self.path.with_name(f".{self.path.name}.lock"))
        try:
            make_folder(self.path.parent)
            lock.acquire(timeout=0)
        except Timeout as error:
            if not Path(lock.lock_file).exists():
                raise self._refused("no file can be made there") from error
            raise BadInput(
                f"{self.path}: another process appends to this file; open it to be read only, or wait."
            ) from error
        except OSError as error:
            raise self._refused(error.strerror) from error
        self._process_lock = lock

    def _open(self) -> None:
        self._reader = self.path.open("rb")
        if self.mode == "append":
            try:
                self._writer = self.path.open("ab", buffering=0)
            except OSError as error:
                raise self._refused(error.strerror) from error

    def _release(self) -> None:
        writer, self._writer = self._writer, None
        if writer is not None:
            os.fsync(writer.fileno())
            writer.close()
        if self._process_lock is not None:
            self._process_lock.release()

    def _map(self) -> None:
        """Map the file as it is now, and put into the index what is new in it."""
        assert self._reader is not None, "the file is closed"
        size = os.fstat(self._reader.fileno()).st_size
        # A private mapping: compiled code wants arrays that could be written, and nothing is.
        mapped = mmap.mmap(self._reader.fileno(), size, access=mmap.ACCESS_COPY)
        self.old: NDArray[np.uint8] = np.frombuffer(mapped, np.uint8)
        self.num_new = 0
        while not read_on(self.old, self.slots, self.tally, self._most_slots):
            self._enlarge()

    def _make_room(self, size: int) -> None:
        """Have room for `size` bytes in `new`, and for another position in the index unless it is full."""
        assert size <= len(self.new), "more than is appended at a time, or the file is open to be read only"
        if self.num_new + size > len(self.new):
            self._map()
        if int(self.tally[COUNT]) >= FILLED * len(self.slots) and len(self.slots) < self._most_slots:
            self._enlarge()

    def _write(self, end: int) -> None:
        """Append the bytes of `new` from `num_new` to `end` to the file."""
        assert self._writer is not None, "this file is open to be read only"
        written = self.new[self.num_new : end].tobytes()
        try:
            done = self._writer.write(written)
        except OSError as error:
            raise self._refused(error.strerror) from error
        if done != len(written):
            self._writer.truncate(self.size)  # what others append would lie elsewhere than they think
            raise self._refused("the disk is full")
        if int(self.tally[SEEN]) == self.size:
            self.tally[SEEN] += len(written)
        self.num_new = end

    def _enlarge(self) -> None:
        larger = np.zeros(2 * len(self.slots), np.uint64)
        enlarge(self.slots, larger, self.old, self.new)
        self.slots = larger

    def _refused(self, reason: str | None) -> Unavailable:
        return Unavailable(f"{self.path}: cannot be written ({reason}); make room or choose another file.")


def read_info(path: Path) -> FileInfo:
    """Return what a file says about itself; raises as `EvaluationFile` does."""
    return _read_header(path)[0]


def _read_header(path: Path) -> tuple[FileInfo, int]:
    """Return the header, and where the entries begin."""
    try:
        with path.open("rb") as file:
            return _KIND.read(path, file), file.tell()
    except FileNotFoundError as error:
        raise BadInput(f"{path}: there is no such file; `ludus precompute` makes one.") from error
    except OSError as error:
        raise Unavailable(f"{path}: cannot be read ({error.strerror}).") from error
