"""Checks of `start` with nonsense setups, and of arrays that are too small."""

import re

import numpy as np
import pytest

import ludus
from ludus.errors import BadNotation
from ludus.games import tictactoe as sound
from ludus.games.check.laws import check_refusal
from ludus.games.check.run import check

PARTS = {name: getattr(sound, name) for name in ("start", "to_play", "legal", "play", "outcome", "encode")}


def breach_of(**parts):
    """Return `law: what` for tic-tac-toe with some rules replaced."""
    shape = {"name": "broken", "state_size": 10, "num_actions": 9, "planes": (2, 3, 3), "max_actions": 9}
    breach = check(ludus.Game(**{**shape, **PARTS, **parts}), games=20).breach
    return f"{breach.law}: {breach.what}" if breach else "none"


def start_from(state, setup=None):
    if setup is not None:
        state[int(setup)] = 1


def start_politely_from(state, setup=None):
    if setup is not None:
        try:
            state[int(setup)] = 1
        except (TypeError, ValueError, IndexError) as error:
            raise BadNotation(f"{setup!r} names no cell.") from error


def test_a_start_that_crashes_on_nonsense_breaks_the_law_setup():
    line = start_from.__code__.co_firstlineno + 2
    what = f"start() raises ValueError on the setup '' (test_refusals.py, line {line}); it must raise"
    assert breach_of(start=start_from).startswith(f"setup: {what} ludus.errors.BadNotation")


def test_a_start_that_refuses_nonsense_keeps_the_laws():
    assert breach_of(start=start_politely_from) == "none"


@pytest.mark.parametrize("spec", ["connect4", "wallgame:freestyle:12x10", "chess", "chess:960", "go:9x9", "gomoku:9x9"])
def test_no_built_in_game_crashes_on_an_invalid_setup(spec):
    check_refusal(ludus.game(spec))


def write_far(state, planes):
    planes[0, 5, 0] = 1


def play_far(state, action):
    state[40] = 1


def play_below_zero(state, action):
    state[action] = -1


def start_too_high(state):
    state[0] = 999


def own_table(state):
    return int(np.zeros(3, np.int64)[7 + state[0]])


@pytest.mark.parametrize(
    ("parts", "remedy"),
    [
        ({"max_legal": 4}, "`actions` has room for max_legal, 4"),
        ({"encode": write_far}, "the planes are (2, 3, 3)"),
        ({"play": play_far}, "the state has 10 items, as state_size says, and zeros up to 16"),
        ({"play": play_below_zero}, "the state's items are uint8; choose another `dtype`"),
        ({"start": start_too_high}, "the state's items are uint8; choose another `dtype`"),
    ],
)
def test_an_index_out_of_bounds_is_reported_with_the_declared_size(parts, remedy):
    assert re.fullmatch(rf"runs: .* \(\w+\.py, line \d+\); {re.escape(remedy)}", breach_of(**parts))


def test_an_index_outside_an_authors_own_table_is_reported_with_the_line_only():
    line = own_table.__code__.co_firstlineno + 1
    found = breach_of(to_play=own_table)
    assert found.endswith(f"index 7 is out of bounds for axis 0 with size 3 (test_refusals.py, line {line})")
