"""Rules that depend on chance, a clock or earlier calls are reported as impure, whatever else they break."""

import random
import secrets
import time
from datetime import datetime

import numpy as np
import pytest
from tests.games.check.conftest import PARTS

import ludus
from ludus.games import scope
from ludus.games import tictactoe as sound
from ludus.games.check.run import check

GENERATOR = np.random.default_rng(0)


def told_by(**parts):
    """Return `law: what` for tic-tac-toe with some parts replaced."""
    breach = check(ludus.Game(**PARTS | parts), games=40).breach
    return f"{breach.law}: {breach.what}" if breach else "none"


def by_module(state):
    return 3 if random.random() < 0.01 else sound.outcome(state)


def by_numpy(state):
    return 3 if np.random.random() < 0.01 else sound.outcome(state)  # noqa: NPY002 - as authors write it


def by_generator(state):
    return 3 if GENERATOR.random() < 0.01 else sound.outcome(state)


def by_secrets(state):
    return 3 if secrets.randbelow(100) == 0 else sound.outcome(state)


def by_import(state):
    from random import random as chance

    return 3 if chance() < 0.01 else sound.outcome(state)


def is_struck():
    return random.randrange(100) == 0


def by_helper(state):
    return 3 if is_struck() else sound.outcome(state)


def by_clock(state):
    return 3 if int(time.time() * 1000) % 50 == 0 else sound.outcome(state)


def by_date(state):
    return 3 if datetime.now().microsecond % 50 == 0 else sound.outcome(state)


@pytest.mark.parametrize(
    ("outcome", "name"),
    [
        (by_module, "random"),
        (by_numpy, "np.random"),
        (by_generator, "GENERATOR"),
        (by_secrets, "secrets"),
        (by_import, "random"),
        (by_helper, "random"),
    ],
)
def test_chance_in_play_breaks_the_law_pure(outcome, name):
    function = is_struck if outcome is by_helper else outcome
    line = function.__code__.co_firstlineno + 1
    expected = f"pure: outcome() uses random numbers, `{name}` (test_purity.py, line {line}); {scope.NO_CHANCE}"
    assert told_by(outcome=outcome) == expected


@pytest.mark.parametrize(("outcome", "name"), [(by_clock, "time"), (by_date, "datetime")])
def test_a_clock_breaks_the_law_pure(outcome, name):
    line = outcome.__code__.co_firstlineno + 1
    told = told_by(outcome=outcome)
    assert told.startswith(f"pure: outcome() uses the clock, `{name}` (test_purity.py, line {line}); ")


def test_a_random_heuristic_breaks_the_law_pure():
    def heuristic(state, actions, count, weights):
        for index in range(count):
            weights[index] = random.random()
        return 0.0

    assert told_by(heuristic=heuristic).startswith("pure: heuristic() uses random numbers, `random` ")


def test_a_random_start_breaks_the_law_pure():
    def start(state):
        state[random.randrange(9)] = 1

    line = start.__code__.co_firstlineno + 1
    using = f"using random numbers, `random` (test_purity.py, line {line})"
    assert told_by(start=start).startswith(f"pure: start() writes another state each time, {using}; draw_setup() may")


def test_a_start_from_a_fixed_seed_keeps_the_law_pure():
    def start(state):
        state[np.random.default_rng(3).integers(9)] = 1
        state[9] = 1

    assert told_by(start=start) == "none"


def test_names_that_only_look_impure_keep_the_law_pure():
    def outcome(state):
        time = random = int(state[9])
        return sound.outcome(state) if time == random else 3

    assert told_by(outcome=outcome) == "none"


def test_a_rule_that_counts_its_calls_breaks_the_law_pure_and_not_the_law_legal():
    calls = []

    def legal(state, actions):
        calls.append(1)
        count = sound.legal(state, actions)
        if len(calls) % 37 == 0:
            actions[0] = 8
            actions[count - 1] = 8
        return count

    assert told_by(legal=legal).startswith("pure: ")
