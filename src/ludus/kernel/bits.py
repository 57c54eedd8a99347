"""Bit tricks on 64-bit words that plain Python and machine code compute alike."""

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from ludus.kernel.compiler import COMPILED, kernel

if COMPILED:

    @intrinsic
    def _trailing_zeros(_context: Any, _word: Any) -> Any:  # noqa: ANN401
        def code(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:  # noqa: ANN401
            return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

        return types.int64(types.uint64), code

    @intrinsic
    def _population(_context: Any, _word: Any) -> Any:  # noqa: ANN401
        def code(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:  # noqa: ANN401
            return builder.ctpop(arguments[0])

        return types.int64(types.uint64), code

    @kernel
    def lowest_bit(word: np.uint64) -> int:
        """Return the index (0-63) of the lowest set bit of a word that is not 0."""
        return _trailing_zeros(np.uint64(word))

    @kernel
    def count_bits(word: np.uint64) -> int:
        """Return how many bits of `word` are set."""
        return _population(np.uint64(word))

else:

    def lowest_bit(word: np.uint64) -> int:
        """Return the index (0-63) of the lowest set bit of a word that is not 0."""
        return (int(word) & -int(word)).bit_length() - 1

    def count_bits(word: np.uint64) -> int:
        """Return how many bits of `word` are set."""
        return int(word).bit_count()
