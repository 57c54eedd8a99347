"""Positions of a network's games against itself, as planes and legal actions."""

import numpy as np

import ludus
from ludus.network.config import Shapes
from ludus.network.evaluator import UniformEvaluator
from ludus.players.jobs.own_positions import own_positions

GAME = ludus.game("tictactoe")


class Preferring:
    """An evaluator that prefers the actions with the highest numbers, by far."""

    def __init__(self, shapes):
        self.shapes = shapes

    def lane(self, batch):
        lane = UniformEvaluator(self.shapes).lane(batch)
        lane._logits[:] = 50.0 * np.arange(self.shapes.num_actions)
        return lane


def test_positions_are_different_and_have_their_own_planes_and_legal_actions():
    states, planes, legal = own_positions(UniformEvaluator(Shapes.of(GAME)), GAME, 200)
    assert planes.shape == (200, *GAME.planes)
    assert legal.shape == (200, GAME.num_actions)
    assert len({rows.tobytes() for rows in planes}) == 200
    for state, rows, may in zip(states, planes, legal, strict=True):
        position = ludus.Position(GAME, state.view(GAME.dtype))
        assert not position.outcome
        assert (position.planes == rows).all()
        assert position.actions == np.flatnonzero(may).tolist()


def test_the_policy_plays_the_games_after_a_few_random_actions():
    found = {
        kind: [
            may for may in own_positions(kind(Shapes.of(GAME)), GAME, 500).legal if may.sum() == GAME.num_actions - 5
        ]
        for kind in (Preferring, UniformEvaluator)
    }
    assert not any(may[-1] for may in found[Preferring]), "the fifth action at the latest takes the last cell"
    assert any(may[-1] for may in found[UniformEvaluator])


def test_the_seed_chooses_the_positions():
    one, same, other = (own_positions(UniformEvaluator(Shapes.of(GAME)), GAME, 50, seed=seed) for seed in (1, 1, 2))
    assert (one.planes == same.planes).all()
    assert (one.planes != other.planes).any()


def test_random_setups_are_drawn():
    game = ludus.game("wallgame:freestyle:5x5")
    states, _, _ = own_positions(UniformEvaluator(Shapes.of(game)), game, 64)
    assert len({state.tobytes() for state in states}) == 64
