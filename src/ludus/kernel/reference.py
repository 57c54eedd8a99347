"""References: compiled code receives a tuple or settings of arrays and numbers as one pointer.

Numba passes a named tuple by value: each kernel call copies about ten words for each array in it, and counts a
reference to each array atomically.  This took four fifths of a search's time.  A reference is one word; compiled code
reads the addresses and shapes of the arrays when it uses them.  Without the compiler, a reference is the tuple itself.
For settings, which are structs, compiled code sees only the numbers and arrays.
"""

# Numba's own types are incomplete.
# pyright: reportAttributeAccessIssue=false

from collections.abc import Iterator
from typing import Any, TypeVar, cast, get_type_hints

import msgspec
import numba
import numpy as np
from llvmlite import ir
from numba.core import cgutils
from numba.core.imputils import lower_getattr_generic
from numba.core.typing.templates import AttributeTemplate, infer_getattr
from numba.extending import NativeValue, models, register_model, typeof_impl, unbox

from ludus.kernel.compiler import COMPILED
from ludus.kernel.fingerprint import fingerprint

# ruff: noqa: ANN401 - the compiler's objects are untyped

T = TypeVar("T")
_WORD = ir.IntType(64)


def reference(parts: T) -> T:
    """Return a reference to a named tuple or struct of C-contiguous arrays, ints and floats, to pass to entries.

    Numbers are copied; the contents of arrays are shared.  A struct's numbers have the types that its fields declare,
    so that `temperature=1` and `temperature=0.5` use the same machine code; a bool is 0 or 1, and fields that are
    neither numbers nor arrays are omitted.
    """
    return cast(T, _Reference(parts)) if COMPILED else parts


class _Reference:
    """A buffer with one 64-bit word for each number, and address and shape for each array."""

    def __init__(self, parts: Any) -> None:
        self._parts = parts  # keeps the arrays alive
        words: list[int] = []
        fields: dict[str, tuple[int, Any]] = {}
        for name, part in _settings(parts) if isinstance(parts, msgspec.Struct) else parts._asdict().items():
            fields[name] = (len(words), numba.typeof(part))
            if isinstance(part, np.ndarray):
                assert part.flags.c_contiguous, f"{name} is not C-contiguous"
                words += [part.ctypes.data, *part.shape]
            else:
                words.append(int(np.array(part, np.float64 if isinstance(part, float) else np.int64).view(np.int64)))
        self._words = np.array(words, np.int64)
        self.address = self._words.ctypes.data
        self.numba_type = _ReferenceType(type(parts).__name__, fields)


def _settings(parts: msgspec.Struct) -> Iterator[tuple[str, Any]]:
    for name, kind in get_type_hints(type(parts)).items():
        part = getattr(parts, name)
        if kind in (int, float, bool):
            yield name, float(part) if kind is float else int(part)
        elif isinstance(part, np.ndarray):
            yield name, part


class _ReferenceType(numba.types.Type):
    """The Numba type of a reference; its name determines equality, hence the cache key."""

    def __init__(self, name: str, fields: dict[str, tuple[int, Any]]) -> None:
        self.fields = fields
        super().__init__(name=f"{name}({fingerprint([(key, at, str(kind)) for key, (at, kind) in fields.items()])})")


@typeof_impl.register(_Reference)
def _type_of(value: _Reference, _context: object) -> _ReferenceType:
    return value.numba_type


register_model(_ReferenceType)(models.OpaqueModel)


@unbox(_ReferenceType)
def _unbox(_type: object, value: Any, c: Any) -> NativeValue:
    address = c.pyapi.object_getattr_string(value, "address")
    pointer = c.pyapi.long_as_voidptr(address)
    c.pyapi.decref(address)
    return NativeValue(pointer)


@infer_getattr
class _Attributes(AttributeTemplate):
    key = _ReferenceType

    def generic_resolve(self, typ: Any, attr: str) -> Any:
        return typ.fields[attr][1] if attr in typ.fields else None


@lower_getattr_generic(_ReferenceType)
def _get(context: Any, builder: Any, typ: Any, value: Any, attr: str) -> Any:
    first, kind = typ.fields[attr]
    words = builder.bitcast(value, _WORD.as_pointer())
    constant = builder.module.add_metadata([])

    def word(offset: int) -> Any:
        loaded = builder.load(builder.gep(words, [ir.Constant(_WORD, first + offset)]), align=8)
        loaded.set_metadata("invariant.load", constant)  # the words never change, so that one load is enough
        return loaded

    if not isinstance(kind, numba.types.Array):
        return builder.bitcast(word(0), context.get_value_type(kind))
    array = context.make_array(kind)(context, builder)
    itemsize = context.get_abi_sizeof(context.get_data_type(kind.dtype))
    shape = [word(1 + axis) for axis in range(kind.ndim)]
    strides, size = [], ir.Constant(_WORD, itemsize)
    for length in reversed(shape):
        strides.insert(0, size)
        size = builder.mul(size, length)
    count = ir.Constant(_WORD, 1)
    for length in shape:
        count = builder.mul(count, length)
    array.data = builder.inttoptr(word(0), array.data.type)
    array.shape, array.strides = cgutils.pack_array(builder, shape), cgutils.pack_array(builder, strides)
    array.itemsize, array.nitems = ir.Constant(_WORD, itemsize), count
    array.meminfo = cgutils.get_null_value(array.meminfo.type)  # no reference counting
    array.parent = cgutils.get_null_value(array.parent.type)
    context.nrt.incref(builder, kind, array._getvalue())  # balanced by the decref that the compiler will add
    return array._getvalue()
