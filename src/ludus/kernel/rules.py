"""The rules of a game as a value with a Numba type of its own: how one generic search is compiled for each game.

`rules.legal(state, actions)` in the search is an ordinary method call without the compiler.  With it, `rules` has the
type `Rules(<fingerprint>)`, on which each rule is an `overload_method`: the user's function is inlined, and the
fingerprint is part of the key under which the machine code is cached on disk.  Rules with equal fingerprints share
their code, whatever board they are used for.  Which rules there are is said by `declare_rules`.
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
from ludus.kernel.fingerprint import fingerprint

_KINDS: dict[type | None, tuple[str, type]] = {
    int: ("an integer", numba_types.Integer),
    float: ("a float", numba_types.Float),
    None: ("nothing", numba_types.NoneType),
}


class Signature(NamedTuple):
    """How a rule is called."""

    num_arguments: int
    returns: type | None
    """int, float, or None for nothing."""


_declared: dict[str, Signature] = {}
_known: dict[str, "Rules"] = {}
_helpers: dict[types.FunctionType, Any] = {}
_one_at_a_time = threading.RLock()


class Rules:
    """A bag of plain functions, an attribute each, and the Numba type that stands for it."""

    if TYPE_CHECKING:

        def __getattr__(self, rule: str) -> Callable[..., Any]: ...

    def __init__(self, name: str, functions: Mapping[str, Callable[..., Any]]) -> None:
        """Bind a function for each rule that `declare_rules` named; raise BadGame if one cannot be that rule."""
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
        """Compile one rule for arguments such as these; raise BadGame if that fails or it returns the wrong type."""
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
    """Return where a function begins: `mygame.py, line 12`."""
    return f"{Path(function.__code__.co_filename).name}, line {function.__code__.co_firstlineno}"


def _in_words(returned: object) -> str:
    if isinstance(returned, numba_types.Optional):
        return "nothing on some of its paths"
    return "nothing" if isinstance(returned, numba_types.NoneType) else str(returned)


def compiled(function: Callable[..., Any]) -> Any:  # noqa: ANN401 - a Numba dispatcher, which is untyped
    """Compile a plain function and every plain helper that it calls; helpers need no decorator."""
    if isinstance(function, Dispatcher):
        return function
    assert isinstance(function, types.FunctionType), f"{function} is not a plain function"
    with _one_at_a_time:  # another thread would take the mark for a function that calls itself
        if function not in _helpers:
            _helpers[function] = None  # marks it as being compiled
            try:
                _helpers[function] = _compiled_clone(function)
            finally:
                if _helpers[function] is None:
                    del _helpers[function]
        return _helpers[function]


def _compiled_clone(function: types.FunctionType) -> Any:  # noqa: ANN401
    """Compile a copy of `function` that sees compiled helpers where the original sees plain ones."""
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
    # disk cache and new code of a namesake (one factory, two constants) would be linked as if they were the same.
    clone.__qualname__ = f"{function.__qualname__}_{fingerprint(function)}"
    clone.__module__ = __name__  # machine code from the cache imports it: the user's file may have another name by then
    options: Any = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}  # half the compile time
    return numba.njit(**options)(clone)


def _compiled_module(module: types.ModuleType, used: set[str], caller: types.FunctionType) -> types.ModuleType:
    """Return what `used` names of a module and of the modules in it, if it is a package, compiled."""
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
    """Nothing at run time, everything at compile time; its name decides equality, hence the cache key."""

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
    # Numba compares these signatures letter by letter with the lambdas': one text per number of arguments, unannotated.
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
    """Let all `Rules` made from now on have these rules, which compiled code calls as their methods."""
    for rule, signature in signatures.items():
        _declared[rule] = signature
        _attach(rule, signature.num_arguments)
