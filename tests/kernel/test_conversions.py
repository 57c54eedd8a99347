"""`int(x)` and `float(x)` mean the same in compiled code as in plain Python, for every operator and type of number."""

import itertools

import numpy as np
import pytest

import ludus
from ludus.games import tictactoe
from ludus.games.calls import RULES
from ludus.kernel import COMPILED, entry, kernel

INTEGERS = ("uint8", "uint16", "uint32", "uint64", "int8", "int16", "int32", "int64")
LARGEST = 1 << 60  # the doubled difference of two such numbers fits into 64 bits
OPERANDS = {
    **{
        name: [max(-LARGEST, int(np.iinfo(name).min)), -3, -1, 0, 1, 2, 5, 100, min(LARGEST, int(np.iinfo(name).max))]
        for name in INTEGERS
    },
    "float32": [-2.5, -1.0, 0.1, 1.0, 3.75, 1e6],
    "float64": [-2.5, -1.0, 0.1, 1.0, 3.75, 1e9],
    "bool": [False, True],
}
PAIRS = {
    name: np.array([(x, y) for x, y in itertools.product(numbers, numbers) if int(y)], name)
    for name, numbers in (
        (name, [number for number in numbers if name[0] != "u" or number >= 0]) for name, numbers in OPERANDS.items()
    )
}
"""For each type, all pairs of its numbers whose second number does not become 0: [pairs, 2]."""
ROOM = 64


@kernel
def write_all(out, at, numbers):
    """Write numbers from an index on, and return the index after them."""
    for number in numbers:
        out[at] = number
        at += 1
    return at


@kernel
def write_integers(x, y, out):
    """Write the result of every operator on two integers."""
    small, low, high = y & 7, min(x, y), max(x, y)
    quotient, rest = divmod(x, y)
    numbers = (x, -x, +x, ~x, abs(x), x + y, x - y, x * y, x // y, x % y, quotient, rest, small**small)
    bits = (x & y, x | y, x ^ y, x << small, x >> small, x >> 40, low, high, low - high)
    truths = (x < y, x <= y, x > y, x >= y, x == y, x != y, x < -1, x - 1 < 0, bool(x), not x)
    constants = (x - 1, 1 - x, x // 2, x % 3, -x // 2, -x % 3, x // -2, x % -3)
    at = write_all(out, write_all(out, write_all(out, 0, numbers), bits), constants)
    for truth in truths:
        out[at] = int(truth)
        at += 1
    for step in range(x % 5 - 2, 3 + y % 3):
        out[at] += step
    for step in range(y % 3, x % 3 - 3, -1):
        out[at + 1] += step
    for _ in range(low - high):  # an empty range
        out[at + 2] += 1
    counter = x
    counter -= y
    counter *= 2
    counter //= 3
    out[at + 3] = counter


@kernel
def write_floats(x, y, out):
    """Write the result of every operator on two floats."""
    numbers = (x, -x, abs(x), x + y, x - y, x * 0.1, x / y, x // y, x % y, min(x, y), max(x, y), float(x < y))
    for index in range(len(numbers)):
        out[index] = numbers[index]


def calculation():
    """Return a function that applies all operators to the converted pairs of each type."""
    lines = [f"def calculate({', '.join(PAIRS)}, integers, floats):"]
    for row, name in enumerate(PAIRS):
        lines += [
            f"    for pair in range({name}.shape[0]):",
            f"        x, y = int({name}[pair, 0]), int({name}[pair, 1])",
            f"        write_integers(x, y, integers[{row}, pair])",
            f"        write_floats(float({name}[pair, 0]), float({name}[pair, 1]), floats[{row}, pair])",
            f"        floats[{row}, pair, {ROOM - 1}] = (x % 1000) / (y % 1000 + 1)",
        ]
    names = {"write_integers": write_integers, "write_floats": write_floats, "__name__": __name__}
    exec("\n".join(lines), names)
    return names["calculate"]


def as_signed(number):
    """Return the signed 64-bit number with the same lowest 64 bits."""
    return (int(number) + (1 << 63)) % (1 << 64) - (1 << 63)


def test_all_operators_agree_on_numbers_of_all_types():
    calculate, shape = calculation(), (len(PAIRS), max(map(len, PAIRS.values())), ROOM)
    exact, plain_floats = np.zeros(shape, object), np.zeros(shape)
    calculate(*PAIRS.values(), exact, plain_floats)
    integers, floats = np.zeros(shape, np.int64), np.zeros(shape)
    entry(calculate)(*PAIRS.values(), integers if COMPILED else np.zeros(shape, object), floats)
    if COMPILED:
        np.testing.assert_array_equal(integers, np.vectorize(as_signed, otypes=[np.int64])(exact))
    np.testing.assert_array_equal(floats, plain_floats)


def differences(state):
    """Return numbers that wrap if `int` keeps the type of unsigned items."""
    a, b = int(state[0]), int(state[1])
    count = 0
    for step in range(a - b, 2):
        count += step + 10
    return count + (a - b) // 2 * 100 + (a - b) % 7 * 1000 + int(a - b < 0) * 10000 + abs(a - b) * 100_000


@pytest.mark.parametrize("dtype", INTEGERS)
def test_a_rule_may_subtract_items_of_any_type(dtype):
    game = ludus.Game(
        name="differences",
        state_size=10,
        num_actions=9,
        planes=(2, 3, 3),
        max_actions=9,
        dtype=dtype,
        **{name: getattr(tictactoe, name) for name in ("start", "to_play", "legal", "play", "encode")},
        outcome=differences,
    )
    state = game.empty_state()
    state[:2] = 3, 5  # range(-2, 2), -2 // 2, -2 % 7, -2 < 0 and abs(-2)
    expected = (8 + 9 + 10 + 11) - 100 + 5000 + 10_000 + 200_000
    assert RULES["outcome"].entry(game.rules, state) == differences(state) == expected


@entry
def bits(words, out):
    """Write what rules on bitboards ask of whole words."""
    x, y = int(words[0]), int(words[1])
    out[0], out[1], out[2] = int(x != 0), int(x & y != 0), int(x == y)
    out[3], out[4] = x >> 63 & 1, int(words[0] >> np.uint64(60))
    words[2], words[3], words[4] = words[0] & words[1], words[0] >> np.uint64(8), ~words[0]


def test_words_keep_their_highest_bit():
    words, out = np.zeros(5, np.uint64), np.zeros(5, np.int64)
    words[:2] = (1 << 63) + 5, (1 << 63) + (1 << 20)
    bits(words, out)
    assert out.tolist() == [1, 1, 0, 1, 8]
    assert words[2:].tolist() == [1 << 63, (1 << 55), (1 << 63) - 6]


def test_a_large_word_becomes_a_negative_number_with_the_same_bits():
    @entry
    def convert(words, out):
        out[0] = int(words[0])

    out = np.zeros(1, np.int64)
    if COMPILED:
        convert(np.array([(1 << 64) - 2], np.uint64), out)
        assert out[0] == -2


def test_conversions_of_texts_and_types_as_arguments_are_unchanged():
    @entry
    def convert(out):
        out[0] = float("-inf")
        out[1] = np.zeros(3, dtype=np.int64).astype(np.float64).sum() + int(2.9)

    out = np.zeros(2)
    convert(out)
    assert out.tolist() == [-np.inf, 2.0]
