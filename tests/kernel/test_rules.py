"""Plain functions as rules: helpers need no decorator, and compile errors give one message."""

import sys
import time
import types
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from ludus.errors import BadGame
from ludus.games.calls import RULES
from ludus.kernel import COMPILED, Rules, entry, kernel, rules


def to_play(state):
    return 0


def legal(state, actions):
    return 0


def play(state, action):
    state[0] = action


def outcome(state):
    return 0


def encode(state, planes):
    planes[0, 0, 0] = 1


def heuristic(state, actions, count, weights):
    return 0.0


def symmetric_state(state, symmetry, out):
    out[0] = state[0]


def symmetric_action(state, symmetry, action):
    return action


def final_maps(state, player, maps):
    pass


def survey(state, actions, count, ranks):
    return 0.0


def foresee(state):
    return 0


def rules_with(**functions):
    return Rules("test", {**{rule: globals()[rule] for rule in RULES}, **functions})


@entry
def play_once(rules, state, action):
    rules.play(state, action)


def played(play, action=5):
    state = np.zeros(2, np.uint8)
    play_once(rules_with(play=play), state, action)
    return int(state[0])


def doubled(value):
    return 2 * value


def doubled_and_one(value):
    return doubled(value) + 1


@kernel
def tripled(value):
    """Multiply by three."""
    return 3 * value


def test_plain_helpers_compile_without_a_decorator():
    def play(state, action):
        state[0] = doubled_and_one(action)

    assert played(play) == 11


def test_helpers_of_an_imported_module_compile(monkeypatch):
    module = types.ModuleType("helpers")
    exec("LIMIT = 9\n\n\ndef capped(value):\n    return min(value, LIMIT)\n", module.__dict__)
    monkeypatch.setitem(sys.modules, "helpers", module)
    names = {}
    exec("import helpers\n\n\ndef play(state, action):\n    state[0] = helpers.capped(action) + helpers.LIMIT\n", names)
    assert played(names["play"], 50) == 18


def test_helpers_of_a_module_in_a_package_compile(monkeypatch, tmp_path):
    (tmp_path / "pieces" / "men").mkdir(parents=True)
    for name in ("__init__.py", "men/__init__.py"):
        (tmp_path / "pieces" / name).write_text("import pieces\nimport copy\n")  # packages may know themselves
    (tmp_path / "pieces" / "men" / "steps.py").write_text(
        "LIMIT = 9\n\n\ndef bounded(value):\n    return min(value, LIMIT)\n\n\n"
        "def capped(value):\n    return bounded(value)\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    names = {}
    exec(
        "import pieces.men.steps\n\n\ndef play(state, action):\n"
        "    before = state.copy()\n"
        "    state[0] = pieces.men.steps.capped(action) + pieces.men.steps.LIMIT + before[0]\n",
        names,
    )
    assert played(names["play"], 50) == 18


def test_helpers_in_a_closure_compile():
    def make(helper, step):
        def play(state, action):
            state[0] = helper(action) + step

        return play

    assert played(make(doubled, 7)) == 17


def test_kernels_are_called_by_rules_and_by_python():
    def play(state, action):
        state[0] = tripled(action)

    assert played(play) == tripled(5) == 15


def test_rules_of_two_games_do_not_mix():
    def add(state, action):
        state[0] = action + 1

    def subtract(state, action):
        state[0] = action - 1

    assert [played(add), played(subtract), played(add)] == [6, 4, 6]


def test_equal_code_has_one_key_whatever_the_name():
    one, two = rules_with(), Rules("other", {rule: globals()[rule] for rule in RULES})
    assert one.key == two.key
    assert rules_with(play=lambda state, action: None).key != one.key


def test_a_wrong_number_of_arguments_is_named_with_its_place():
    def play(state):
        pass

    with pytest.raises(
        BadGame, match=r"test: rule play\(\) takes 1 arguments; it must take 2 \(test_rules.py, line \d+\)"
    ):
        rules_with(play=play)


def test_a_rule_that_is_no_function_is_named():
    with pytest.raises(BadGame, match=r"test: rule outcome\(\) is 3; it must be a plain function"):
        rules_with(outcome=3)


def count_down(value):
    return 0 if value == 0 else 1 + count_down(value - 1)


def test_recursion_is_refused_with_the_name_of_the_function_every_time():
    def play(state, action):
        state[0] = count_down(action)

    for _ in range(2 if COMPILED else 0):
        with pytest.raises(BadGame, match=r"count_down\(\) calls itself.*rules must use loops \(test_rules.py, line"):
            rules_with(play=play)


def test_two_threads_that_load_one_helper_do_not_take_each_other_for_recursion(monkeypatch):
    def helper(value):
        return value + 1

    def play(state, action):
        state[0] = helper(action)

    def play_too(state, action):
        state[1] = helper(action)

    def slow(function):
        time.sleep(0.05)  # so that the other thread comes while this one is at work
        return clone(function)

    clone = rules._compiled_clone
    monkeypatch.setattr(rules, "_compiled_clone", slow)
    with ThreadPoolExecutor(3) as threads:
        made = list(threads.map(rules.compiled, [play, play_too, play]))
    assert made[0] is made[2] is rules.compiled(play)
    assert made[1] is rules.compiled(play_too)


def uses_unknown_attribute(state, action):
    state[0] = state.colour


def uses_unknown_name(state, action):
    state[0] = nowhere  # noqa: F821


def forgets_a_return(state):
    if state[0] == 0:
        return 1


@pytest.mark.skipif(not COMPILED, reason="nothing is compiled")
@pytest.mark.parametrize(
    ("rule", "function", "complaint"),
    [
        ("play", uses_unknown_attribute, r"does not compile: Unknown attribute 'colour' of type array\(uint8, 1d, C\)"),
        ("play", uses_unknown_name, "does not compile: NameError: name 'nowhere' is not defined"),
        ("outcome", forgets_a_return, "returns nothing on some of its paths; it must return an integer"),
        ("outcome", lambda state: 0.5, "returns float64; it must return an integer"),
    ],
)
def test_a_rule_compiled_alone_quotes_the_compiler_and_the_line(rule, function, complaint):
    rules = rules_with(**{rule: function})
    rest = (1,) if rule == "play" else ()
    with pytest.raises(BadGame, match=rf"test: rule {rule}\(\) {complaint} \(test_rules.py, line \d+\)\.$"):
        rules.compile_alone(rule, np.zeros(2, np.uint8), *rest)


@pytest.mark.skipif(not COMPILED, reason="nothing is compiled")
def test_an_entry_with_rules_that_do_not_compile_gives_one_error_message():
    with pytest.raises(BadGame, match=r"^test: the rules do not compile: .*`ludus check` names the rule\.$"):
        played(uses_unknown_attribute)
