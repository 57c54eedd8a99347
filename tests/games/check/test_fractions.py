"""Rules that write fractions among integers are told so, with the line, before NumPy cuts them."""

import numpy as np
import pytest

import ludus
from ludus.games import tictactoe as sound
from ludus.games.check.guard import Fraction, Whole
from ludus.games.check.run import check

PARTS = {name: getattr(sound, name) for name in ("start", "to_play", "legal", "play", "outcome", "encode")}


def breach_of(**parts):
    """Return `law: what` of tic-tac-toe with other rules."""
    shape = {"name": "broken", "state_size": 10, "num_actions": 9, "planes": (2, 3, 3), "max_actions": 9}
    breach = check(ludus.Game(**{**shape, **PARTS, **parts}), games=20).breach
    return f"{breach.law}: {breach.what}" if breach else "none"


def halving_start(state):
    state[2] = 1 / 2


def halving_play(state, action):
    sound.play(state, action)
    state[0:3] = np.array([0.5, 1.0, 0.0])


def halving_legal(state, actions):
    actions[0] += 0.5
    return 1


@pytest.mark.parametrize(("rule", "function"), [("start", halving_start), ("play", halving_play)])
def test_a_fraction_in_the_state_breaks_the_law_returns(rule, function):
    line = function.__code__.co_firstlineno + (1 if rule == "start" else 2)
    told = f"writes 0.5 among integers (test_fractions.py, line {line}), which cuts it; write whole numbers"
    assert breach_of(**{rule: function}) == f"returns: {rule}() {told}"


def test_a_fraction_among_the_actions_breaks_the_law_returns():
    assert breach_of(legal=halving_legal).startswith("returns: legal() writes -0.5 among integers (test_fractions.py, ")


def test_floats_that_are_whole_numbers_keep_the_law_returns():
    def play(state, action):
        sound.play(state, action)
        state[9] = state[9] / 1

    assert breach_of(play=play) == "none"


@pytest.mark.parametrize("value", [0.5, -1e-9, float("nan"), float("inf"), np.float32(2.5), [1.0, 2.5]])
def test_only_whole_numbers_are_written(value):
    array = np.zeros(2, np.int64).view(Whole)
    with pytest.raises(Fraction):
        array[:] = value
    assert array.tolist() == [0, 0]


@pytest.mark.parametrize("value", [1, True, 3.0, np.float64(-2), [1.0, 2.0], np.uint64(7)])
def test_whole_numbers_are_written_as_ever(value):
    array, plain = np.zeros(2, np.int64).view(Whole), np.zeros(2, np.int64)
    array[:] = plain[:] = value
    assert array.tolist() == plain.tolist()


def counting(up, down):
    """Return rules of tic-tac-toe with one more item, which every action changes and nothing else reads."""

    def start(state):
        sound.start(state)
        state[10] = 128

    def play(state, action):
        sound.play(state, action)
        state[10] = state[10] + up - down

    return {"start": start, "play": play}


@pytest.mark.parametrize(("up", "down", "there", "instead"), [(64, 0, 0, 256), (0, 100, 184, -72)])
def test_a_count_that_leaves_its_type_breaks_the_law_returns(up, down, there, instead):
    rules = counting(up, down)
    line = rules["play"].__code__.co_firstlineno + 2
    found = f"item 10 of the state becomes {there}, not {instead} (test_fractions.py, line {line})"
    remedy = "choose a wider `dtype`, or keep the number within this one"
    told = breach_of(state_size=11, **rules)
    assert told.startswith("returns: play(")
    assert told.endswith(f") reckons beyond uint8: {found}; {remedy}")


def test_a_count_in_a_type_that_holds_it_keeps_the_law_returns():
    assert breach_of(state_size=11, dtype="int16", **counting(64, 0)) == "none"


def test_a_type_that_a_rule_takes_for_granted_is_no_count_that_leaves_it():
    def play(state, action):
        sound.play(state, action)
        state[10:12].view(np.uint16)[0] += 100  # 900 at most, in two items

    assert breach_of(state_size=12, play=play) == "none"


def test_words_of_the_widest_type_may_begin_anew():
    def play(state, action):
        sound.play(state, action)
        state[10] = state[10] * np.uint64(6364136223846793005) + np.uint64(action + 1)

    assert breach_of(state_size=11, dtype="uint64", play=play) == "none"
