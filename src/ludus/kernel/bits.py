"""Bit and vector operations with the same results in plain Python and in machine code."""

# Callers of an intrinsic omit its first parameter.
# pyright: reportCallIssue=false

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
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
def _blend(_context: Any, _row: Any, _first: Any, _word: Any, _value: Any) -> Any:
    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        row, first, word, value = arguments
        lanes = ir.VectorType(ir.IntType(8), 64)
        data = context.make_array(signature.args[0])(context, builder, row).data
        place = builder.bitcast(builder.gep(data, [first]), lanes.as_pointer())
        one_lane = builder.insert_element(ir.Constant(lanes, None), value, ir.Constant(ir.IntType(32), 0))
        same = ir.Constant(ir.VectorType(ir.IntType(32), 64), None)  # the shuffle that copies lane 0 to all
        values = builder.shuffle_vector(one_lane, ir.Constant(lanes, None), same)
        bits = builder.bitcast(word, ir.VectorType(ir.IntType(1), 64))
        builder.store(builder.select(bits, values, builder.load(place, align=1)), place, align=1)
        return context.get_dummy_value()

    return types.void(types.Array(types.uint8, 1, "C"), types.int64, types.uint64, types.uint8), code


@intrinsic
def _spread(_context: Any, _row: Any, _first: Any, _word: Any) -> Any:
    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        row, first, word = arguments
        lanes = ir.VectorType(ir.IntType(8), 64)
        data = context.make_array(signature.args[0])(context, builder, row).data
        place = builder.bitcast(builder.gep(data, [first]), lanes.as_pointer())
        bits = builder.bitcast(word, ir.VectorType(ir.IntType(1), 64))
        builder.store(builder.zext(bits, lanes), place, align=1)
        return context.get_dummy_value()

    return types.void(types.Array(types.uint8, 1, "C"), types.int64, types.uint64), code


def _write_where(row: NDArray[np.uint8], first: int, word: np.uint64, value: int) -> None:
    back = max(0, first + 64 - row.shape[0])  # 64 bytes that end within the row
    _blend(row, first - back, np.uint64(word) << np.uint64(back), np.uint8(value))


@intrinsic
def _above(_context: Any, _keys: Any, _first: Any, _threshold: Any) -> Any:
    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        keys, first, threshold = arguments
        lanes = ir.VectorType(ir.IntType(32), 64)
        data = context.make_array(signature.args[0])(context, builder, keys).data
        place = builder.bitcast(builder.gep(data, [first]), lanes.as_pointer())
        one_lane = builder.insert_element(ir.Constant(lanes, None), threshold, ir.Constant(ir.IntType(32), 0))
        thresholds = builder.shuffle_vector(one_lane, ir.Constant(lanes, None), ir.Constant(lanes, None))
        found = builder.icmp_unsigned(">", builder.load(place, align=4), thresholds)
        return builder.bitcast(found, ir.IntType(64))

    return types.uint64(types.Array(types.uint32, 1, "C"), types.int64, types.uint32), code


@intrinsic
def _largest(_context: Any, _keys: Any, _row: Any, _first: Any, _count: Any) -> Any:
    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        keys, row, first, count = arguments
        number, lanes, bits = ir.IntType(32), ir.VectorType(ir.IntType(32), 16), ir.IntType(16)
        array = context.make_array(signature.args[0])(context, builder, keys)
        at = builder.add(builder.mul(row, builder.extract_value(array.shape, 1)), first)
        found = builder.load(builder.bitcast(builder.gep(array.data, [at]), lanes.as_pointer()), align=4)
        some = builder.sub(builder.shl(number(1), builder.trunc(count, number)), number(1))
        counted = builder.bitcast(builder.trunc(some, bits), ir.VectorType(ir.IntType(1), 16))
        found = builder.select(counted, found, ir.Constant(lanes, None))
        kind = ir.FunctionType(number, [lanes])
        largest = cgutils.get_or_insert_function(builder.module, kind, "llvm.vector.reduce.umax.v16i32")
        one_lane = builder.insert_element(ir.Constant(lanes, None), builder.call(largest, [found]), number(0))
        equal = builder.icmp_unsigned("==", found, builder.shuffle_vector(one_lane, one_lane, ir.Constant(lanes, None)))
        where = builder.cttz(builder.bitcast(equal, bits), ir.Constant(ir.IntType(1), 1))
        return builder.zext(where, ir.IntType(64))

    return types.int64(types.Array(types.uint32, 2, "C"), types.int64, types.int64, types.int64), code


@kernel_made_of(lambda word: _trailing_zeros(np.uint64(word)))
def lowest_bit(word: np.uint64) -> int:
    """Return the index (0-63) of the lowest set bit of a word that is not 0."""
    return (int(word) & -int(word)).bit_length() - 1


@kernel_made_of(lambda word: _population(np.uint64(word)))
def count_bits(word: np.uint64) -> int:
    """Return the number of set bits in `word`."""
    return int(word).bit_count()


@kernel_made_of(lambda row, first, word: _spread(row, first, np.uint64(word)))
def write_bits(row: NDArray[np.uint8], first: int, word: np.uint64) -> None:
    """Write the bits of a word as 64 bytes (0 or 1) to `row[first]` and following; the row must be long enough."""
    assert 0 <= first <= row.shape[0] - 64, "machine code does not check this"
    for bit in range(64):
        row[first + bit] = int(word) >> bit & 1


@kernel_made_of(_write_where)
def write_where(row: NDArray[np.uint8], first: int, word: np.uint64, value: int) -> None:
    """Write `value` (0-255) to `row[first + bit]` for each set bit of a word; bits past the end of the row are ignored.

    The row must have at least 64 bytes, and `first` must be one of its indices.
    """
    assert row.shape[0] >= 64 and 0 <= first < row.shape[0], "machine code does not check this"  # noqa: PT018
    for bit in range(min(64, row.shape[0] - first)):
        if int(word) >> bit & 1:
            row[first + bit] = value


@kernel_made_of(lambda keys, first, threshold: _above(keys, first, np.uint32(threshold)))
def above(keys: NDArray[np.uint32], first: int, threshold: int) -> np.uint64:
    """Compare 64 keys, from `first` on, with `threshold`; return a word in which the bits of larger keys are set."""
    return np.uint64(sum(int(key) > int(threshold) and 1 << bit for bit, key in enumerate(keys[first : first + 64])))


@kernel_made_of(lambda keys, row, first, count: _largest(keys, row, first, count))
def largest(keys: NDArray[np.uint32], row: int, first: int, count: int) -> int:
    """Return where the largest of 1 to 16 keys of a row is, counted from `first`; 16 keys must be there to be read."""
    assert 1 <= count <= 16 and 0 <= first <= keys.shape[1] - 16, "machine code does not check this"  # noqa: PT018
    return int(keys[row, first : first + count].argmax())
