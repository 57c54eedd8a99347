"""Eight words side by side: one operation of the processor, or a few, computes with all of them.

In plain Python `Lanes` are an array [8] of `np.uint64`, whose operators work on each word.  In compiled code they are a
vector of LLVM, which becomes one register of AVX-512, two of AVX2, or four of NEON and WebAssembly.  Operators take
`Lanes` on the left, and `Lanes` or one word for all lanes on the right.  There are no branches: use `where`.
"""

# Numba's own types are incomplete, and callers of an intrinsic omit its first parameter.
# pyright: reportCallIssue=false

import operator
from collections.abc import Callable
from typing import Any, cast

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic, lower_builtin, models, register_model, type_callable
from numpy.typing import NDArray

from ludus.kernel.compiler import kernel_made_of

# ruff: noqa: ANN401 - the compiler's objects are untyped

NUM_LANES = 8
Lanes = np.uint64
"""What type checkers take lanes for: the same functions compute with one word and with eight."""

_WORD, _SHORT = ir.IntType(64), ir.IntType(32)
_VECTOR = ir.VectorType(_WORD, NUM_LANES)
_NONE = ir.Constant(_VECTOR, None)


class _LanesType(types.Type):
    """The compiler's type of `Lanes`."""

    def __init__(self) -> None:
        super().__init__(name="Lanes")


_lanes = _LanesType()


@register_model(_LanesType)
class _LanesModel(models.PrimitiveModel):
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, _VECTOR)


def _splat(builder: Any, word: Any) -> Any:
    """Return a vector with `word` in every lane."""
    one = builder.insert_element(_NONE, word, ir.Constant(_SHORT, 0))
    return builder.shuffle_vector(one, _NONE, ir.Constant(ir.VectorType(_SHORT, NUM_LANES), None))


def _declare(symbol: Callable[..., Any], in_place: Callable[..., Any], build: Callable[[Any, Any, Any], Any]) -> None:
    """Declare an operator of two `Lanes`, and of `Lanes` and a word."""

    def typed(_context: Any) -> Callable[[Any, Any], Any]:
        def typer(left: Any, right: Any) -> Any:
            fits = isinstance(left, _LanesType) and isinstance(right, (_LanesType, types.Integer))
            return _lanes if fits else None

        return typer

    def with_lanes(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return build(builder, *arguments)

    def with_word(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        word = context.cast(builder, arguments[1], signature.args[1], types.uint64)
        return build(builder, arguments[0], _splat(builder, word))

    for each in (symbol, in_place):
        type_callable(each)(typed)
    lower_builtin(symbol, _LanesType, _LanesType)(with_lanes)
    lower_builtin(symbol, _LanesType, types.Integer)(with_word)


_declare(operator.and_, operator.iand, lambda builder, left, right: builder.and_(left, right))
_declare(operator.or_, operator.ior, lambda builder, left, right: builder.or_(left, right))
_declare(operator.add, operator.iadd, lambda builder, left, right: builder.add(left, right))
_declare(operator.sub, operator.isub, lambda builder, left, right: builder.sub(left, right))
_declare(operator.lshift, operator.ilshift, lambda builder, left, right: builder.shl(left, right))
_declare(operator.rshift, operator.irshift, lambda builder, left, right: builder.lshr(left, right))


@type_callable(operator.invert)
def _type_of_inverse(_context: Any) -> Callable[[Any], Any]:
    return lambda lanes: _lanes if isinstance(lanes, _LanesType) else None


@lower_builtin(operator.invert, _LanesType)
def _inverse(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
    return builder.not_(arguments[0])


@intrinsic
def _spread(_context: Any, _word: Any) -> Any:
    def code(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return _splat(builder, arguments[0])

    return _lanes(types.uint64), code


@intrinsic
def _load(_context: Any, table: Any, _row: Any) -> Any:
    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
        place = builder.gep(data, [builder.mul(arguments[1], ir.Constant(_WORD, NUM_LANES))])
        return builder.load(builder.bitcast(place, _VECTOR.as_pointer()), align=8)

    return _lanes(table, types.int64), code


@intrinsic
def _where(_context: Any, _test: Any, _first: Any, _second: Any) -> Any:
    def code(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        test, first, second = arguments
        return builder.select(builder.icmp_unsigned("!=", test, _NONE), first, second)

    return _lanes(_lanes, _lanes, _lanes), code


@intrinsic
def _nonzero(_context: Any, _test: Any) -> Any:
    def code(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        bits = builder.bitcast(builder.icmp_unsigned("!=", arguments[0], _NONE), ir.IntType(NUM_LANES))
        return builder.zext(bits, _WORD)

    return types.int64(_lanes), code


@kernel_made_of(lambda word: _spread(np.uint64(word)))
def spread(word: np.uint64) -> Lanes:
    """Return lanes that all hold `word`."""
    return cast(Lanes, np.full(NUM_LANES, word, np.uint64))


@kernel_made_of(lambda table, row: _load(table, row))
def lanes_of(table: NDArray[np.uint64], row: int) -> Lanes:
    """Return the words of one row of a table [R, 8], in C order."""
    return cast(Lanes, table[row].copy())


@kernel_made_of(lambda test, first, second: _where(test, first, second))
def where(test: Lanes, first: Lanes, second: Lanes) -> Lanes:
    """Return the words of `first` in the lanes where `test` is not 0, and those of `second` elsewhere."""
    return cast(Lanes, np.where(np.asarray(test) != 0, first, second))


@kernel_made_of(lambda test: _nonzero(test))
def nonzero(test: Lanes) -> int:
    """Return the set of lanes that are not 0: bit k stands for lane k."""
    return sum(1 << lane for lane, word in enumerate(np.asarray(test)) if word != 0)
