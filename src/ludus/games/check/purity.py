"""Checks the law `pure` in the code of rules: they use no chance, no clock, and nothing else that changes by itself."""

from __future__ import annotations

import dis
from collections.abc import Callable, Iterator
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any, NamedTuple

from ludus.games import scope
from ludus.games.blame import Place
from ludus.games.calls import RULES
from ludus.games.check.guard import Broken, Guarded
from ludus.games.game import Game

_CHANCE = ("random", "secrets", "uuid", "numpy.random")
_CLOCK = ("time", "datetime")
STARTS = 8  # starts that must be equal
_POSITION_RULES = ("to_play", "legal", "play", "outcome")  # those that decide what happens in a game


class _Use(NamedTuple):
    """A use of something impure in the code of a function."""

    what: str
    """`random numbers` or `the clock`."""
    name: str
    """As the code writes it, such as `np.random`."""
    place: Place

    def __str__(self) -> str:
        """Return what is used, and the line."""
        return f"{self.what}, `{self.name}` ({Path(self.place.file).name}, line {self.place.line})"


def check_code(game: Game) -> None:
    """Raise Broken if a rule, or a function that it calls, uses chance or a clock."""
    for rule in RULES:
        for use in _uses(getattr(game.rules, rule), set()):
            raise Broken("pure", f"{rule}() uses {use}; {_remedy(rule, use.what)}")


def check_start(rules: Guarded) -> None:
    """Raise Broken if start() writes different states; it may use a generator with a fixed seed."""
    if len({rules.start().tobytes() for _ in range(STARTS)}) > 1:
        uses = [f", using {use}" for use in _uses(rules.game.author_start, set())] or [""]
        remedy = "draw_setup() may draw starts from the generator that it is given"
        raise Broken("pure", f"start() writes another state each time{uses[0]}; {remedy}")


def _remedy(rule: str, what: str) -> str:
    if what == "the clock":
        return "equal positions must get equal answers, so keep what matters in the state"
    return scope.NO_CHANCE if rule in _POSITION_RULES else "equal positions must get equal answers"


def _uses(function: Callable[..., Any], seen: set[int]) -> Iterator[_Use]:
    function = getattr(function, "py_func", function)  # of a function that the author has compiled
    if isinstance(function, FunctionType) and id(function) not in seen:
        seen.add(id(function))
        cells = dict(zip(function.__code__.co_freevars, function.__closure__ or (), strict=False))
        names = {**function.__globals__, **{name: cell.cell_contents for name, cell in cells.items()}}
        yield from _uses_of(function.__code__, names, seen)


def _uses_of(code: CodeType, names: dict[str, Any], seen: set[int]) -> Iterator[_Use]:
    """Follow the names that code loads: `np`, then `random` of that module, then `random` of that one."""
    thing, written = None, ""
    for step in dis.get_instructions(code):
        name = str(step.argval)
        if step.opname == "IMPORT_NAME":
            thing, written = None, name
            what = _impure(name)
        elif step.opname in ("LOAD_GLOBAL", "LOAD_NAME", "LOAD_DEREF") and name in names:
            thing, written = names[name], name
            what = _kind(thing)
        elif step.opname in ("LOAD_ATTR", "LOAD_METHOD") and isinstance(thing, ModuleType):
            thing, written = getattr(thing, name, None), f"{written}.{name}"
            what = _kind(thing)
        else:
            thing, what = (thing, "") if step.opname in ("PUSH_NULL", "PRECALL", "CACHE") else (None, "")
        if what:
            line = step.positions.lineno if step.positions else None
            yield _Use(what, written, Place(code.co_filename, line or code.co_firstlineno, code.co_name))
        called = getattr(thing, "py_func", thing)
        if isinstance(called, FunctionType) and not _is_a_librarys(called.__code__):
            yield from _uses(called, seen)
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _uses_of(constant, names, seen)


def _is_a_librarys(code: CodeType) -> bool:
    return Place(code.co_filename, 1, code.co_name).is_a_librarys


def _kind(thing: Any) -> str:  # noqa: ANN401 - anything that code can name
    """Return what an object of a module stands for: `random numbers`, `the clock`, or an empty string."""
    if isinstance(thing, ModuleType):
        return _impure(thing.__name__)
    owner = getattr(thing, "__self__", None)  # random.random is a method of a hidden generator
    home = type(owner).__module__ if owner is not None and not isinstance(owner, ModuleType) else None
    home = home or getattr(thing, "__module__", None) or type(thing).__module__
    return _impure(str(home))


def _impure(module: str) -> str:
    if any(module == each or module.startswith((f"{each}.", f"_{each}")) for each in _CHANCE):
        return "random numbers"
    return "the clock" if any(module in (each, f"_{each}") for each in _CLOCK) else ""
