"""Code fingerprints: a hash of the byte code and constants of all code that a function can reach.

Comments, line numbers and file names are not included.  Rules, helpers in other modules, defaults, closures and
constants are.  Two functions with equal fingerprints compute the same results.
"""

import enum
import hashlib
import sys
import types
from collections.abc import Callable
from typing import Any

import numba
import numpy as np
from numba.core.dispatcher import Dispatcher
from numba.np.ufunc.dufunc import DUFunc
from numba.np.ufunc.ufuncbuilder import UFuncDispatcher

Seen = dict[int | tuple[int, str], int]  # functions by id, module members by id and name -> order of visits

_CO_HAS_DOCSTRING = 0x4000000  # Python 3.13 and later; before, only a docstring is a string in the first place


def fingerprint(*things: object) -> str:
    """Return a hash of `things` and all code they reach, as 16 hexadecimal digits."""
    digest = hashlib.sha256()
    _feed(digest.update, things, {})
    return digest.hexdigest()[:16]


def _feed(update: Callable[[bytes], None], thing: Any, seen: Seen) -> None:  # noqa: ANN401 - anything can be a constant
    if isinstance(thing, DUFunc):  # created by `vectorize`
        thing = thing._dispatcher  # pyright: ignore[reportAttributeAccessIssue]
    if isinstance(thing, (Dispatcher, UFuncDispatcher)):
        _feed(update, (dict(sorted(thing.targetoptions.items())), thing.py_func), seen)
    elif isinstance(thing, types.FunctionType):
        _feed_function(update, thing, seen)
    elif isinstance(thing, (tuple, list)):
        update(b"(%d" % len(thing))
        for part in (*getattr(thing, "_fields", ()), *thing):  # for a named tuple, the field names matter
            _feed(update, part, seen)
    elif isinstance(thing, dict):
        update(b"{%d" % len(thing))
        for key, part in thing.items():
            _feed(update, (key, part), seen)
    elif isinstance(thing, (set, frozenset)):  # in a fixed order, because set order varies between processes
        _feed(update, sorted(map(repr, thing)), seen)
    elif isinstance(thing, np.ndarray):
        update(repr((thing.dtype.descr, thing.shape)).encode() + thing.tobytes())
    elif isinstance(thing, type):
        _feed_class(update, thing, seen)
    elif isinstance(thing, types.ModuleType) or callable(thing):
        name = getattr(thing, "__qualname__", getattr(thing, "__name__", type(thing).__qualname__))
        home = None if isinstance(thing, types.ModuleType) else getattr(thing, "__module__", None)  # math's floor?
        update(str(thing if isinstance(thing, numba.types.Type) else f"{home}.{name}").encode())
    else:
        update(repr((type(thing).__name__, thing)).encode())


def _feed_function(update: Callable[[bytes], None], thing: types.FunctionType, seen: Seen) -> None:
    if id(thing) in seen:
        update(b"@%d" % seen[id(thing)])
        return
    seen[id(thing)] = len(seen)
    _feed_code(update, thing.__code__, thing.__globals__, seen)
    _feed(update, thing.__defaults__, seen)
    _feed(update, thing.__kwdefaults__, seen)
    _feed(update, tuple(cell.cell_contents for cell in thing.__closure__ or ()), seen)


def _feed_class(update: Callable[[bytes], None], thing: type, seen: Seen) -> None:
    """Hash a class: the members of an enumeration are constants, and a named tuple is its fields and defaults."""
    name = thing.__qualname__
    if issubclass(thing, enum.Enum):
        _feed(update, (name, {name: member.value for name, member in thing.__members__.items()}), seen)
    elif issubclass(thing, tuple):
        _feed(update, (name, getattr(thing, "_fields", ()), getattr(thing, "_field_defaults", {})), seen)
    else:
        update(name.encode())


def _feed_code(update: Callable[[bytes], None], code: types.CodeType, names: dict[str, Any], seen: Seen) -> None:
    update(code.co_code + repr((code.co_argcount, code.co_names, code.co_varnames, code.co_freevars)).encode())
    for constant in code.co_consts[_has_docstring(code) :]:
        if isinstance(constant, types.CodeType):
            _feed_code(update, constant, names, seen)
        else:
            _feed(update, constant, seen)
    for name in code.co_names:
        if name in names:
            _feed(update, (name, names[name]), seen)
            if isinstance(names[name], types.ModuleType):
                _feed_module(update, names[name], code.co_names, seen)


def _feed_module(update: Callable[[bytes], None], module: types.ModuleType, names: tuple[str, ...], seen: Seen) -> None:
    """Hash the members of a module that code uses: to the compiler, `module.CONSTANT` is a constant.

    `package.module.helper` is a helper.  Another function may use other members of the same module.
    """
    if module.__name__.partition(".")[0] in sys.stdlib_module_names:
        return  # Python's own modules lead to everything that the process has imported
    for name in names:
        here = id(module), name
        if here in seen:
            update(b"@%d" % seen[here])
        elif hasattr(module, name):
            seen[here] = len(seen)
            value = getattr(module, name)
            _feed(update, (name, value), seen)
            if isinstance(value, types.ModuleType):
                _feed_module(update, value, names, seen)


def _has_docstring(code: types.CodeType) -> bool:
    """Return whether the first constant is a docstring, which does not affect the fingerprint."""
    if not code.co_consts or not isinstance(code.co_consts[0], str):
        return False
    return sys.version_info < (3, 13) or bool(code.co_flags & _CO_HAS_DOCSTRING)
