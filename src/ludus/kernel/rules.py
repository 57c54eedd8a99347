"""Game rules as values with Numba types of their own, so that one generic search is compiled for each game.

Without the compiler, `rules.legal(state, actions)` in the search is an ordinary method call.  With it, `rules` has the
type `Rules(<fingerprint>)`, which has an `overload_method` for each rule: the user's function is inlined, and the
fingerprint is part of the key of the machine code in the disk cache.  Rules with equal fingerprints share machine code,
for any board.  `declare_rules` defines the names of the rules.
"""

import threading
import types
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numba
from numba import types as numba_types
from numba.core.dispatcher import Dispatcher
from numba.extending import NativeValue, models, overload_method, register_model, typeof_impl, unbox

from ludus.errors import BadGame
from ludus.kernel.compiler import COMPILED, complaint, kernels
from ludus.kernel.conversions import UnitCompiler
from ludus.kernel.fingerprint import fingerprint

_KINDS: dict[type | None, tuple[str, type]] = {
    int: ("an integer", numba_types.Integer),
    float: ("a float", numba_types.Float),
    None: ("nothing", numba_types.NoneType),
}


class Signature(NamedTuple):
    """Number of arguments and return type of a rule."""

    num_arguments: int
    returns: type | None
    """Return type: int, float, or None for no result."""


_declared: dict[str, Signature] = {}
_known: dict[str, "Rules"] = {}
_helpers: dict[types.FunctionType, Any] = {}
_one_at_a_time = threading.RLock()


class Rules:
    """A set of plain functions, one for each rule, with their Numba type."""

    if TYPE_CHECKING:

        def __getattr__(self, rule: str) -> Callable[..., Any]: ...

    def __init__(self, name: str, functions: Mapping[str, Callable[..., Any]]) -> None:
        """Bind a function to each declared rule; raise BadGame if one does not have the right form."""
        self.name = name
        self.__dict__.update({rule: functions[rule] for rule in _declared})
        for rule, (num_arguments, _) in _declared.items():
            function = functions[rule]
            if not isinstance(function, types.FunctionType):
                raise BadGame(f"{name}: rule {rule}() is {function!r}; it must be a plain function.")
            found = function.__code__.co_argcount
            if found != num_arguments:
                wrong = f"rule {rule}() takes {found} arguments; it must take {num_arguments}"
                raise BadGame(f"{name}: {wrong} ({place(function)}).")
        self.key = fingerprint(*(functions[rule] for rule in _declared))
        if COMPILED:
            self.compiled = {rule: compiled(getattr(self, rule)) for rule in _declared}
            self.numba_type = _RulesType(self.key)
            _known.setdefault(self.key, self)

    def __repr__(self) -> str:
        """Show the game's name and the fingerprint of its code."""
        return f"Rules({self.name}, {self.key})"

    def compile_alone(self, rule: str, *arguments: object) -> None:
        """Compile one rule for these argument types; raise BadGame if that fails or it returns the wrong type."""
        dispatcher = self.compiled[rule]
        here = f"{self.name}: rule {rule}()"
        try:
            dispatcher.compile(tuple(numba.typeof(argument) for argument in arguments))
        except Exception as error:
            raise BadGame(f"{here} does not compile: {complaint(error, place(getattr(self, rule)))}.") from error
        returned = dispatcher.nopython_signatures[-1].return_type
        wanted, kind = _KINDS[_declared[rule].returns]
        if not isinstance(returned, kind):
            raise BadGame(
                f"{here} returns {_in_words(returned)}; it must return {wanted} ({place(getattr(self, rule))})."
            )


def place(function: types.FunctionType) -> str:
    """Return the location of a function: `mygame.py, line 12`."""
    return f"{Path(function.__code__.co_filename).name}, line {function.__code__.co_firstlineno}"


def _in_words(returned: object) -> str:
    if isinstance(returned, numba_types.Optional):
        return "nothing on some of its paths"
    return "nothing" if isinstance(returned, numba_types.NoneType) else str(returned)


def compiled(function: Callable[..., Any]) -> Any:  # noqa: ANN401 - a Numba dispatcher, which is untyped
    """Compile a plain function and all plain helpers that it calls; helpers need no decorator."""
    if isinstance(function, Dispatcher):
        return function
    assert isinstance(function, types.FunctionType), f"{function} is not a plain function"
    with _one_at_a_time:  # otherwise another thread would take the mark for recursion
        if function not in _helpers:
            _helpers[function] = None  # marks it as being compiled
            try:
                _helpers[function] = _compiled_clone(function)
            finally:
                if _helpers[function] is None:
                    del _helpers[function]
        return _helpers[function]


def _compiled_clone(function: types.FunctionType) -> Any:  # noqa: ANN401
    """Compile a copy of `function` in which compiled helpers replace the plain ones."""
    names = dict(function.__globals__)
    used = _names(function.__code__)
    for name in used & names.keys():
        if isinstance(names[name], types.ModuleType) and _is_users(names[name].__name__):
            names[name] = _compiled_module(names[name], used, function)
        else:
            names[name] = _compiled_helper(names[name], function)
    cells = tuple(types.CellType(_compiled_helper(cell.cell_contents, function)) for cell in function.__closure__ or ())
    clone = types.FunctionType(function.__code__, names, function.__name__, function.__defaults__, cells)
    # Numba names machine code after the function and a counter of this process.  Without the fingerprint, code from the
    # disk cache would be linked with new code of the same name (one factory, two constants).
    clone.__qualname__ = f"{function.__qualname__}_{fingerprint(function)}"
    clone.__module__ = __name__  # imported by cached machine code; the user's module may be renamed later
    options: Any = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}  # half the compile time
    return numba.njit(pipeline_class=UnitCompiler, **options)(clone)


def _compiled_module(module: types.ModuleType, used: set[str], caller: types.FunctionType) -> types.ModuleType:
    """Return a copy of a module in which the functions in `used` are compiled; so are a package's modules."""
    clone = types.ModuleType(module.__name__)
    for name in used:
        if hasattr(module, name):
            thing = getattr(module, name)
            if isinstance(thing, types.ModuleType) and thing.__name__ == f"{module.__name__}.{name}":
                thing = _compiled_module(thing, used, caller)
            setattr(clone, name, _compiled_helper(thing, caller))
    return clone


def _compiled_helper(thing: Any, caller: types.FunctionType) -> Any:  # noqa: ANN401
    if not isinstance(thing, types.FunctionType) or thing in kernels or not _is_users(thing.__module__):
        return thing
    ready = compiled(thing)
    if ready is None:
        loop = f"{caller.__qualname__}() calls itself, directly or through a helper"
        raise BadGame(f"{loop}; rules must use loops ({place(caller)}).")
    return ready


def _is_users(module: str | None) -> bool:
    return str(module).partition(".")[0] not in ("numpy", "numba", "math")


def _names(code: types.CodeType) -> set[str]:
    nested = (constant for constant in code.co_consts if isinstance(constant, types.CodeType))
    return set(code.co_names).union(*map(_names, nested))


class _RulesType(numba_types.Type):
    """The Numba type of rules, without data at run time; its name determines equality, hence the cache key."""

    def __init__(self, key: str) -> None:
        self.rules_key = key
        super().__init__(name=f"Rules({key})")


@typeof_impl.register(Rules)
def _type_of_rules(rules: Rules, _context: object) -> _RulesType:
    return rules.numba_type


register_model(_RulesType)(models.OpaqueModel)


@unbox(_RulesType)
def _unbox_rules(_type: object, _value: object, c: Any) -> NativeValue:  # noqa: ANN401
    return NativeValue(c.context.get_dummy_value())


def _attach(rule: str, num_arguments: int) -> None:
    # Numba compares these signatures with those of the lambdas as text: one form per number of arguments, no types.
    def one(rules, a):  # pyright: ignore  # noqa: ANN001, ANN202, ARG001
        function = _known[rules.rules_key].compiled[rule]
        return lambda rules, a: function(a)  # noqa: ARG005

    def two(rules, a, b):  # pyright: ignore  # noqa: ANN001, ANN202, ARG001
        function = _known[rules.rules_key].compiled[rule]
        return lambda rules, a, b: function(a, b)  # noqa: ARG005

    def three(rules, a, b, c):  # pyright: ignore  # noqa: ANN001, ANN202, ARG001
        function = _known[rules.rules_key].compiled[rule]
        return lambda rules, a, b, c: function(a, b, c)  # noqa: ARG005

    def four(rules, a, b, c, d):  # pyright: ignore  # noqa: ANN001, ANN202, ARG001
        function = _known[rules.rules_key].compiled[rule]
        return lambda rules, a, b, c, d: function(a, b, c, d)  # noqa: ARG005

    overload_method(_RulesType, rule)((one, two, three, four)[num_arguments - 1])


def declare_rules(signatures: Mapping[str, Signature]) -> None:
    """Declare the rules that all `Rules` created from now on must have, and that compiled code can call as methods."""
    for rule, signature in signatures.items():
        _declared[rule] = signature
        _attach(rule, signature.num_arguments)
