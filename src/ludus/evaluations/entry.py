r"""The binary format of an entry in an evaluation file: write, verify and read entries.

All numbers are little-endian:

    checksum   4 bytes   CRC-32 of the rest of the entry
    length     2 bytes   of the policy, in bytes
    win        2 bytes   probability that the player to move wins, in 65535ths
    draw       2 bytes   probability of a draw, in 65535ths; the remainder is a loss
    key        8 bytes   hash of the position's state
    policy               priors of the legal actions, ordered by action number, in 2048ths (`ludus.evaluations.code`)

A *guide* is a marker of 16 bytes from which a reader can resume.  There is one before the first entry, one after every
1,024 entries, and one where each session of writing begins.
"""

import math

import numpy as np

from ludus.evaluations.code import STEPS, pack, room_for, unpack
from ludus.kernel import kernel

HEAD = 18
GUIDE = b"\xff\xffLUDUS guide\xff\xff\n"
MOST_LENGTH = 2048  # bytes of a policy: its numbers add up to STEPS, and take at most seven bits for each unit
BETWEEN_GUIDES = 1024  # entries
UNIT = 65535.0
BARELY = 1.0 / (64 * STEPS)  # smallest probability of a legal action when read

_GUIDE = np.frombuffer(GUIDE, np.uint8).astype(np.int64)
_SHIFTS = np.arange(0, 64, 8, dtype=np.uint64)


def _crc_table() -> np.ndarray:
    table = np.arange(256, dtype=np.int64)
    for _ in range(8):
        table = np.where(table & 1, table >> 1 ^ 0xEDB88320, table >> 1)
    return table


_CRC = _crc_table()
_LOGS = np.log((np.arange(STEPS + 1) + 0.5) / STEPS).astype(np.float32)  # numbers are truncated: use the step's middle


@kernel
def crc32(data: np.ndarray, first: int, end: int) -> int:
    """Return the CRC-32 of the bytes `first` to `end`, equal to that of `zlib.crc32`."""
    crc = 0xFFFFFFFF
    for at in range(first, end):
        crc = int(_CRC[(crc ^ int(data[at])) & 255]) ^ (crc >> 8)
    return crc ^ 0xFFFFFFFF


@kernel
def number_at(data: np.ndarray, at: int, size: int) -> int:
    """Read an unsigned number of `size` bytes (at most 4) at `at`."""
    number = 0
    for k in range(size):
        number |= int(data[at + k]) << (8 * k)
    return number


@kernel
def put_number(data: np.ndarray, at: int, size: int, number: int) -> None:
    """Write an unsigned number of `size` bytes at `at`."""
    for k in range(size):
        data[at + k] = number >> (8 * k) & 255


@kernel
def key_at(data: np.ndarray, at: int) -> np.uint64:
    """Return the key of the entry at `at`."""
    key = np.uint64(0)
    for k in range(8):
        key |= np.uint64(data[at + 10 + k]) << np.uint64(_SHIFTS[k])
    return key


@kernel
def room_for_entry(count: int) -> int:
    """Return how many bytes to reserve for a guide and an entry with `count` legal actions."""
    return _GUIDE.shape[0] + HEAD + room_for(count)


@kernel
def is_guide(data: np.ndarray, at: int) -> bool:
    """Return whether there is a guide at `at`."""
    if at + _GUIDE.shape[0] > data.shape[0]:
        return False
    same = 0
    while same < _GUIDE.shape[0] and int(data[at + same]) == int(_GUIDE[same]):
        same += 1
    return same == _GUIDE.shape[0]


@kernel
def put_guide(data: np.ndarray, at: int) -> int:
    """Write a guide at `at`; return the index after it."""
    for k in range(_GUIDE.shape[0]):
        data[at + k] = _GUIDE[k]
    return at + _GUIDE.shape[0]


@kernel
def end_of_entry(data: np.ndarray, at: int) -> int:
    """Return the index after the entry at `at`; -1 if there is no entry with a correct checksum."""
    if at + HEAD > data.shape[0]:
        return -1
    length = number_at(data, at + 4, 2)
    end = at + HEAD + length
    if length == 0 or length > MOST_LENGTH or end > data.shape[0]:
        return -1
    return end if crc32(data, at + 4, end) == number_at(data, at, 4) else -1


@kernel
def quantise(logits: np.ndarray, actions: np.ndarray, count: int, values: np.ndarray) -> None:
    """Quantise a policy: write the softmax of the legal actions' logits into `values`, in 2048ths.

    Args:
        logits: of all actions.  # [A]
        actions: the legal actions.  # [L]
        count: the number of legal actions.
        values: output.  # [L]
    """
    top, total = float(logits[int(actions[0])]), 0.0
    for k in range(1, count):
        top = max(top, float(logits[int(actions[k])]))
    for k in range(count):
        total += math.exp(float(logits[int(actions[k])]) - top)
    for k in range(count):
        values[k] = int(math.exp(float(logits[int(actions[k])]) - top) / total * STEPS)


@kernel
def put_entry(data: np.ndarray, at: int, key: np.uint64, values: np.ndarray, count: int, outcome: np.ndarray) -> int:
    """Write an entry, and return the index after it; some bytes after it are overwritten.

    Args:
        data: the bytes, at least `room_for_entry(count)` of them from `at` on.
        at: index of the entry's first byte.
        key: hash of the position.
        values: the quantised policy over the legal actions.  # [L]
        count: the number of legal actions.
        outcome: probabilities of win, draw and loss for the player to move.  # [3]
    """
    length = (pack(values, count, data, at + HEAD) + 7) // 8
    put_number(data, at + 4, 2, length)
    put_number(data, at + 6, 2, int(min(1.0, max(0.0, float(outcome[0]))) * UNIT + 0.5))
    put_number(data, at + 8, 2, int(min(1.0, max(0.0, float(outcome[1]))) * UNIT + 0.5))
    for k in range(8):
        data[at + 10 + k] = int((key >> np.uint64(_SHIFTS[k])) & np.uint64(255))
    end = at + HEAD + length
    put_number(data, at, 4, crc32(data, at + 4, end))
    return end


@kernel
def take_entry(
    data: np.ndarray,
    at: int,
    actions: np.ndarray,
    count: int,
    values: np.ndarray,
    logits: np.ndarray,
    outcome: np.ndarray,
) -> bool:
    """Read an entry into arrays like those of an evaluator.

    Args:
        data: the bytes.
        at: index of the entry's first byte.
        actions: the legal actions, ordered by number.  # [L]
        count: the number of legal actions.
        values: scratch space.  # [L]
        logits: output; only the logits of legal actions are written.  # [A]
        outcome: output: probabilities of win, draw and loss for the player to move.  # [3]

    Returns:
        False if the entry is damaged, or does not have `count` legal actions.
    """
    end = end_of_entry(data, at)
    if end < 0 or not unpack(data, at + HEAD, end, values, count):
        return False
    rest, zeros = 1.0, 0
    for k in range(count):
        zeros += int(values[k]) == 0
        rest -= (float(values[k]) + 0.5) / STEPS if int(values[k]) > 0 else 0.0
    little = math.log(min(1.0 / STEPS, max(BARELY, rest / max(1, zeros))))
    for k in range(count):
        logits[int(actions[k])] = _LOGS[int(values[k])] if int(values[k]) > 0 else np.float32(little)
    win, draw = number_at(data, at + 6, 2) / UNIT, number_at(data, at + 8, 2) / UNIT
    outcome[0] = np.float32(win)
    outcome[1] = np.float32(draw)
    outcome[2] = np.float32(max(0.0, 1.0 - win - draw))
    return True


@kernel
def next_whole(data: np.ndarray, first: int) -> int:
    """Return the index of the first guide (a recovery mark) or valid entry at or after `first`; -1 if there is none."""
    for at in range(first, data.shape[0] - _GUIDE.shape[0] + 1):
        if is_guide(data, at) or end_of_entry(data, at) > 0:
            return at
    return -1
