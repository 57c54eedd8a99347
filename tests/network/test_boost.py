"""Boosted priors are the network's priors plus an addition for one class of actions."""

import numpy as np
import pytest

import ludus
from ludus.errors import BadPreset
from ludus.network.boost import BoostedEvaluator, BoostSettings
from ludus.network.config import Shapes
from ludus.network.evaluator import NullEvaluator, evaluate

SHAPES = Shapes(planes=(1, 2, 2), plane_scale=(1.0,), num_actions=6)
PLANES = np.zeros((8, *SHAPES.planes), np.uint8)


def priors(logits):
    weights = np.exp(logits.astype(float))
    return weights / weights.sum(-1, keepdims=True)


def test_a_prior_is_raised_by_the_given_amount_and_all_are_normalized():
    plain, outcomes = evaluate(NullEvaluator(SHAPES), PLANES)
    boosted, same = evaluate(BoostedEvaluator(NullEvaluator(SHAPES), [1, 4], 0.2), PLANES)
    expected = priors(plain)
    expected[:, [1, 4]] += 0.2
    np.testing.assert_allclose(priors(boosted), expected / expected.sum(1, keepdims=True), atol=1e-6)
    assert np.array_equal(outcomes, same)


def test_among_legal_actions_the_shares_are_those_of_the_seed():
    class Certain(NullEvaluator):
        def __init__(self):
            super().__init__(SHAPES)
            self._logits = np.full((64, 6), -40.0, np.float32)  # actions 2, 3, 5 are not legal
            self._logits[:, [0, 1, 4]] = np.log([0.7, 0.3, 1e-9])

    boosted, _ = evaluate(BoostedEvaluator(Certain(), [4, 5], 0.2), PLANES)
    np.testing.assert_allclose(priors(boosted[:, [0, 1, 4]])[0], np.array([0.7, 0.3, 0.2]) / 1.2, atol=1e-6)


def test_rows_beyond_the_batch_are_ignored_and_lanes_are_reused():
    plain, boosted = NullEvaluator(SHAPES).lane(8), BoostedEvaluator(NullEvaluator(SHAPES), [0], 0.5).lane(8)
    assert boosted.planes.shape == plain.planes.shape
    for count in (3, 5):
        for lane in (plain, boosted):
            lane.submit(count)
        found, expected = boosted.answer()[0], plain.answer()[0]
        assert np.array_equal(found[:count, 1:], expected[:count, 1:])
        assert (found[:count, 0] > expected[:count, 0]).all()


def test_a_boost_holds_for_its_generations():
    boost = BoostSettings(actions="mouse", first_generation=37, last_generation=39)
    assert [generation for generation in range(50) if boost.boosts(generation)] == [37, 38, 39]
    assert not BoostSettings().boosts(1)
    assert [generation for generation in range(9) if BoostSettings(actions="mouse").boosts(generation)] == [1]


def test_classes_are_the_games_own():
    game = ludus.game("wallgame:standard:4x3")
    position = game.start()
    mouse = BoostSettings(actions="mouse").chosen(game.action_classes)
    texts = {game.action_text(position.state, action)[0] for action in position.actions if action in mouse}
    assert texts == {"M"}
    with pytest.raises(BadPreset, match="declares are: cat, mouse"):
        BoostSettings(actions="mice").chosen(game.action_classes)


@pytest.mark.parametrize(
    ("fault", "sentence"),
    [
        ({"prior": 0.0}, r"prior must be above 0\.0 and at most 1\.0, and is 0\.0"),
        ({"first_generation": 3, "last_generation": 2}, "last_generation must be no smaller than first_generation"),
    ],
)
def test_an_empty_boost_is_rejected(fault, sentence):
    with pytest.raises(ValueError, match=f"^{sentence}$"):
        BoostSettings(**fault)
