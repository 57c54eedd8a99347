"""The index of an evaluation file: where each position's entry stands, in eight bytes a slot.

A slot holds 16 bits of the key above 48 bits of the place; 0 is empty.  A position is looked for from the slot on that
its key names; the key itself stands in the file.  The index grows with the file up to a limit: what comes later is not
found, and nothing else suffers.
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
FILLED = 0.75  # share of the slots that are in use at most
FIRST_SLOTS = 1 << 10
SEEN, COUNT, SKIPPED, LEFT_OUT, SINCE_GUIDE = range(5)
"""Of the tally: bytes that were read, entries in the index, bytes that belong to none, entries for which the index has
no room, entries since the last guide."""


class Rows(NamedTuple):
    """Positions side by side, as an evaluator has judged them or is to judge them."""

    keys: NDArray[np.uint64]  # [N] hashes of their states
    actions: NDArray[np.int16]  # [N, L] their legal actions, in the order of their numbers
    counts: NDArray[np.int32]  # [N] how many these are; 0: the file has nothing to do with this row
    logits: NDArray[np.float32]  # [N, A] of the legal actions
    outcomes: NDArray[np.float32]  # [N, 3] probabilities of win, draw and loss of the mover

    def first(self, count: int) -> Rows:
        """Return the first `count` of them."""
        keys, actions, counts, logits, outcomes = self
        return Rows(keys[:count], actions[:count], counts[:count], logits[:count], outcomes[:count])


class Stored(NamedTuple):
    """What compiled code needs of an open file."""

    slots: NDArray[np.uint64]  # [S] the index
    tally: NDArray[np.int64]  # [5]
    old: NDArray[np.uint8]  # [bytes] the file as far as it is mapped
    new: NDArray[np.uint8]  # [bytes] what was appended since, and room for more


def make_tally() -> NDArray[np.int64]:
    """Return a tally of nothing."""
    return np.zeros(5, np.int64)


@kernel
def place_of(slot: np.uint64) -> int:
    """Return the place in a slot."""
    return int(np.int64(slot & LOW))


@kernel
def first_slot(slots: np.ndarray, key: np.uint64) -> int:
    """Return the slot that a key names; the lowest bit of keys is always the same."""
    return int(np.int64((key >> ONE) & np.uint64(slots.shape[0] - 1)))


@kernel
def key_in(old: np.ndarray, new: np.ndarray, place: int) -> np.uint64:
    """Return the key of the entry at a place of the file, whose first bytes are `old` and whose last are `new`."""
    if place + HEAD <= old.shape[0]:
        return key_at(old, place)
    at = place - old.shape[0]
    return key_at(new, at) if 0 <= at <= new.shape[0] - HEAD else EMPTY


@kernel
def find(slots: np.ndarray, old: np.ndarray, new: np.ndarray, key: np.uint64) -> int:
    """Return the place of the entry with a key, or -1."""
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
    """Return whether one more entry may be put into the index."""
    return float(tally[COUNT]) < FILLED * slots.shape[0]


@kernel
def note(slots: np.ndarray, key: np.uint64, place: int) -> None:
    """Put an entry that is not there into the index, which has a free slot."""
    at = first_slot(slots, key)
    while np.uint64(slots[at]) != EMPTY:
        at = at + 1 if at + 1 < slots.shape[0] else 0
    slots[at] = (key >> PLACE_BITS) << PLACE_BITS | np.uint64(place)


@entry
def read_on(data: np.ndarray, slots: np.ndarray, tally: np.ndarray, most_slots: int) -> bool:
    """Put the entries of the file from `tally[SEEN]` on into the index.

    Args:
        data: the file.
        slots: the index.
        tally: is updated.
        most_slots: to which the index may grow.

    Returns:
        False if the index must grow before it can go on.
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
            if whole < 0:  # damaged, torn, or still being written: whatever comes behind it will tell
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
    """Put everything that is in one index into another one, which is empty."""
    for at in range(slots.shape[0]):
        slot = np.uint64(slots[at])
        if slot != EMPTY:
            place = place_of(slot)
            note(larger, key_in(old, new, place), place)


@entry
def look_up(rows: Rows, stored: Stored, values: np.ndarray, found: np.ndarray) -> None:
    """Do the work of `EvaluationFile.look_up`."""
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
    """Pack the rows from `first` on whose positions are not in the file yet, as long as there is room.

    Returns:
        The first row that is still to be done, and where the bytes in `new` end.
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
