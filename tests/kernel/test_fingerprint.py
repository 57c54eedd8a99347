"""The fingerprint changes when the results of a function can change, and otherwise stays the same."""

import copyreg
import enum
import math
import sys
import types
from typing import NamedTuple

import numba  # noqa: TID251 - whose types rules may use
import numpy as np
import pytest

from ludus.kernel import fingerprint

CONSTANTS = "TARGET = 21\nTABLE = (1, 2, 3)\n"
HELPERS = """
import consts
from consts import TABLE


def bonus(action):
    return action + TABLE[0]


def capped(value):
    return min(value, consts.TARGET)
"""
GAME = '''
import numpy as np
import helpers
from helpers import bonus

WEIGHTS = np.array([1, 2, 3])
MODE = "long"


def make(step=3):
    def play(state, action, extra=0):
        """Add up."""
        # a remark
        state[0] += step * action + bonus(action) + WEIGHTS[0] + extra
        state[0] = helpers.capped(state[0])
        if MODE == "short":
            state[0] -= 1

    return play
'''


def fingerprint_of(monkeypatch, edit=("", ""), step=3):
    """Return the fingerprint of `make(step)` after replacing a text in one of the three files."""
    before, after = edit
    assert sum(before in source for source in (CONSTANTS, HELPERS, GAME)) >= 1
    for name, source in (("consts", CONSTANTS), ("helpers", HELPERS), ("mygame", GAME)):
        module = types.ModuleType(name)
        monkeypatch.setitem(sys.modules, name, module)
        exec(compile(source.replace(before, after) if before else source, f"{name}.py", "exec"), module.__dict__)
    return fingerprint(sys.modules["mygame"].make(step))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("step * action", "step - action"),
        ("action + TABLE", "action - TABLE"),
        ("min(value", "max(value"),
        ("TARGET = 21", "TARGET = 22"),
        ("TABLE = (1,", "TABLE = (9,"),
        ("np.array([1,", "np.array([9,"),
        ("np.array([1, 2, 3])", "np.array([1.0, 2.0, 3.0])"),
        ("extra=0", "extra=1"),
        ('MODE = "long"', 'MODE = "short"'),
        ('MODE == "short"', 'MODE == "tiny"'),
    ],
)
def test_an_edit_of_the_meaning_changes_it(monkeypatch, before, after):
    assert fingerprint_of(monkeypatch, (before, after)) != fingerprint_of(monkeypatch)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("# a remark", "# another remark\n        # on two lines"),
        ('"""Add up."""', '"""Add everything up."""'),
        ("import helpers\n", "import helpers\n\n\n\n"),
        ("def bonus(action):", "def bonus(action: int) -> int:"),
    ],
)
def test_an_edit_of_the_text_alone_does_not_change_it(monkeypatch, before, after):
    assert fingerprint_of(monkeypatch, (before, after)) == fingerprint_of(monkeypatch)


def test_a_value_that_a_closure_keeps_changes_it(monkeypatch):
    assert fingerprint_of(monkeypatch, step=4) != fingerprint_of(monkeypatch, step=3)


def test_a_constant_of_a_module_counts_though_a_global_has_its_name():
    module = types.ModuleType("consts")
    names = {"consts": module, "TARGET": 5}
    exec("def rule():\n    return consts.TARGET + TARGET\n", names)
    module.TARGET = 1
    before = fingerprint(names["rule"])
    module.TARGET = 2
    assert fingerprint(names["rule"]) != before


def test_a_constant_of_a_nested_module_counts():
    package, module = types.ModuleType("package"), types.ModuleType("package.consts")
    package.consts = module
    names = {"package": package}
    exec("def rule():\n    return package.consts.TARGET\n", names)
    module.TARGET = 1
    before = fingerprint(names["rule"])
    module.TARGET = 2
    assert fingerprint(names["rule"]) != before


def test_imports_from_the_standard_library_do_not_count(monkeypatch):
    module = types.ModuleType("helpers")
    exec("import copy\n\n\ndef capped(state):\n    return state\n", module.__dict__)
    names = {"helpers": module}
    exec("def rule(state):\n    return helpers.capped(state.copy())\n", names)
    before = fingerprint(names["rule"])
    monkeypatch.setitem(copyreg.dispatch_table, types.ModuleType, lambda module: module)  # as another process may have
    assert fingerprint(names["rule"]) == before


def test_which_of_two_helpers_is_called_twice_counts():
    def first(value):
        return value + 1

    def second(value):
        return value - 1

    def rule_with(a, b, c):
        names = {"a": a, "b": b, "c": c}
        exec("def rule(value):\n    return a(b(c(value)))\n", names)
        return fingerprint(names["rule"])

    assert rule_with(first, second, first) != rule_with(first, second, second)


def test_an_argument_turned_into_a_local_name_counts():
    names = {}
    exec("def one(a, b):\n    b = 1\n    return a\n\n\ndef two(a):\n    b = 1\n    return a\n", names)
    assert fingerprint(names["one"]) != fingerprint(names["two"])


def test_mutually_recursive_functions_have_a_fingerprint():
    names = {}
    exec("def odd(n):\n    return n and even(n - 1)\n\n\ndef even(n):\n    return not n or odd(n - 1)\n", names)
    assert fingerprint(names["odd"]) != fingerprint(names["even"])


def test_sets_and_arrays_with_other_contents_have_other_fingerprints():
    assert fingerprint({1, 2, 3}) == fingerprint({3, 2, 1}) != fingerprint({1, 2})
    assert fingerprint(np.zeros(4)) != fingerprint(np.zeros(4, np.float32)) != fingerprint(np.zeros((2, 2), np.float32))


def test_constants_of_one_module_that_two_rules_use_both_count():
    module = types.ModuleType("consts")
    names = {"consts": module}
    exec("def one():\n    return consts.A\n\n\ndef two():\n    return consts.B\n", names)
    module.A, module.B = 1, 2
    before = fingerprint(names["one"], names["two"])
    module.B = 3
    assert fingerprint(names["one"], names["two"]) != before


def test_members_of_an_enum_count():
    def rule_with(first):
        names = {"Result": enum.IntEnum("Result", {"FIRST": first, "SECOND": 2})}
        exec("def rule():\n    return Result.FIRST.value\n", names)
        return fingerprint(names["rule"])

    assert rule_with(1) == rule_with(1) != rule_with(3)


def test_fields_and_defaults_of_a_named_tuple_count():
    """Check a tuple's fields: to the compiler `WON.first` is an index, and a default value is a constant."""

    def of(first, second, default):
        pair = NamedTuple("Pair", [(first, int), (second, int)])
        pair.__new__.__defaults__ = (default,)
        pair._field_defaults = {second: default}
        won = pair(1, 2)

        def rule():
            return won[0] + pair(1)[1]

        return fingerprint(rule)

    usual = of("first", "second", 3)
    assert usual == of("first", "second", 3)
    assert usual not in (of("second", "first", 3), of("first", "second", 4))


def test_types_of_machine_words_have_different_fingerprints():
    def of(word):
        def rule(number):
            return word(number)

        return fingerprint(rule)

    assert of(numba.int32) == of(numba.int32)
    assert len({of(word) for word in (numba.int8, numba.int32, numba.uint32, numba.float64)}) == 4


def test_functions_with_equal_names_in_two_modules_have_different_fingerprints():
    """Check equal names: to the compiler `math.floor` is an integer function, `numpy.floor` a float function."""

    def of(floor):
        def rule(number):
            return floor(number)

        return fingerprint(rule)

    assert of(math.floor) == of(math.floor) != of(np.floor)


def test_options_of_compiled_helpers_and_code_of_vectorised_ones_count():
    def helper(number):
        return number / 3.0

    def more(number):
        return number / 4.0

    plain, fast = numba.njit(helper), numba.njit(fastmath=True)(helper)
    assert fingerprint(plain) == fingerprint(numba.njit(helper)) != fingerprint(fast)
    assert fingerprint(numba.vectorize(helper)) == fingerprint(numba.vectorize(helper))
    assert fingerprint(numba.vectorize(helper)) != fingerprint(numba.vectorize(more))
