"""Compiled and plain rules that differ are reported as that, with the line, the numbers and the remedy."""

import numpy as np
import pytest
from tests.games.check.conftest import PARTS

import ludus
from ludus.games import tictactoe as sound
from ludus.games.check.examine import Walk
from ludus.games.check.explain import differing
from ludus.games.check.guard import Guarded
from ludus.games.check.overflow import CONVERT
from ludus.games.check.run import check
from ludus.kernel import COMPILED


def checked(**parts):
    """Check tic-tac-toe with some parts replaced."""
    return check(ludus.Game(**PARTS | parts), games=40)


def told_by(**parts):
    """Return `law: what` for tic-tac-toe with some parts replaced."""
    breach = checked(**parts).breach
    return f"{breach.law}: {breach.what}" if breach else "none"


def heuristic_of(difference):
    """Return a heuristic whose value depends on the difference of the first two cells."""

    def heuristic(state, actions, count, weights):
        for index in range(count):
            weights[index] = 1.0
        return 0.9 if difference(state) > 250 else 0.0

    return heuristic


def narrow(state):
    return state[0] - 1  # -1 in machine code, 255 in plain Python


@pytest.mark.skipif(not COMPILED, reason="without the compiler there is nothing to compare")
def test_a_value_that_wraps_in_plain_python_only_breaks_the_law_twin():
    line = narrow.__code__.co_firstlineno + 1
    found = f"`state[0] - 1` is 0 - 1, which overflows uint8 and becomes 255 (test_twin.py, line {line})"
    told = "heuristic() differs between compiled and plain rules: its value is 0.0 and 0.9"
    assert told_by(heuristic=heuristic_of(narrow)) == f"twin: {told}; {found}: {CONVERT}"


@pytest.mark.skipif(not COMPILED, reason="without the compiler there is nothing to compare")
def test_a_compiled_rule_that_breaks_another_law_breaks_the_law_twin_if_plain_rules_keep_it():
    def outcome(state):
        return 7 if state[0] - 1 < 0 and state[4] == 1 else sound.outcome(state)

    told = told_by(outcome=outcome)
    assert told.startswith(
        "twin: outcome() differs between compiled and plain rules: 7 and 0; `state[0] - 1` is 0 - 1, "
    )
    assert told.endswith(CONVERT)


@pytest.mark.skipif(not COMPILED, reason="without the compiler there is nothing to compare")
def test_float_arithmetic_of_different_widths_breaks_the_law_twin_with_the_remedy():
    def heuristic(state, actions, count, weights):
        for index in range(count):
            weights[index] = 1.1
        return weights[0] * 0.1  # 32 bits in plain Python, 64 in machine code

    told = told_by(heuristic=heuristic)
    assert told.startswith("twin: heuristic() differs between compiled and plain rules: its value is 0.11")
    assert "; convert small integers with int(...) before you calculate, 32-bit floats with float(...)" in told


@pytest.mark.skipif(not COMPILED, reason="without the compiler there is nothing to compare")
def test_a_game_of_compiled_rules_alone_is_played_again_by_the_plain_ones():
    game = ludus.Game(**PARTS, heuristic=heuristic_of(narrow))
    compiled, plain = Guarded(game, compiled=True), Guarded(game, compiled=False)
    walk = Walk(start=plain.start(), actions=[4, 5])
    with np.errstate(over="ignore"):
        assert differing(compiled, plain, walk).broken.law == "twin"
    sound_game = ludus.Game(**PARTS)
    compiled, plain = Guarded(sound_game, compiled=True), Guarded(sound_game, compiled=False)
    assert differing(compiled, plain, walk) is None


def test_converted_numbers_keep_the_law_twin():
    assert told_by(heuristic=heuristic_of(lambda state: int(state[0]) - int(state[1]))) == "none"


def test_an_overflow_in_both_forms_is_noticed():
    def outcome(state):
        return 3 if state[0] - state[1] > 100 else sound.outcome(state)

    report = checked(outcome=outcome)
    line = outcome.__code__.co_firstlineno + 1
    assert report.breach is None
    assert report.notices[0].startswith("`state[0] - state[1]` is ")
    assert report.notices[0].endswith(f" (test_twin.py, line {line}): {CONVERT}")


def test_an_overflow_of_a_sum_is_noticed_in_a_game_of_small_items():
    def outcome(state):
        return 3 if state[:3].sum() - state[3:6].sum() > 100 else sound.outcome(state)

    notice = checked(outcome=outcome).notices[0]
    assert notice.startswith("`state[:3].sum() - state[3:6].sum()` is ")
    assert ", which overflows uint64 and becomes 184467440737095516" in notice


def test_words_may_overflow_in_a_game_of_words():
    def outcome(state):
        return 3 if state[0] - state[1] > 100 and state[0] > 100 else sound.outcome(state)

    assert checked(outcome=outcome, dtype="uint64").notices == []


def test_an_overflow_that_leads_to_an_illegal_value_is_named_with_it():
    def heuristic(state, actions, count, weights):
        for index in range(count):
            weights[index] = 1.0
        return 0.5 * (state[0] - state[1])

    told = told_by(heuristic=heuristic)
    line = heuristic.__code__.co_firstlineno + 3
    assert told.startswith("heuristic: heuristic() returns the value 127")
    assert (
        f"; before, `state[0] - state[1]` is 0 - 1, which overflows uint8 and becomes 255 (test_twin.py, line {line})"
        in told
    )


def test_sound_rules_cause_no_notice():
    assert checked().notices == []
