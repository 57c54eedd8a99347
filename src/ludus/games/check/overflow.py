"""Finds the calculations of plain rules that overflow a small integer type, with the line and the numbers."""

from __future__ import annotations

import ast
import inspect
import linecache
import operator
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, NamedTuple

import numpy as np

from ludus.games.blame import Place
from ludus.games.check.guard import Broken

CONVERT = "convert small integers with int(...) before you calculate"
"""The remedy."""
_WORD = 8  # bytes of the integers of machine code
_SIGNS: dict[type[ast.AST], tuple[str, Callable[..., Any]]] = {
    ast.Add: ("+", operator.add),
    ast.Sub: ("-", operator.sub),
    ast.Mult: ("*", operator.mul),
    ast.USub: ("-", operator.neg),
}
_HARMLESS = (ast.Name, ast.Subscript, ast.Attribute, ast.Constant, ast.Slice, ast.Tuple, ast.BinOp, ast.UnaryOp)
_PARTS = (ast.Compare, ast.cmpop, ast.operator, ast.unaryop, ast.expr_context)
_HARMLESS_CALLS = ("int", "float", "abs", "min", "max", "len", "sum", "item")  # also as methods, and of NumPy


class Overflow(NamedTuple):
    """A calculation of plain rules that overflows an integer type."""

    where: str
    """File and line, in brackets."""
    is_word: bool
    """Whether the integers have 64 bits; machine code overflows in the same way, and bitboards may mean it."""
    what: str
    """`state[0] - state[1]` is 1 - 2, which overflows uint8 and becomes 255; empty if the numbers are not known."""

    def __str__(self) -> str:
        """Return the calculation and where it is."""
        return f"{self.what}{self.where}"


class FirstOverflow:
    """Keeps the first overflow of a small integer while plain rules run under `np.errstate(over="call", call=note)`."""

    def __init__(self, items: np.dtype[Any]) -> None:
        """Begin with none; overflows of 64 bits count if the state's `items` are smaller, as of `state.sum() - 5`."""
        self._counts_words = items.itemsize < _WORD
        self._found: Overflow | None = None
        self._harmless: set[tuple[CodeType, int]] = set()

    def note(self, _kind: str, _flag: int) -> None:
        """Look at the calculation that has just overflowed."""
        frame = inspect.currentframe()
        frame = frame and frame.f_back
        if frame and not self._found and (frame.f_code, frame.f_lasti) not in self._harmless:
            found = _overflow_at(frame)
            if found and found.what and (self._counts_words or not found.is_word):
                self._found = found
            else:
                self._harmless.add((frame.f_code, frame.f_lasti))

    def notice(self) -> str:
        """Return a sentence about the overflow, without a period; empty if there was none."""
        return f"{self._found}: {CONVERT}" if self._found else ""


def overflows(call: Callable[[], object]) -> list[Overflow]:
    """Return the overflows of integers while plain rules run, as far as NumPy detects them."""
    found: list[Overflow] = []

    def note(_kind: str, _flag: int) -> None:
        frame = inspect.currentframe()
        if frame and frame.f_back and (here := _overflow_at(frame.f_back)):
            found.append(here)

    with np.errstate(over="call", call=note), suppress(Broken):
        call()
    return found


def known_overflows(call: Callable[[], object]) -> list[Overflow]:
    """Return the overflows of small integers, with their numbers, while plain rules run."""
    return [found for found in overflows(call) if not found.is_word]


def _overflow_at(frame: FrameType) -> Overflow | None:
    """Describe the calculation that a frame is at; None if it belongs to a library or calculates with floats."""
    code = frame.f_code
    if Place(code.co_filename, frame.f_lineno, code.co_name).is_a_librarys:
        return None
    line, last_line, begin, end = list(code.co_positions())[frame.f_lasti // 2]
    line = line or frame.f_lineno
    where = f" ({Path(code.co_filename).name}, line {line})"
    source = linecache.getline(code.co_filename, line).encode()[begin:end].decode()
    with suppress(Exception):  # the source may have changed, and an operand may be anything
        assert line == last_line, "only expressions of one line are shown"
        parsed = ast.parse(source).body[0]
        calculation: Any = parsed.value if isinstance(parsed, ast.Expr) else parsed
        sign, operate = _SIGNS[type(calculation.op)]
        parts = ("left", "right", "target", "value", "operand")
        operands = [_value(getattr(calculation, part), frame) for part in parts if hasattr(calculation, part)]
        kind = np.result_type(*(operand for operand in operands if isinstance(operand, np.generic)))
        if kind.kind not in "iu":
            return None
        exact = operate(*map(int, operands))
        wrapped = np.array(exact % (1 << 8 * kind.itemsize), f"u{kind.itemsize}").view(kind)
        numbers = f" {sign} ".join(map(str, operands)) if len(operands) > 1 else f"{sign}{operands[0]}"
        return Overflow(
            where, kind.itemsize == _WORD, f"`{source}` is {numbers}, which overflows {kind} and becomes {wrapped}"
        )
    return Overflow(where, True, "")


def _value(operand: ast.expr, frame: FrameType) -> Any:  # noqa: ANN401 - of any expression
    """Return the value of an operand that has no side effects."""
    for node in ast.walk(operand):
        called = getattr(node, "func", None)
        is_call = getattr(called, "id", getattr(called, "attr", "")) in _HARMLESS_CALLS
        is_part = isinstance(node, (*_HARMLESS, *_PARTS))
        assert is_call or is_part, f"{ast.unparse(node)} may have side effects"
    with np.errstate(over="ignore"):
        return eval(ast.unparse(operand), frame.f_globals, frame.f_locals)
