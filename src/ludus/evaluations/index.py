"""The index of an evaluation file: a hash table from positions to the offsets of their entries.

A slot has eight bytes: the high 16 bits of the key and 48 bits of the offset; 0 means empty.  Collisions are resolved
by linear probing, and keys are compared with the whole key in the file.  The index grows with the file up to a limit;
entries beyond that limit are not indexed.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludus.evaluations.entry import (
    BETWEEN_GUIDES,
    HEAD,
    end_of_entry,
    is_guide,
    key_at,
    next_whole,
    put_entry,
    put_guide,
    quantise,
    room_for_entry,
    take_entry,
)
from ludus.kernel import entry, kernel

PLACE_BITS, LOW = np.uint64(48), np.uint64((1 << 48) - 1)
EMPTY, ONE = np.uint64(0), np.uint64(1)
FILLED = 0.75  # largest share of used slots
FIRST_SLOTS = 1 << 10
SEEN, COUNT, SKIPPED, LEFT_OUT, SINCE_GUIDE = range(5)
"""Counters in the tally: bytes read, entries in the index, damaged bytes, entries that the index has no room for, and
entries since the last guide."""


class Rows(NamedTuple):
    """A batch of positions with an evaluator's input and output arrays."""

    keys: NDArray[np.uint64]  # [N] hashes of the states
    actions: NDArray[np.int16]  # [N, L] the legal actions, ordered by number
    counts: NDArray[np.int32]  # [N] the number of legal actions; 0: skip this row
    logits: NDArray[np.float32]  # [N, A] of the legal actions
    outcomes: NDArray[np.float32]  # [N, 3] probabilities of win, draw and loss for the player to move

    def first(self, count: int) -> Rows:
        """Return the first `count` rows."""
        keys, actions, counts, logits, outcomes = self
        return Rows(keys[:count], actions[:count], counts[:count], logits[:count], outcomes[:count])


class Stored(NamedTuple):
    """The arrays of an open evaluation file, for compiled code."""

    slots: NDArray[np.uint64]  # [S] the index
    tally: NDArray[np.int64]  # [5]
    old: NDArray[np.uint8]  # [bytes] the mapped part of the file
    new: NDArray[np.uint8]  # [bytes] a buffer with the bytes appended after that part


def make_tally() -> NDArray[np.int64]:
    """Return a tally with all counters 0."""
    return np.zeros(5, np.int64)


@kernel
def place_of(slot: np.uint64) -> int:
    """Return the offset stored in a slot."""
    return int(np.int64(slot & LOW))


@kernel
def first_slot(slots: np.ndarray, key: np.uint64) -> int:
    """Return the first slot to probe for a key; ignores the lowest bit, which is the same in all keys."""
    return int(np.int64((key >> ONE) & np.uint64(slots.shape[0] - 1)))


@kernel
def key_in(old: np.ndarray, new: np.ndarray, place: int) -> np.uint64:
    """Return the key of the entry at an offset of the file, which consists of `old` followed by `new`."""
    if place + HEAD <= old.shape[0]:
        return key_at(old, place)
    at = place - old.shape[0]
    return key_at(new, at) if 0 <= at <= new.shape[0] - HEAD else EMPTY


@kernel
def find(slots: np.ndarray, old: np.ndarray, new: np.ndarray, key: np.uint64) -> int:
    """Return the offset of the entry with a key, or -1."""
    at, tag = first_slot(slots, key), key >> PLACE_BITS
    for _ in range(slots.shape[0]):
        slot = np.uint64(slots[at])
        if slot == EMPTY:
            return -1
        if slot >> PLACE_BITS == tag and key_in(old, new, place_of(slot)) == key:
            return place_of(slot)
        at = at + 1 if at + 1 < slots.shape[0] else 0
    return -1


@kernel
def has_free_slot(slots: np.ndarray, tally: np.ndarray) -> bool:
    """Return whether the index has room for another entry."""
    return float(tally[COUNT]) < FILLED * slots.shape[0]


@kernel
def note(slots: np.ndarray, key: np.uint64, place: int) -> None:
    """Insert an entry into the index, which must have a free slot and not contain the key."""
    at = first_slot(slots, key)
    while np.uint64(slots[at]) != EMPTY:
        at = at + 1 if at + 1 < slots.shape[0] else 0
    slots[at] = (key >> PLACE_BITS) << PLACE_BITS | np.uint64(place)


@entry
def read_on(data: np.ndarray, slots: np.ndarray, tally: np.ndarray, most_slots: int) -> bool:
    """Index the entries of the file from offset `tally[SEEN]` on.

    Args:
        data: the whole file.
        slots: the index.
        tally: the counters, which are updated.
        most_slots: the largest size of the index.

    Returns:
        False if the index must be enlarged first; call again afterwards.
    """
    at = int(tally[SEEN])
    while at < data.shape[0]:
        if is_guide(data, at):
            at += 16
            tally[SINCE_GUIDE] = 0
            continue
        end = end_of_entry(data, at)
        if end < 0:
            whole = next_whole(data, at + 1)
            if whole < 0:  # damaged, torn or still being written; unknown until more bytes follow
                break
            tally[SKIPPED] += whole - at
            at = whole
            continue
        key = key_at(data, at)
        if find(slots, data, data[:0], key) < 0:
            if has_free_slot(slots, tally):
                note(slots, key, at)
                tally[COUNT] += 1
            elif slots.shape[0] < most_slots:
                tally[SEEN] = at
                return False
            else:
                tally[LEFT_OUT] += 1
        tally[SINCE_GUIDE] += 1
        at = end
    tally[SEEN] = at
    return True


@entry
def enlarge(slots: np.ndarray, larger: np.ndarray, old: np.ndarray, new: np.ndarray) -> None:
    """Copy all entries of an index into a larger, empty one."""
    for at in range(slots.shape[0]):
        slot = np.uint64(slots[at])
        if slot != EMPTY:
            place = place_of(slot)
            note(larger, key_in(old, new, place), place)


@entry
def look_up(rows: Rows, stored: Stored, values: np.ndarray, found: np.ndarray) -> None:
    """Look up positions in an open file; see `EvaluationFile.look_up`.

    Args:
        rows: the positions; logits and outcomes of those found are written.
        stored: the arrays of the file.
        values: scratch space.  # [L]
        found: output: whether each position was found.  # [N]
    """
    slots, old, new = stored.slots, stored.old, stored.new
    for row in range(rows.keys.shape[0]):
        found[row] = False
        count = int(rows.counts[row])
        place = find(slots, old, new, np.uint64(rows.keys[row])) if count > 0 else -1
        if place >= 0:
            inside = place < old.shape[0]
            data, at = old if inside else new, place if inside else place - old.shape[0]
            found[row] = take_entry(data, at, rows.actions[row], count, values, rows.logits[row], rows.outcomes[row])


@entry
def add(first: int, rows: Rows, stored: Stored, num_new: int, values: np.ndarray) -> tuple[int, int]:
    """Write entries for the rows from `first` on into `new`, except for positions that are in the file already.

    Returns:
        The first row without room in `new` or in the index (N if there is none), and the number of bytes used in `new`.
    """
    slots, tally, old, new = stored.slots, stored.tally, stored.old, stored.new
    at = num_new
    for row in range(first, rows.keys.shape[0]):
        count, key = int(rows.counts[row]), np.uint64(rows.keys[row])
        if count == 0 or find(slots, old, new, key) >= 0:
            continue
        if at + room_for_entry(count) > new.shape[0] or not has_free_slot(slots, tally):
            return row, at
        if int(tally[SINCE_GUIDE]) >= BETWEEN_GUIDES:
            at = put_guide(new, at)
            tally[SINCE_GUIDE] = 0
        quantise(rows.logits[row], rows.actions[row], count, values)
        place = old.shape[0] + at
        at = put_entry(new, at, key, values, count, rows.outcomes[row])
        note(slots, key, place)
        tally[COUNT] += 1
        tally[SINCE_GUIDE] += 1
    return rows.keys.shape[0], at
