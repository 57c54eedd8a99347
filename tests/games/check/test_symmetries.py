"""A broken symmetry is reported with the item of the state or the actions that break it."""

import numpy as np
import pytest
from tests.games.check.conftest import PARTS

import ludus
from ludus.games import tictactoe as sound
from ludus.games.check.run import check

MIRROR = np.array([2, 1, 0, 5, 4, 3, 8, 7, 6])  # left and right swapped
WRONG = np.array([2, 1, 0, 5, 4, 3, 8, 7, 7])  # cell 8 comes from 7 instead of 6

SWAPPED = np.array([2, 1, 0, 4, 5, 3, 8, 7, 6])  # the middle row is turned instead of mirrored


def checked(num_symmetries, symmetric_state, symmetric_action):
    """Check tic-tac-toe with these symmetries."""
    symmetries = {"symmetric_state": symmetric_state, "symmetric_action": symmetric_action}
    return check(ludus.Game(**PARTS, num_symmetries=num_symmetries, **symmetries), games=40)


def state_by(table):
    """Return a `symmetric_state` that moves the cells as a table says."""

    def symmetric_state(state, symmetry, out):
        for cell in range(9):
            out[cell] = state[table[cell]]
        out[9] = state[9]

    return symmetric_state


def action_by(table):
    """Return a `symmetric_action` that looks into a table."""

    def symmetric_action(state, symmetry, action):
        return int(table[action])

    return symmetric_action


def forget_turn(state, symmetry, out):
    for cell in range(9):
        out[cell] = state[MIRROR[cell]]
    out[9] = 0


@pytest.mark.parametrize(
    ("symmetric_state", "symmetric_action", "what"),
    [
        (state_by(WRONG), action_by(MIRROR), "item 8 of the state"),
        (forget_turn, action_by(MIRROR), "item 9 of the state becomes 0"),
        (state_by(MIRROR), action_by(WRONG), "symmetry 1: actions 7 and 8 both become 7"),
        (state_by(MIRROR), action_by(SWAPPED), " of the state becomes "),
    ],
)
def test_one_wrong_entry_of_a_table_is_named(symmetric_state, symmetric_action, what):
    breach = checked(2, symmetric_state, symmetric_action).breach
    assert breach.law == "symmetry"
    assert what in breach.what


def test_symmetries_that_are_the_same_are_noticed():
    report = checked(3, state_by(MIRROR), action_by(MIRROR))
    assert report.breach is None
    assert report.notices == [
        "symmetries 1 and 2 are the same in all positions seen; each number below num_symmetries needs a symmetry of "
        "its own"
    ]


def test_a_symmetry_that_changes_nothing_is_noticed():
    report = checked(2, state_by(np.arange(9)), action_by(np.arange(9)))
    assert report.breach is None
    assert report.notices[0].startswith("symmetry 1 changes nothing in all positions seen; ")


def test_a_rule_that_fails_in_the_symmetric_state_keeps_its_own_law():
    def legal(state, actions):
        if state[0] == 2 and state[2] == 0:
            raise ValueError("the corner")
        return sound.legal(state, actions)

    symmetries = {"symmetric_state": state_by(MIRROR), "symmetric_action": action_by(MIRROR)}
    breach = check(ludus.Game(**PARTS | {"legal": legal}, num_symmetries=2, **symmetries), games=40).breach
    assert breach.law == "runs"
    assert "legal() raises ValueError: the corner" in breach.what
