"""The heuristic of the Wall Game: steps, bottlenecks, and the value."""

import numpy as np
import pytest

import ludus
from ludus.games.wallgame.heuristic import STEPS_SHARE


def judge(position):
    """Return the prior of each action, by its text, and the value."""
    actions = np.array(position.actions, np.int16)
    weights = np.zeros(len(actions), np.float32)
    with np.errstate(over="ignore"):
        value = position.game.rules.heuristic(position.state, actions, len(actions), weights)
    return {position.text(int(action)): float(weight) for action, weight in zip(actions, weights, strict=True)}, value


def test_priors_are_shared_between_steps_and_walls(any_board, walks, rng):
    for position in walks(any_board, rng, 20):
        priors, value = judge(position)
        steps = sum(prior for text, prior in priors.items() if text[0] in "CM")
        walls = sum(prior for text, prior in priors.items() if text[0] in ">^")
        assert steps == pytest.approx(STEPS_SHARE if steps else 0.0, abs=1e-4)
        assert walls == pytest.approx(1 - STEPS_SHARE if walls else 0.0, abs=1e-4)
        assert -1.0 <= value <= 1.0


def test_walls_are_preferred_where_the_opponent_has_only_one_shortest_path():
    pawns = {"p1": {"cat": [0, 0], "home": [0, 4]}, "p2": {"cat": [4, 0], "home": [4, 4]}}
    priors, _ = judge(ludus.game("wallgame:classic:5x5").start({"pawns": pawns, "walls": []}))
    in_the_way = {">a1", ">b1", ">c1", ">d1"}
    others = {text for text in priors if text[0] in ">^"} - in_the_way
    assert min(priors[text] for text in in_the_way) > 40 * max(priors[text] for text in others)


def test_walls_on_both_of_two_shortest_paths_have_a_high_weight():
    pawns = {"p1": {"cat": [0, 0], "home": [0, 4]}, "p2": {"cat": [3, 3], "home": [4, 4]}}
    priors, _ = judge(ludus.game("wallgame:classic:5x5").start({"pawns": pawns, "walls": []}))
    assert len({priors[text] for text in ("^d1", ">d2", ">d1", "^e1")}) == 1
    assert priors["^d1"] > 8 * priors[">a1"]


def test_a_cat_prefers_the_steps_of_a_shortest_path():
    walls = [{"cell": [1, 0], "orientation": "vertical"}]
    pawns = {"p1": {"cat": [1, 0], "home": [1, 4]}, "p2": {"cat": [0, 4], "home": [4, 4]}}
    priors, _ = judge(ludus.game("wallgame:classic:5x5").start({"pawns": pawns, "walls": walls}))
    assert priors["Ca5"] == priors["Ca3"]
    astray, _ = judge(ludus.game("wallgame:classic:5x5").start({"pawns": pawns, "walls": []}))
    assert astray["Cb4"] == pytest.approx(10 * astray["Ca5"], rel=1e-3)


def test_a_mouse_prefers_to_step_away_from_the_cat():
    pawns = {"p1": {"cat": [0, 0], "mouse": [2, 2]}, "p2": {"cat": [2, 0], "mouse": [4, 4]}}
    priors, _ = judge(ludus.game("wallgame:standard:5x5").start({"pawns": pawns, "walls": []}))
    assert priors["Md3"] > priors["Mb3"]


def test_the_nearer_cat_is_ahead_for_either_mover():
    pawns = {"p1": {"cat": [2, 3], "home": [7, 7]}, "p2": {"cat": [0, 7], "home": [7, 0]}}
    position = ludus.game("wallgame:classic:8x8").start({"pawns": pawns, "walls": []})
    assert judge(position)[1] > 0.5
    assert judge(position.play(">a1.>a2"))[1] > 0.2


def test_a_cat_that_can_reach_its_goal_now_has_the_highest_value():
    pawns = {"p1": {"cat": [0, 0], "home": [7, 7]}, "p2": {"cat": [6, 1], "home": [7, 0]}}
    position = ludus.game("wallgame:classic:8x8").start({"pawns": pawns, "walls": []}).play(">g2.>g1")
    assert judge(position)[1] == -1.0


def test_priors_of_a_cat_on_its_goal_do_not_depend_on_uninitialised_memory(answers_on_dirty_memory):
    priors = answers_on_dirty_memory(judge)
    assert priors[0] == priors[1]
