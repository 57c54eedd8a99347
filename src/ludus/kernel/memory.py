"""Memory operations of compiled threads: prefetching, and words that several threads read and write without a lock.

Plain Python runs one thread at a time, so its versions need no memory ordering.
"""

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
def _prefetch(_context: Any, records: Any, _row: Any, _index: Any) -> Any:
    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        records, row, index = arguments
        array = context.make_array(signature.args[0])(context, builder, records)
        strides = [builder.extract_value(array.strides, axis) for axis in range(2)]
        offset = builder.add(builder.mul(row, strides[0]), builder.mul(index, strides[1]))
        byte = ir.IntType(8).as_pointer()
        address = builder.gep(builder.bitcast(array.data, byte), [offset])
        kind = ir.FunctionType(ir.VoidType(), [byte] + 3 * [ir.IntType(32)])
        function = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0i8")
        builder.call(function, [address] + [ir.Constant(ir.IntType(32), number) for number in (0, 3, 1)])
        return context.get_dummy_value()

    return types.void(records, types.int64, types.int64), code


def _address(context: Any, builder: Any, kind: Any, words: Any, row: Any) -> Any:
    """Return the address of the first word of a row."""
    array = context.make_array(kind)(context, builder, words)
    return builder.gep(array.data, [builder.mul(row, builder.extract_value(array.shape, 1))])


@intrinsic
def _read_first(_context: Any, words: Any, _row: Any) -> Any:
    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        address = _address(context, builder, signature.args[0], *arguments)
        return builder.load_atomic(address, "acquire", 4)

    return types.uint32(words, types.int64), code


@intrinsic
def _read_first_again(_context: Any, words: Any, _row: Any) -> Any:
    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        builder.fence("acquire")  # orders reads since the first one before this one
        return builder.load_atomic(_address(context, builder, signature.args[0], *arguments), "monotonic", 4)

    return types.uint32(words, types.int64), code


@intrinsic
def _swap_first(_context: Any, words: Any, _row: Any, _old: Any, _new: Any) -> Any:
    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        words, row, old, new = arguments
        address = _address(context, builder, signature.args[0], words, row)
        result = builder.cmpxchg(address, old, new, "acq_rel", "monotonic")
        builder.fence("release")  # orders later writes after the swap
        return builder.extract_value(result, 1)

    return types.boolean(words, types.int64, types.uint32, types.uint32), code


@intrinsic
def _write_first(_context: Any, words: Any, _row: Any, _value: Any) -> Any:
    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        words, row, value = arguments
        builder.store_atomic(value, _address(context, builder, signature.args[0], words, row), "release", 4)
        return context.get_dummy_value()

    return types.void(words, types.int64, types.uint32), code


@kernel_made_of(lambda records, row, index: _prefetch(records, row, index))
def prefetch(records: NDArray[Any], row: int, index: int) -> None:
    """Prefetch the memory of `records[row, index]`; has no other effect."""


@kernel_made_of(lambda words, row: _read_first(words, row))
def read_first(words: NDArray[np.uint32], row: int) -> np.uint32:
    """Return `words[row, 0]`; later reads of this thread see everything its writer wrote before it (acquire)."""
    return words[row, 0]


@kernel_made_of(lambda words, row: _read_first_again(words, row))
def read_first_again(words: NDArray[np.uint32], row: int) -> np.uint32:
    """Return `words[row, 0]`, read after all earlier reads of this thread."""
    return words[row, 0]


@kernel_made_of(lambda words, row, old, new: _swap_first(words, row, np.uint32(old), np.uint32(new)))
def swap_first(words: NDArray[np.uint32], row: int, old: int, new: int) -> bool:
    """Store `new` in `words[row, 0]` if it contains `old`, atomically; return whether it did."""
    if int(words[row, 0]) != int(old):
        return False
    words[row, 0] = new
    return True


@kernel_made_of(lambda words, row, value: _write_first(words, row, np.uint32(value)))
def write_first(words: NDArray[np.uint32], row: int, value: int) -> None:
    """Store `value` in `words[row, 0]` after all earlier writes of this thread (release)."""
    words[row, 0] = value
