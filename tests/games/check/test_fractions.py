"""Rules that write fractions into integer arrays are reported with the line."""

import numpy as np
import pytest

import ludus
from ludus.games import tictactoe as sound
from ludus.games.check.guard import Fraction, Whole
from ludus.games.check.run import check

PARTS = {name: getattr(sound, name) for name in ("start", "to_play", "legal", "play", "outcome", "encode")}


def breach_of(**parts):
    """Return `law: what` for tic-tac-toe with some rules replaced."""
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
    told = f"writes 0.5 into an integer array (test_fractions.py, line {line}); write whole numbers"
    assert breach_of(**{rule: function}) == f"returns: {rule}() {told}"


def test_a_fraction_among_the_actions_breaks_the_law_returns():
    assert breach_of(legal=halving_legal).startswith(
        "returns: legal() writes -0.5 into an integer array (test_fractions.py, "
    )


def test_whole_floats_keep_the_law_returns():
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
def test_whole_numbers_are_written_unchanged(value):
    array, plain = np.zeros(2, np.int64).view(Whole), np.zeros(2, np.int64)
    array[:] = plain[:] = value
    assert array.tolist() == plain.tolist()


def counting(up, down):
    """Return tic-tac-toe with one more item in the state, which every action changes and no other rule reads."""

    def start(state):
        sound.start(state)
        state[10] = 128

    def play(state, action):
        sound.play(state, action)
        state[10] = state[10] + up - down

    return {"start": start, "play": play}


@pytest.mark.parametrize(("up", "down", "there", "instead"), [(64, 0, 0, 256), (0, 100, 184, -72)])
def test_an_integer_overflow_breaks_the_law_returns(up, down, there, instead):
    rules = counting(up, down)
    line = rules["play"].__code__.co_firstlineno + 2
    found = f"item 10 of the state becomes {there}, not {instead} (test_fractions.py, line {line})"
    remedy = "choose a wider `dtype`, or keep the number within this one"
    told = breach_of(state_size=11, **rules)
    assert told.startswith("returns: play(")
    assert told.endswith(f") overflows uint8: {found}; {remedy}")


def test_a_wide_enough_type_keeps_the_law_returns():
    assert breach_of(state_size=11, dtype="int16", **counting(64, 0)) == "none"


def test_a_rule_that_depends_on_the_states_type_is_not_an_overflow():
    def play(state, action):
        sound.play(state, action)
        state[10:12].view(np.uint16)[0] += 100  # up to 900, stored in two items

    assert breach_of(state_size=12, play=play) == "none"


def test_64_bit_words_may_wrap():
    def play(state, action):
        sound.play(state, action)
        state[10] = state[10] * np.uint64(6364136223846793005) + np.uint64(action + 1)

    assert breach_of(state_size=11, dtype="uint64", play=play) == "none"
