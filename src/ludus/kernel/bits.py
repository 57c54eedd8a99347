"""Bit tricks on 64-bit words that plain Python and machine code compute alike."""

# An intrinsic is called without its first parameter.
# pyright: reportCallIssue=false

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic
from numpy.typing import NDArray

from ludus.kernel.compiler import kernel_made_of

# ruff: noqa: ANN401 - the compiler's objects are untyped


@intrinsic
def _trailing_zeros(_context: Any, _word: Any) -> Any:
    def code(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.uint64), code


@intrinsic
def _population(_context: Any, _word: Any) -> Any:
    def code(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.int64(types.uint64), code


@intrinsic
def _add_where(_context: Any, _counts: Any, _first: Any, _word: Any, _amount: Any) -> Any:
    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        counts, first, word, amount = arguments
        lanes = ir.VectorType(ir.IntType(16), 64)
        data = context.make_array(signature.args[0])(context, builder, counts).data
        place = builder.bitcast(builder.gep(data, [first]), lanes.as_pointer())
        one_lane = builder.insert_element(ir.Constant(lanes, None), amount, ir.Constant(ir.IntType(32), 0))
        same = ir.Constant(ir.VectorType(ir.IntType(32), 64), None)  # the shuffle that copies lane 0 to all
        amounts = builder.shuffle_vector(one_lane, ir.Constant(lanes, None), same)
        bits = builder.bitcast(word, ir.VectorType(ir.IntType(1), 64))
        added = builder.select(bits, amounts, ir.Constant(lanes, None))
        builder.store(builder.add(builder.load(place, align=2), added), place, align=2)
        return context.get_dummy_value()

    return types.void(types.Array(types.int16, 1, "C"), types.int64, types.uint64, types.int16), code


@kernel_made_of(lambda word: _trailing_zeros(np.uint64(word)))
def lowest_bit(word: np.uint64) -> int:
    """Return the index (0-63) of the lowest set bit of a word that is not 0."""
    return (int(word) & -int(word)).bit_length() - 1


@kernel_made_of(lambda word: _population(np.uint64(word)))
def count_bits(word: np.uint64) -> int:
    """Return how many bits of `word` are set."""
    return int(word).bit_count()


@kernel_made_of(lambda counts, first, word, amount: _add_where(counts, first, np.uint64(word), np.int16(amount)))
def add_where(counts: NDArray[np.int16], first: int, word: np.uint64, amount: int) -> None:
    """Add `amount` to `counts[first + bit]` for each bit of a word; 64 counts from `first` on must exist."""
    for bit in range(64):
        counts[first + bit] += amount * (int(word) >> bit & 1)
