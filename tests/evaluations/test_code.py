"""The symbol code agrees with its table, and decodes what it encoded."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludus.evaluations.code import compress, decompress

TABLE = {  # codes of the symbols by kind, in order; x is a free bit; bits are read from right to left
    "V": ["0100", "000", "x1100", "xx0010", "xxx1010", "xxxx0110", "xxxxx1110"],
    "Z": ["0001", "1001", "x0101", "xx1101", "xxx0011"],
    "X": ["1011", "00111", "x10111", "xx01111", "xxx011111", "xxxx111111"],
}


def codes():
    """Return the bits of each symbol as text."""
    found = {}
    for kind, families in TABLE.items():
        number = 0
        for family in families:
            free = family.count("x")
            for low in range(1 << free):
                found[kind, number] = (f"{low:0{free}b}" if free else "") + family[free:]
                number += 1
    return found


CODES = codes()


def symbols_of(values):
    """Return the symbols of numbers according to the description of the format."""
    symbols, at = [], 0
    while at < len(values):
        run = next((k for k, value in enumerate(values[at:]) if value), len(values) - at)
        run = min(run, 529)
        if run > 1:
            symbols.append(("Z", (run - 2) % 16))
            symbols += [("X", (run - 2) // 16 - 1)] if run >= 18 else []
            at += run
            continue
        symbols.append(("V", values[at] % 64))
        symbols += [("X", values[at] // 64 - 1)] if values[at] >= 64 else []
        at += 1
    return symbols


def bits_of(values):
    """Return the bits of numbers in the order in which they are read."""
    return "".join(CODES[symbol][::-1] for symbol in symbols_of(values))


numbers = st.lists(
    st.one_of(st.just(0), st.just(0), st.just(0), st.integers(0, 70), st.integers(0, 2048)), max_size=400
)
runs = st.lists(st.tuples(st.integers(0, 700), st.integers(1, 2048)), max_size=5).map(
    lambda pairs: [value for zeros, last in pairs for value in [0] * zeros + [last]]
)


def test_no_code_begins_another_and_none_is_missing():
    texts = [code[::-1] for code in CODES.values()]
    assert not [(a, b) for a in texts for b in texts if a != b and b.startswith(a)]
    assert sum(2.0 ** -len(text) for text in texts) == 1.0


def test_the_worked_example_has_its_bits():
    data, bits = compress(np.array([129, *[0] * 18, 1, 2], np.int32))
    assert (int.from_bytes(data, "little"), bits) == (0x60B138, 24)


@settings(deadline=None)  # the first one compiles
@given(st.one_of(numbers, runs))
def test_numbers_are_written_as_the_table_says_and_read_again(values):
    data, bits = compress(np.array(values, np.int32))
    written = "".join(f"{byte:08b}"[::-1] for byte in data)
    assert written[:bits] == bits_of(values)
    assert "1" not in written[bits:]
    assert len(data) == (bits + 7) // 8
    read = decompress(data, len(values))
    assert read is not None
    assert read.tolist() == values


@given(numbers, st.integers(0, 450))
def test_bytes_that_hold_something_else_are_refused(values, count):
    packed, _ = compress(np.array(values, np.int32))
    assert decompress(packed + b"\0", len(values)) is None
    if abs(count - len(values)) > 8:
        assert decompress(packed, count) is None


@given(st.binary(max_size=60), st.integers(1, 100))
def test_any_bytes_are_read_or_refused_without_an_accident(data, count):
    read = decompress(data, count)
    if read is not None:
        assert 0 <= read.min() <= read.max() <= 2048


@pytest.mark.parametrize("last", [64, 129, 2048])
def test_the_last_number_keeps_its_extension(last):
    """Check a policy at whose last symbol the original reader stopped too early."""
    data, _ = compress(np.array([0, 0, 0, last], np.int32))
    read = decompress(data, 4)
    assert read is not None
    assert read[-1] == last
