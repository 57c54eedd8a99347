"""A variable-length code for quantised policies: numbers from 0 to 2048, mostly zeros, in one or two bits each.

A policy is a sequence of symbols, stored from the lowest bit of each byte upwards.  The table gives each symbol's bits,
to be read from right to left; the bits `x` are the symbol's index within its line:

    V0  0100          V16-31  xxxx0110      Z2-3   x0101       X0      1011
    V1  000           V32-63  xxxxx1110     Z4-7   xx1101      X1      00111
    V2-3  x1100       Z0      0001          Z8-15  xxx0011     X2-3    x10111
    V4-7  xx0010      Z1      1001                             X4-7    xx01111
    V8-15 xxx1010                                              X8-15   xxx011111
                                                               X16-31  xxxx111111

Vn is the number n.  Zn is a run of n + 2 zeros; a single zero is V0.  Xn extends the symbol before it, by 64 (n + 1)
for a number and by 16 (n + 1) zeros for a run.  Source: the blog of cbaduk, whose table lacks some of the symbols.
"""

import numpy as np
from numpy.typing import NDArray

from ludus.kernel import entry, kernel

STEPS = 2048  # a probability p is the number trunc(p * STEPS)
LONGEST = 10  # bits of a symbol
VALUE, ZEROS, EXTENSION = 0, 1, 2  # kinds of symbols
MOST_BITS = 19  # of one number

_FAMILIES = {  # the lines of the table above, by kind of symbol
    VALUE: ["0100", "000", "x1100", "xx0010", "xxx1010", "xxxx0110", "xxxxx1110"],
    ZEROS: ["0001", "1001", "x0101", "xx1101", "xxx0011"],
    EXTENSION: ["1011", "00111", "x10111", "xx01111", "xxx011111", "xxxx111111"],
}


def _symbols() -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the tables for writing and for reading symbols.

    Returns:
        For writing: code << 8 | number of bits, at index kind << 6 | number.
        For reading: number << 16 | kind << 8 | number of bits, at the index formed by the next 10 bits.
    """
    written, read = np.zeros(3 << 6, np.int64), np.zeros(1 << LONGEST, np.int64)
    for kind, families in _FAMILIES.items():
        number = 0
        for family in families:
            free = family.count("x")
            fixed = int(family[free:], 2)
            for low in range(1 << free):
                code = low << (len(family) - free) | fixed
                written[kind << 6 | number] = code << 8 | len(family)
                read[code :: 1 << len(family)] = number << 16 | kind << 8 | len(family)
                number += 1
    return written, read


WRITTEN, READ = _symbols()


@kernel
def room_for(count: int) -> int:
    """Return how many bytes to reserve for `pack` with `count` numbers."""
    return (MOST_BITS * count + 7) // 8 + 3


@kernel
def put(data: np.ndarray, first: int, at: int, kind: int, number: int) -> int:
    """Write a symbol at bit `at`, counted from byte `first`; return the bit after it."""
    symbol = int(WRITTEN[kind << 6 | number])
    byte, shift = first + (at >> 3), at & 7
    bits = symbol >> 8 << shift
    data[byte] = (int(data[byte]) & ((1 << shift) - 1)) | (bits & 255)
    data[byte + 1] = bits >> 8 & 255
    data[byte + 2] = bits >> 16
    return at + (symbol & 255)


@kernel
def put_zeros(data: np.ndarray, first: int, at: int, count: int) -> int:
    """Write a run of `count` zeros at bit `at`, counted from byte `first`; return the bit after it."""
    while count > 1:
        run = min(count, 2 + 15 + 16 * 32)
        at = put(data, first, at, ZEROS, (run - 2) & 15)
        if run >= 18:
            at = put(data, first, at, EXTENSION, ((run - 2) >> 4) - 1)
        count -= run
    return put(data, first, at, VALUE, 0) if count == 1 else at


@kernel
def pack(values: np.ndarray, count: int, data: np.ndarray, first: int) -> int:
    """Encode the first `count` numbers (0 to 2048) of `values` [N] into the bytes from `data[first]` on.

    Returns:
        The number of bits written.  The last byte is padded with zeros, and some bytes after it are overwritten.
    """
    at, zeros = 0, 0
    for k in range(count):
        value = int(values[k])
        if value == 0:
            zeros += 1
            continue
        at = put_zeros(data, first, at, zeros)
        zeros = 0
        at = put(data, first, at, VALUE, value & 63)
        if value >= 64:
            at = put(data, first, at, EXTENSION, (value >> 6) - 1)
    return put_zeros(data, first, at, zeros)


@kernel
def peek(data: np.ndarray, first: int, end: int, at: int) -> int:
    """Return the entry of READ for the symbol at bit `at`, counted from byte `first`; bytes from `end` on read as 0."""
    byte, word = first + (at >> 3), 0
    for k in range(3):
        if byte + k < end:
            word |= int(data[byte + k]) << (8 * k)
    return int(READ[word >> (at & 7) & ((1 << LONGEST) - 1)])


@kernel
def unpack(data: np.ndarray, first: int, end: int, values: np.ndarray, count: int) -> bool:
    """Decode the bytes `first` to `end` into `values`; return whether they are exactly `count` numbers."""
    at, k, bits = 0, 0, 8 * (end - first)
    while k < count:
        symbol = peek(data, first, end, at)
        kind, number = symbol >> 8 & 255, symbol >> 16
        at += symbol & 255
        after = peek(data, first, end, at)
        extended = after >> 8 & 255 == EXTENSION and at + (after & 255) <= bits
        more = (after >> 16) + 1 if extended else 0
        at += after & 255 if extended else 0
        if kind == EXTENSION or at > bits:
            return False
        if kind == VALUE:
            values[k] = number + 64 * more
            if number + 64 * more > STEPS:
                return False
            k += 1
        else:
            run = number + 2 + 16 * more
            if k + run > count:
                return False
            for z in range(k, k + run):
                values[z] = 0
            k += run
    return bits - at < 8 and (bits == at or int(data[end - 1]) >> (8 - (bits - at)) == 0)


@entry
def _pack(values: np.ndarray, data: np.ndarray) -> int:
    return pack(values, values.shape[0], data, 0)


@entry
def _unpack(data: np.ndarray, values: np.ndarray) -> bool:
    return unpack(data, 0, data.shape[0], values, values.shape[0])


def compress(values: NDArray[np.int32]) -> tuple[bytes, int]:
    """Encode numbers [N] from 0 to 2048; return the bytes, and the number of bits used."""
    data = np.zeros(room_for(len(values)), np.uint8)
    bits = int(_pack(np.ascontiguousarray(values, np.int32), data))
    return data[: (bits + 7) // 8].tobytes(), bits


def decompress(data: bytes, count: int) -> NDArray[np.int32] | None:
    """Decode the bytes that `compress` returned for `count` numbers; None if they are not a valid code for them."""
    values = np.zeros(count, np.int32)
    return values if _unpack(np.frombuffer(bytearray(data), np.uint8), values) else None
