"""Calls a game's plain or compiled rules and detects everything that a rule must not do.

Guard words surround every array that is passed to a rule.  After each call, read-only arguments are compared with their
former content and the return value's type is checked.  An exception is reported with the line that raised it.
"""

from __future__ import annotations

import copy
import inspect
import io
import traceback
from collections.abc import Callable
from contextlib import nullcontext, redirect_stdout, suppress
from pathlib import Path
from typing import Any, TypeVar

import msgspec
import numpy as np
from numpy.typing import NDArray

from ludus import kernel
from ludus.errors import BadGame
from ludus.games import blame
from ludus.games.blame import origin, shown
from ludus.games.calls import RULES
from ludus.games.check.remedies import room, with_remedy
from ludus.games.game import Game
from ludus.games.rules import State
from ludus.kernel import COMPILED, prepare

GUARD = 32  # guard words before and after an array
PATTERN = 0xA5  # value of each byte of a guard word
T = TypeVar("T")

_CALLERS = {Path(__file__), Path(blame.__file__)}
_KERNEL = Path(kernel.__file__).parent


class Broken(Exception):
    """A law is broken: `law` is its name in `ludus.games.check.laws.LAWS`, `what` the fault."""

    def __init__(self, law: str, what: str) -> None:
        """Store the name of the law and the fault."""
        super().__init__(law, what)
        self.law, self.what = law, what


class Fraction(Exception):
    """A plain rule wrote a number that is not whole into an integer array; the argument is that number."""


class Whole(np.ndarray):
    """An integer array for checked plain rules; unlike NumPy, it refuses 0.5 instead of rounding it to 0."""

    def __setitem__(self, where: Any, value: Any) -> None:  # noqa: ANN401 - as of every array
        """Write whole numbers; raise Fraction for others."""
        numbers = np.asarray(value)
        if numbers.dtype.kind == "f" and not np.all(is_whole := np.isfinite(numbers) & (numbers == np.trunc(numbers))):
            raise Fraction(numbers[~is_whole].flat[0])
        super().__setitem__(where, value)


class Guarded:
    """The plain or compiled rules of a game, called with guarded arrays."""

    def __init__(self, game: Game, *, compiled: bool) -> None:
        """Guard the plain or the compiled rules of `game`."""
        self.game, self.compiled = game, compiled
        self._state = _Fenced(game.empty_state())
        self._wide_planes = _Fenced(np.zeros(game.planes, np.float32))
        arrays = {
            "actions": np.zeros(game.max_legal, np.int16),
            "planes": np.zeros(game.planes, np.uint8),
            "weights": np.zeros(game.max_legal, np.float32),
            "out": game.empty_state(),
            "maps": np.zeros((game.num_maps, *game.planes[1:]), np.uint8),
            "ranks": np.zeros(game.max_legal, np.int16),
        }
        self._arrays = {name: _Fenced(array) for name, array in arrays.items()}
        """The arrays that rules write, by their argument names in `RULES`."""

    def start(self) -> State:
        """Return the initial state."""
        state = self.game.empty_state()
        try:
            _check_returned("start", None, ask("runs", "start", self.game.write_start, state.view(Whole)))
        except Broken as broken:
            raise Broken(broken.law, broken.what + room(self.game, "start", str(broken.__cause__ or ""))) from broken
        return self.padded("start()", state)

    def drawn_start(self, rng: np.random.Generator) -> tuple[Any, State]:
        """Return a random setup and its initial state; without `draw_setup`, None and the usual initial state."""
        if not self.game.draws_setups:
            return None, self.start()
        again = copy.deepcopy(rng)
        drawn, twin = (ask("setup", "draw_setup", self.game.draw_setup, each) for each in (rng, again))
        if not isinstance(drawn, str | dict):
            raise Broken("setup", f"draw_setup() draws {drawn!r}; it must draw a text or a JSON object")
        try:
            setup, other = (msgspec.json.decode(msgspec.json.encode(each)) for each in (drawn, twin))
        except (TypeError, msgspec.MsgspecError) as error:
            raise Broken("setup", f"draw_setup() draws {drawn!r}, which is not JSON ({error})") from error
        if setup != other:
            raise Broken("setup", f"draw_setup() draws {setup!r} and {other!r} from equal random generators")
        state = self.game.empty_state()
        _check_returned("start", None, ask("setup", "start", self.game.write_start, state.view(Whole), setup))
        return setup, self.padded("start()", state)

    def number(self, rule: str, state: State, *arguments: int) -> int:
        """Return the result of a rule that takes and returns integers: to_play, outcome, symmetric_action, foresee."""
        return int(self._call(rule, state, [*arguments]))

    def legal(self, state: State) -> tuple[int, ...]:
        """Return the legal actions in the rule's order."""
        actions = self._filled("actions", -1)
        count = int(self._call("legal", state, [actions]))
        if not 0 <= count <= self.game.max_legal:
            raise Broken("legal", f"legal() returns {count}; a position has 0 to {self.game.max_legal} legal actions")
        return tuple(actions.array[:count].tolist())

    def play(self, state: State, action: int) -> State:
        """Return the state after an action."""
        self._call("play", state, [action], changes_state=True)
        return self.padded(f"play({action})", self._state.array.copy())

    def play_wide(self, state: State, action: int) -> NDArray[np.int64] | None:
        """Return the state's items after an action, computed by the plain rules with 64-bit integers.

        None if the state already has 64-bit items, or the rule does not work with them.
        """
        assert not self.compiled, "compiled code accepts only the state's own type"
        wide = state.astype(np.int64)
        if wide.itemsize > state.itemsize:
            with suppress(Exception):  # a rule may depend on its state's type
                self.game.rules.play(wide, action)
                return wide
        return None

    def encode(self, state: State) -> NDArray[np.uint8]:
        """Return the planes [C, H, W], encoded over zeros."""
        return self._encode(state, self._arrays["planes"])

    def encode_wide(self, state: State) -> NDArray[np.float32]:
        """Return the planes [C, H, W] as floats, so that plain rules can write any number."""
        assert not self.compiled, "compiled code accepts byte planes only"
        return self._encode(state, self._wide_planes)

    def _encode(self, state: State, planes: _Fenced) -> NDArray[Any]:
        planes.array.fill(0)
        self._call("encode", state, [planes])
        return planes.array.copy()

    def heuristic(self, state: State, legal: tuple[int, ...]) -> tuple[NDArray[np.float32], float]:
        """Return the weights of the legal actions and the value for player 0."""
        return self._judge("heuristic", state, legal, self._filled("weights", np.nan))

    def survey(self, state: State, legal: tuple[int, ...]) -> tuple[NDArray[np.int16], float]:
        """Return the ranks of some legal actions and the value for player 0."""
        return self._judge("survey", state, legal, self._filled("ranks", -1))

    def _judge(self, rule: str, state: State, legal: tuple[int, ...], judged: _Fenced) -> tuple[NDArray[Any], float]:
        actions = np.full(self.game.max_legal, -1, np.int16)
        actions[: len(legal)] = legal
        value = self._call(rule, state, [actions, len(legal), judged])
        return judged.array[: len(legal)].copy(), float(value)

    def symmetric_state(self, state: State, symmetry: int, dirt: int = 0) -> State:
        """Return the state under a symmetry, written over items of value `dirt`."""
        out = self._filled("out", 0)
        out.array[: self.game.state_size] = dirt
        self._call("symmetric_state", state, [symmetry, out])
        return self.padded(f"symmetric_state({symmetry})", out.array.copy())

    def final_maps(self, state: State, player: int) -> NDArray[np.uint8]:
        """Return the maps of a finished game, written over zeros [M, H, W]."""
        maps = self._filled("maps", 0)
        self._call("final_maps", state, [player, maps])
        return maps.array.copy()

    def _filled(self, name: str, item: float) -> _Fenced:
        """Fill one of the arrays that rules write with one value, and return it."""
        self._arrays[name].array.fill(item)
        return self._arrays[name]

    def padded(self, rule: str, state: State) -> State:
        """Return the state if its padding is zero; raise Broken otherwise."""
        if np.any(state[self.game.state_size :]):
            item = self.game.state_size + int(np.argmax(state[self.game.state_size :] != 0))
            raise Broken("padding", f"{rule} writes item {item} of the state; state_size is {self.game.state_size}")
        return state

    def _call(self, rule: str, state: State, rest: list[Any], *, changes_state: bool = False) -> Any:  # noqa: ANN401
        """Call a rule and check the result's type; the rule may write the fenced arrays among its arguments."""
        self._state.array[:] = state
        before = self._state.everything()
        written = [argument for argument in rest if isinstance(argument, _Fenced)]
        arguments = [self._given(argument) if isinstance(argument, _Fenced) else argument for argument in rest]
        given = self._given(self._state) if changes_state else self._state.array
        given.flags.writeable = self.compiled or changes_state  # a write by plain rules raises in NumPy, with the line
        try:
            if self.compiled:
                returned = RULES[rule].entry(self.game.rules, given, *arguments)
            else:
                with redirect_stdout(_EAR) if COMPILED else nullcontext():  # without a compiler, printing is allowed
                    returned = getattr(self.game.rules, rule)(given, *arguments)
        except Exception as error:  # a user's rule may raise anything
            if isinstance(error, _Printed):
                said = f"{rule}() prints {shown(str(error))}{line(error)}"
                raise Broken("pure", f"{said}; searches would print it millions of times: take it out") from error
            if isinstance(error, Fraction):
                raise _fraction(rule, error) from error
            if isinstance(error, ValueError) and "read-only" in str(error):
                raise Broken("bounds", f"{rule}() changes its read-only state{line(error)}") from error
            numbers = ", ".join(str(argument) for argument in arguments if isinstance(argument, int))
            said = f"{rule}({numbers}) raises {type(error).__name__}: {error}{line(error)}"
            raise Broken("runs", said + room(self.game, rule, str(error))) from error
        finally:
            self._state.array.flags.writeable = True
        if changes_state:
            written.append(self._state)
        elif self._state.everything() != before:
            self._state.mend()
            raise Broken("bounds", f"{rule}() changes its read-only state")
        stand = [array.mend() for array in written]
        if not all(stand):
            raise Broken("bounds", f"{rule}() writes outside its array")
        _check_returned(rule, RULES[rule].returns, returned)
        return returned

    def _given(self, fenced: _Fenced) -> NDArray[Any]:
        """Return the array as a rule receives it; for plain rules, integer arrays become `Whole`."""
        array = fenced.array
        return array if self.compiled or array.dtype.kind == "f" else array.view(Whole)

    def compile_all(self, state: State, advance: Callable[[str], object]) -> None:
        """Compile every rule and call `advance` with each name first; raise Broken with the first rule that fails."""
        self._state.array[:] = state
        for rule, declared in RULES.items():
            advance(rule)
            arguments = [self._arrays[name].array if name in self._arrays else 0 for name in declared.arguments]
            try:
                prepare(declared.entry, self.game.rules, self._state.array, *arguments)
            except BadGame as unclear:
                try:
                    self.game.rules.compile_alone(rule, self._state.array, *arguments)
                except BadGame as clear:
                    raise Broken("compiles", with_remedy(str(clear))) from unclear
                raise Broken("compiles", str(unclear)) from unclear


def _fraction(rule: str, error: Fraction) -> Broken:
    return Broken("returns", f"{rule}() writes {error} into an integer array{line(error)}; write whole numbers")


class _Printed(Exception):
    """A rule has printed this text."""


class _Ear(io.TextIOBase):
    """A text stream that raises `_Printed` on every write."""

    def write(self, text: str, /) -> int:
        raise _Printed(text)


_EAR = _Ear()


class _Fenced:
    """An array with guard words on both sides."""

    def __init__(self, example: NDArray[Any]) -> None:
        words = -(-example.nbytes // 8)
        self._words = np.full(8 * (GUARD + words + GUARD), PATTERN, np.uint8).view(np.uint64)
        self._first, self._last = 8 * GUARD, 8 * GUARD + example.nbytes  # bytes of the array
        raw = self._words.view(np.uint8)[self._first : self._last]
        self.array: NDArray[Any] = raw.view(example.dtype).reshape(example.shape)
        self._fence = self._around()

    def everything(self) -> bytes:
        """Return the bytes of the array and its guard words."""
        return self._words.tobytes()

    def mend(self) -> bool:
        """Return whether the guard words are unchanged, and restore them for the next rule."""
        stands = self._around() == self._fence
        if not stands:
            everything = self._words.view(np.uint8)
            everything[: self._first] = PATTERN
            everything[self._last :] = PATTERN
        return stands

    def _around(self) -> bytes:
        everything = self._words.view(np.uint8)
        return everything[: self._first].tobytes() + everything[self._last :].tobytes()


def _check_returned(rule: str, wanted: type | None, returned: object) -> None:
    """Check that a rule, or `start`, returns the declared type: an integer, a float or None."""
    if wanted is None and returned is not None:
        what = "an array" if isinstance(returned, np.ndarray) else shown(returned)
        raise Broken("returns", f"{rule}() returns {what}; it must return nothing and write into its array")
    if wanted is int and (not isinstance(returned, (int, np.integer)) or isinstance(returned, bool)):
        raise Broken("returns", f"{rule}() returns {returned!r}; it must return an integer")
    if wanted is float and not isinstance(returned, (float, np.floating)):
        raise Broken("returns", f"{rule}() returns {returned!r}; it must return a float")


def ask(law: str, name: str, function: Callable[..., T], *arguments: object) -> T:
    """Call a function for people; raise Broken with `law` and the function's name if it fails."""
    try:
        return function(*arguments)
    except Exception as error:  # a user's function may raise anything
        raised = origin(error)
        if isinstance(raised, Fraction):
            raise _fraction(name, raised) from error
        where = line(raised) or beginning(function)
        raise Broken(law, f"{name}() raises {type(raised).__name__}: {raised}{where}") from error


def beginning(function: Callable[..., object]) -> str:
    """Return a function's first line, in brackets, for functions that cannot be called at all."""
    code = getattr(inspect.unwrap(function), "__code__", None)
    return f" ({Path(code.co_filename).name}, line {code.co_firstlineno})" if code else ""


def _is_passed_through(file: Path) -> bool:
    """Return whether a file only passes calls on to an author's code."""
    return file in _CALLERS or file.parent == _KERNEL or "site-packages" in file.parts


def line(error: Exception) -> str:
    """Return the author's line that raised an exception, in brackets."""
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        if not _is_passed_through(Path(frame.filename)):
            return f" ({Path(frame.filename).name}, line {frame.lineno})"
    return ""
