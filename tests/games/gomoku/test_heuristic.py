"""The heuristic of Gomoku makes and stops fives, and turns threes into straight fours."""

import numpy as np
import pytest

import ludus


def judge(setup, spec="gomoku:9x9"):
    position = ludus.game(spec).start(setup)
    actions = np.array(position.actions, np.int16)
    weights = np.zeros(len(actions), np.float32)
    value = position.game.rules.heuristic(position.state, actions, len(actions), weights)
    priors = {position.text(int(action)): float(weight) for action, weight in zip(actions, weights, strict=True)}
    return priors, value


def test_a_five_is_made_before_one_is_stopped():
    four, theirs = ["c5", "d5", "e5", "f5"], ["a1", "a2", "a3", "a4"]
    priors, value = judge({"black": four, "white": theirs})
    assert max(priors, key=priors.get) in ("b5", "g5")
    assert value == 1.0
    priors, value = judge({"black": four, "white": theirs, "to_play": "white"})
    assert max(priors, key=priors.get) == "a5"
    assert value == -1.0, "player 0 sees that White wins"


def test_the_end_of_a_four_is_stopped():
    priors, _ = judge({"black": ["a5", "b5", "c5", "d5"], "white": ["i1", "i3", "g9"], "to_play": "white"})
    assert priors["e5"] > 0.5
    assert sum(priors.values()) == pytest.approx(priors["e5"], rel=0.2)


def test_an_open_three_becomes_a_straight_four():
    priors, value = judge({"black": ["d5", "e5", "f5"], "white": ["a1", "i9", "a9"]})
    assert {*sorted(priors, key=priors.get)[-2:]} == {"c5", "g5"}
    assert value == pytest.approx(0.95)


def test_forbidden_points_have_a_low_weight():
    setup = {"black": ["h9", "h10", "f8", "g8"], "white": ["a1", "a3", "a5", "a7"]}
    assert judge(setup, "gomoku:renju:15x15")[0]["h8"] < 1e-5
    assert judge(setup, "gomoku:15x15")[0]["h8"] > 0.05


def test_on_an_empty_board_the_centre_has_the_highest_weight():
    priors, value = judge(None)
    assert max(priors, key=priors.get) == "e5"
    assert value == 0.0
