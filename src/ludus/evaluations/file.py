r"""Evaluation files: a persistent cache of one network's evaluations of positions of one game.

    header     magic b"LUDUS\x00EV", version 1, `FileInfo` (`ludus.headers`)
    entries    each with a checksum, with guides between them (`ludus.evaluations.entry`)

Entries are only appended, by one process at a time; any number of processes may read meanwhile.  Readers skip torn or
damaged entries and find all others.  No other program may truncate or modify a file in use.
"""

from __future__ import annotations

import mmap
import os
import threading
from functools import partial
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
from ludus.paths import in_game, lasting
from ludus.trust import found

NEW_BYTES = 1 << 20  # size of the buffer of appended bytes; when it is full, the file is mapped again
INDEX_BYTES = 256 << 20  # a quarter of a gigabyte is enough to index 25 million positions

Mode = Literal["read", "append"]


class FileInfo(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The header of an evaluation file: the game and the network of its evaluations."""

    game: str
    """Full name of the game; a file has the absolute path of a game."""
    rules: str
    """Fingerprint of the behaviour of the rules (`ludus.games.behaviour`)."""
    start: str
    """Key of the start position, in hexadecimal; it changes with the layout of states."""
    model: str
    """Name and generation of the network, shown to users."""
    network: str
    """Fingerprint of the network's weights."""


_KIND = FileKind(
    b"LUDUS\x00EV",
    1,
    FileInfo,
    "evaluation file",
    "an evaluation file of version",
    "delete the file, it can be computed again",
)


class EvaluationFile:
    """An open evaluation file; its methods may be called from any thread.

    Attributes:
        path: the path of the file.
        info: its header.
        lock: protects the attributes below.
        old: the mapped part of the file.
        new: a buffer with the bytes appended after that part.
        num_new: the number of bytes in use in `new`.
        slots: the index.
        tally: counters; see `ludus.evaluations.index`.
    """

    def __init__(
        self,
        path: Path,
        mode: Mode = "read",
        *,
        begin: FileInfo | None = None,
        index_bytes: int = INDEX_BYTES,
    ) -> None:
        """Open an evaluation file, and create it if necessary.

        Args:
            path: the path of the file.
            mode: `read`; or `append` to read and append, which only one process may do at a time.
            begin: header for a new file; None: the file must exist.
            index_bytes: largest size of the index in memory.

        Raises:
            BadInput: there is no such file, or another process appends to it.
            BadRecord: the file is not an evaluation file, or its header is damaged.
            Unavailable: the file cannot be read or written.
        """
        self.path, self.mode = path, mode
        self.lock = threading.Lock()
        self._most_slots = 1 << (max(index_bytes, 8 * FIRST_SLOTS) // 8).bit_length() - 1
        self._reader: BinaryIO | None = None
        self._writer: BinaryIO | None = None
        self._process_lock: FileLock | None = None
        self._refusal: Unavailable | None = None  # the error of the write that failed
        if mode == "append":
            if begin is None or path.exists():
                _read_header(path)  # raises before a lock file is created beside an unusable file
            self._claim()  # before creating the file, so that two processes cannot create it at the same time
        try:
            if begin is not None and not path.exists():
                kept = msgspec.structs.replace(begin, game=in_game(begin.game, lasting))
                write_atomically(path, _KIND.begin(kept) + GUIDE)
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
                BETWEEN_GUIDES  # begin the session with a guide, so that readers can resume after a torn entry
            )

    # ---- reading and appending ---------------------------------------------------------------------------------------

    def __len__(self) -> int:
        """Return the number of positions in the index."""
        return int(self.tally[COUNT])

    @property
    def left_out(self) -> int:
        """Return the number of entries that are not in the index because it has reached its largest size."""
        return int(self.tally[LEFT_OUT])

    @property
    def size(self) -> int:
        """Return the size of the file in bytes, as far as this object has read or written it."""
        return len(self.old) + self.num_new

    @property
    def index_nbytes(self) -> int:
        """Return the size of the index in bytes."""
        return self.slots.nbytes

    def refresh(self) -> None:
        """Index the entries that another process has appended; must be called without holding `lock`."""
        with self.lock:
            if self.mode == "read" and self._reader and os.fstat(self._reader.fileno()).st_size > len(self.old):
                self._map()

    def look_up(self, rows: Rows) -> NDArray[np.bool_]:
        """Look up positions and write their stored logits and outcomes into `rows`; return which were found [N]."""
        found = np.zeros(len(rows.keys), np.bool_)
        values = np.zeros(rows.actions.shape[1], np.int32)
        with self.lock:
            look_up(rows, self._stored(), values, found)
        return found

    def add(self, rows: Rows) -> None:
        """Append evaluations of positions that are not in the file yet; once the file is full, append nothing.

        The appended bytes are passed to the operating system, so they survive the end of this process.

        Raises:
            Unavailable: the file cannot be written.
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
        """Return whether the index is full and has its largest size."""
        return int(self.tally[COUNT]) >= FILLED * self._most_slots

    def must_take_more(self) -> None:
        """Raise Unavailable if further evaluations would not be stored: a write has failed, or the file is full."""
        if self._refusal:
            raise self._refusal
        if self.is_full:
            raise Unavailable(f"{self.path}: the file is full, with {len(self):,} positions; name another file.")

    def close(self) -> None:
        """Flush the appended entries to disk, close the file and release its lock."""
        with self.lock:
            self._release()
            self.old = np.zeros(0, np.uint8)
            self.slots = np.zeros(FIRST_SLOTS, np.uint64)
            self.num_new = 0
            reader, self._reader = self._reader, None
            if reader is not None:
                reader.close()

    def __enter__(self) -> EvaluationFile:
        """Return this object."""
        return self

    def __exit__(self, *_error: object) -> None:
        """Close the file."""
        self.close()

    def __del__(self) -> None:
        """Close the file if its owner has not."""
        if self._reader is not None:
            self.close()

    # ---- inside ------------------------------------------------------------------------------------------------------

    def _stored(self) -> Stored:
        return Stored(self.slots, self.tally, self.old, self.new)

    def _claim(self) -> None:
        """Lock the file for appending by this process alone."""
        lock = FileLock(self.path.with_name(f".{self.path.name}.lock"))
        try:
            make_folder(self.path.parent)
            lock.acquire(timeout=0)
        except Timeout as error:
            if not Path(lock.lock_file).exists():
                raise self._refused("its lock file cannot be created") from error
            raise BadInput(
                f"{self.path}: another process appends to this file; open it for reading only, or wait."
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
        """Map the whole file, and index its new entries."""
        assert self._reader is not None, "the file is closed"
        size = os.fstat(self._reader.fileno()).st_size
        # A private mapping, since compiled code requires writable arrays; nothing writes to it.
        mapped = mmap.mmap(self._reader.fileno(), size, access=mmap.ACCESS_COPY)
        self.old: NDArray[np.uint8] = np.frombuffer(mapped, np.uint8)
        self.num_new = 0
        while not read_on(self.old, self.slots, self.tally, self._most_slots):
            self._enlarge()

    def _make_room(self, size: int) -> None:
        """Make room for `size` bytes in `new`, and enlarge the index if it is full and may grow."""
        assert size <= len(self.new), "`size` exceeds the buffer, or the file is open for reading only"
        if self.num_new + size > len(self.new):
            self._map()
        if int(self.tally[COUNT]) >= FILLED * len(self.slots) and len(self.slots) < self._most_slots:
            self._enlarge()

    def _write(self, end: int) -> None:
        """Append the bytes of `new` from `num_new` to `end` to the file."""
        assert self._writer is not None, "this file is open for reading only"
        written = self.new[self.num_new : end].tobytes()
        try:
            done = self._writer.write(written)
        except OSError as error:
            raise self._refused(error.strerror) from error
        if done != len(written):
            self._writer.truncate(self.size)  # otherwise later entries would not be where the index expects them
            raise self._refused("the disk is full")
        if int(self.tally[SEEN]) == self.size:
            self.tally[SEEN] += len(written)
        self.num_new = end

    def _enlarge(self) -> None:
        larger = np.zeros(2 * len(self.slots), np.uint64)
        enlarge(self.slots, larger, self.old, self.new)
        self.slots = larger

    def _refused(self, reason: str | None) -> Unavailable:
        return Unavailable(f"{self.path}: cannot be written ({reason}); free disk space or choose another file.")


def read_info(path: Path) -> FileInfo:
    """Return the header of an evaluation file; raises BadInput, BadRecord or Unavailable like `EvaluationFile`."""
    return _read_header(path)[0]


def _read_header(path: Path) -> tuple[FileInfo, int]:
    """Return the header, and the offset of the first entry."""
    try:
        with path.open("rb") as file:
            info = _KIND.read(path, file)
            return msgspec.structs.replace(info, game=in_game(info.game, partial(found, file=path))), file.tell()
    except FileNotFoundError as error:
        raise BadInput(f"{path}: there is no such file; create it with `ludus precompute`.") from error
    except OSError as error:
        raise Unavailable(f"{path}: cannot be read ({error.strerror}).") from error
