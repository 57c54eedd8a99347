"""The learner learns, goes on exactly where it stopped, and says so when it cannot."""

import msgspec
import numpy as np
import pytest

import ludus
from ludus.errors import BadPreset, BadRecord
from ludus.learner.settings import LearnerSettings
from ludus.learner.train import Learner
from ludus.network.config import NetworkSettings
from ludus.store import Samples, Window

TICTACTOE = ludus.game("tictactoe")
SMALL = NetworkSettings(blocks=1, channels=8, head_channels=4)


@pytest.fixture(scope="module")
def samples(play):
    return play(["tictactoe"], 20)[1]


def learner(seed=0, games=(TICTACTOE,), **settings):
    return Learner(games, SMALL, LearnerSettings(**{"batch": 32} | settings), seed, threads=1)


def window_of(*parts, **options):
    window = Window(**options)
    for part in parts:
        window.extend(part)
    return window


def learn(pupil, samples, steps=20, seed=1, **options):
    window = samples if isinstance(samples, Window) else window_of(samples)
    return pupil.learn(window, steps=steps, progress=0.3, seed=seed, **options)


def assert_equal(one, other):
    assert one.keys() == other.keys()
    for name in one:
        assert one[name].dtype == other[name].dtype, name
        assert one[name].tobytes() == other[name].tobytes(), name


def test_the_loss_falls_on_what_it_has_seen(samples):
    pupil = learner(learning_rate=1e-2, averaging=0.9)
    first = learn(pupil, samples, 5)
    for seed in range(4):
        last = learn(pupil, samples, 40, seed=seed)
    assert first.policy > 2 > last.policy
    assert last.policy < 0.9 * first.policy
    assert last.outcome < 0.8 * first.outcome
    assert last.gradient_norm > 0
    assert (first.steps, last.steps) == (5, 40)


def test_a_single_position_is_learned_by_heart(one_sample):
    from ludus.network.evaluator import evaluate
    from ludus.network.torch import TorchEvaluator

    samples = one_sample(mover=1, outcome=2, root_value=-0.5, root_draw=0.2)
    pupil = learner(learning_rate=2e-2, averaging=0.5, value_mix=0.5)
    learn(pupil, Samples.concatenate([samples] * 8), 150)
    evaluator = TorchEvaluator(pupil.arrays(), SMALL, pupil.shapes, precision="f32")
    logits, outcomes = evaluate(evaluator, np.zeros((1, *TICTACTOE.planes), np.uint8))
    expected = np.array([0.5 + 0.5 * 0.65, 0.5 * 0.2, 0.5 * 0.15])
    np.testing.assert_allclose(outcomes[0], expected, atol=0.05)
    policy = np.exp(logits[0]) / np.exp(logits[0]).sum()
    assert policy[[1, 3, 5, 7]].sum() > 0.8, "edges of the board, whichever way it is turned"


@pytest.mark.parametrize("averaging", [0.0, 0.99])
def test_a_restored_learner_goes_on_bit_by_bit(samples, averaging):
    straight = learner(averaging=averaging)
    learn(straight, samples, seed=1)
    kept = straight.state()
    learn(straight, samples, seed=2)
    restored = learner(seed=99, averaging=averaging)
    restored.restore(kept)
    assert_equal(restored.state(), kept)
    learn(restored, samples, seed=2)
    assert_equal(restored.state(), straight.state())
    assert_equal(restored.arrays(), straight.arrays())


def test_the_state_survives_the_disk(samples, tmp_path):
    from ludus.loop.folder import Folder

    straight = learner()
    losses = learn(straight, samples)
    folder = Folder(tmp_path)
    folder.save_learner(straight.state(), 4, losses)
    loaded = folder.load_learner()
    assert loaded is not None
    assert (loaded.generation, loaded.losses) == (4, losses)
    assert_equal(loaded.arrays, straight.state())
    restored = learner(seed=5)
    restored.restore(loaded.arrays)
    learn(straight, samples, seed=2)
    learn(restored, samples, seed=2)
    assert_equal(restored.state(), straight.state())


def test_a_kept_state_does_not_change_with_the_learner(samples):
    pupil = learner()
    learn(pupil, samples, 3)
    state, arrays = pupil.state(), pupil.arrays()
    before = {name: array.copy() for name, array in (state | arrays).items()}
    learn(pupil, samples, 3)
    assert_equal(state | arrays, before)


def test_a_state_of_another_network_is_refused(samples):
    pupil = learner()
    learn(pupil, samples, 2)
    state = pupil.state()
    other = Learner([TICTACTOE], NetworkSettings(blocks=2, channels=8, head_channels=4), LearnerSettings(), 0)
    for wrong in (state, {name: array for name, array in state.items() if "policy" not in name}):
        with pytest.raises(BadRecord, match="does not fit the network"):
            other.restore(wrong)


def test_the_same_seeds_learn_the_same(samples):
    one, other, third = learner(), learner(), learner(seed=1)
    assert_equal(one.arrays(), other.arrays())
    learn(one, samples, 5)
    learn(other, samples, 5)
    assert_equal(one.state(), other.state())
    assert any((one.arrays()[name] != array).any() for name, array in third.arrays().items())


def test_the_average_follows_the_network(samples):
    pupil = learner(averaging=0.0)
    learn(pupil, samples)
    state = pupil.state()
    for name, array in pupil.arrays().items():
        np.testing.assert_array_equal(array, state[f"network/{name}"])
    pupil = learner(averaging=0.999, learning_rate=1e-2)
    start = pupil.arrays()["policy.linear.weight"]
    learn(pupil, samples, 40)
    state = pupil.state()
    average, now = state["average/policy.linear.weight"], state["network/policy.linear.weight"]
    assert 0 < np.abs(average - now).mean() < np.abs(average - start).mean(), "the first weights are soon forgotten"


def test_fewer_positions_than_a_batch_are_enough(samples):
    few = samples.take(np.arange(5))
    losses = learn(learner(batch=64), few, 3)
    assert losses.steps == 3
    assert np.isfinite([losses.policy, losses.outcome]).all()


def test_positions_without_policies_teach_the_outcome(play):
    _, samples = play(["tictactoe"], 10, full_share=0.0)
    losses = learn(learner(), samples, 10)
    assert losses.policy == 0
    assert losses.outcome > 0


def test_progress_is_reported_at_each_step(samples):
    told = []
    learn(learner(), samples, 4, on_step=lambda done, total: told.append((done, total)))
    assert told == [(1, 4), (2, 4), (3, 4), (4, 4)]


def test_training_that_diverges_says_so(samples):
    with pytest.raises(BadPreset, match=r"no number at step \d+0 of 60: lower learner.learning_rate"):
        learn(learner(learning_rate=1e18, gradient_norm=1e30), samples, 60)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("batch", 0),
        ("passes", 0.0),
        ("max_steps", 0),
        ("learning_rate", 0.0),
        ("final_learning_rate", float("nan")),
        ("weight_decay", -1.0),
        ("averaging", 1.0),
        ("value_mix", 1.5),
        ("gradient_norm", 0.0),
    ],
)
def test_a_setting_that_cannot_work_is_named(key, value):
    with pytest.raises(msgspec.ValidationError, match=key):
        msgspec.convert({key: value}, LearnerSettings)
