"""Bit tricks on 64-bit words that plain Python and machine code compute alike."""

# An intrinsic is called without its first parameter.
# pyright: reportCallIssue=false

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

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


@kernel_made_of(lambda word: _trailing_zeros(np.uint64(word)))
def lowest_bit(word: np.uint64) -> int:
    """Return the index (0-63) of the lowest set bit of a word that is not 0."""
    return (int(word) & -int(word)).bit_length() - 1


@kernel_made_of(lambda word: _population(np.uint64(word)))
def count_bits(word: np.uint64) -> int:
    """Return how many bits of `word` are set."""
    return int(word).bit_count()
