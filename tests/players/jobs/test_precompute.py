"""Precomputing fills an evaluation file level by level, with each position once."""

import numpy as np

import ludus
from ludus.games.behaviour import behaviour
from ludus.network.checkpoint import Checkpoint, ModelInfo
from ludus.network.config import NetworkSettings, Shapes
from ludus.network.evaluator import UniformEvaluator
from ludus.players.jobs.precompute import Plan, precompute
from ludus.players.thinking.mind import Mind

GAME = ludus.game("tictactoe")


def mind():
    described = ModelInfo("plain", NetworkSettings(), Shapes.of(GAME), {"tictactoe": behaviour(GAME)})
    return Mind(Checkpoint(described, {"stem": np.ones(1, np.float32)}), UniformEvaluator(Shapes.of(GAME)))


def test_an_opening_tree_has_each_position_once(tmp_path):
    told = []
    thinker = mind()
    with thinker.attach(tmp_path / "t.ev", "append") as file:
        count = precompute(thinker, [GAME.start()], Plan(visits=60, depth=2, share=0.0, at_once=8), told.append)
        thinker.close()
        assert len(file) > 82
    assert [each.total for each in told if each.done == 1] == [1, 9, 72]
    assert [each.level for each in told if each.done == each.total] == [0, 1, 2]
    assert count == 82


def test_only_often_visited_actions_are_followed(tmp_path):
    told = []
    thinker = mind()
    thinker.attach(tmp_path / "t.ev", "append")
    precompute(thinker, [GAME.start()], Plan(visits=200, depth=1, share=0.99), told.append)
    thinker.close()
    assert told[-1].total == 1, "only the most visited action"


def test_a_second_run_adds_nothing(tmp_path):
    sizes = []
    for _ in range(2):
        thinker = mind()
        file = thinker.attach(tmp_path / "t.ev", "append")
        precompute(thinker, [GAME.start(), GAME.start().play(4)], Plan(visits=50, at_once=1), lambda done: None)
        sizes.append(len(file))
        thinker.close()
    assert sizes[0] > 20
    assert sizes[1] <= sizes[0] + 3
