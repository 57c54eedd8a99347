"""Indices of arrays in kernels and entries, which count from the start: machine code has no test for negative ones.

In Python, and in the rules of games, `a[-1]` is the last item, so Numba adds the length to each index below 0.  That
takes about three instructions for each axis of each access.  In a kernel a negative index is a fault; it raises
IndexError with NUMBA_BOUNDSCHECK=1.
"""

# Numba's own types are incomplete.
# pyright: reportAttributeAccessIssue=false

from typing import Any

from numba.core import types
from numba.np import arrayobj

# ruff: noqa: ANN401 - the compiler's objects are untyped

_from_either_end = arrayobj.fix_integer_index


def _index(context: Any, builder: Any, kind: Any, index: Any, size: Any) -> Any:
    """Return an index as a word, in the place of Numba's function; `Compiler` marks the contexts of kernels."""
    if not getattr(context, "counts_from_start", False):
        return _from_either_end(context, builder, kind, index, size)
    return context.cast(builder, index, kind, types.intp if kind.signed else types.uintp)


def install() -> None:
    """Let Numba treat indices so from now on."""
    arrayobj.fix_integer_index = _index
