"""The fingerprint of code: a hash of the byte code and constants of everything that a function can reach.

Comments, line numbers and file names do not enter; a rule, a helper in another module, a default, a closure or a
constant does.  Two functions with one fingerprint compute the same thing.
"""

import hashlib
import types
from collections.abc import Callable
from typing import Any

import numpy as np
from numba.core.dispatcher import Dispatcher


def fingerprint(*things: object) -> str:
    """Return 16 hexadecimal digits that change when any of `things`, or what they reach, changes its meaning."""
    digest = hashlib.sha256()
    _feed(digest.update, things, set())
    return digest.hexdigest()[:16]


def _feed(update: Callable[[bytes], None], thing: Any, seen: set[int]) -> None:  # noqa: ANN401 - anything can be a constant
    if isinstance(thing, Dispatcher):
        thing = thing.py_func
    if isinstance(thing, types.FunctionType):
        if id(thing) not in seen:
            seen.add(id(thing))
            _feed_code(update, thing.__code__, thing.__globals__, seen)
            _feed(update, thing.__defaults__, seen)
            _feed(update, tuple(cell.cell_contents for cell in thing.__closure__ or ()), seen)
    elif isinstance(thing, (tuple, list)):
        update(b"(%d" % len(thing))
        for part in thing:
            _feed(update, part, seen)
    elif isinstance(thing, dict):
        for key, part in thing.items():
            _feed(update, (key, part), seen)
    elif isinstance(thing, (set, frozenset)):  # their order changes from process to process
        _feed(update, sorted(map(repr, thing)), seen)
    elif isinstance(thing, np.ndarray):
        update(repr((thing.dtype.descr, thing.shape)).encode() + thing.tobytes())
    elif isinstance(thing, (types.ModuleType, type)) or callable(thing):
        update(str(getattr(thing, "__qualname__", getattr(thing, "__name__", type(thing).__qualname__))).encode())
    else:
        update(repr((type(thing).__name__, thing)).encode())


def _feed_code(
    update: Callable[[bytes], None], code: types.CodeType, names: dict[str, Any], seen: set[int]
) -> None:
    update(code.co_code + repr((code.co_names, code.co_varnames, code.co_freevars)).encode())
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            _feed_code(update, constant, names, seen)
        elif not isinstance(constant, str):  # docstrings are comments
            _feed(update, constant, seen)
    for name in code.co_names:
        if name in names:
            value = names[name]
            _feed(update, (name, value), seen)
            if isinstance(value, types.ModuleType):  # `module.CONSTANT` is a constant to the compiler, too
                for attribute in code.co_names:
                    if hasattr(value, attribute) and attribute not in names:
                        _feed(update, (attribute, getattr(value, attribute)), seen)
