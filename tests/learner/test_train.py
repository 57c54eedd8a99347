"""The learner learns, continues exactly where it stopped, and reports errors."""

import itertools

import msgspec
import numpy as np
import pytest
import torch

import ludus
from ludus.errors import BadPreset, BadRecord
from ludus.learner.settings import LearnerSettings
from ludus.learner.team import Team
from ludus.learner.train import Learner
from ludus.network.config import NetworkSettings
from ludus.network.model import Network
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


def test_the_loss_falls_on_training_games(samples):
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
    assert policy[[1, 3, 5, 7]].sum() > 0.8, "the edges of the board are images of each other"


@pytest.mark.parametrize(
    "options",
    [
        {"averaging": 0.0},
        {"optimiser": "sgd", "learning_rate": 0.05, "decay": "l2"},
        {"schedule": "one-cycle"},
        {"schedule": "plateau", "plateau_patience": 1, "validation": 0.3},
    ],
    ids=str,
)
def test_a_restored_learner_continues_with_equal_bits(samples, options):
    straight = learner(**options)
    learn(straight, samples, seed=1)
    kept = straight.state()
    learn(straight, samples, seed=2)
    restored = learner(seed=99, **options)
    restored.restore(kept)
    assert_equal(restored.state(), kept)
    learn(restored, samples, seed=2)
    assert_equal(restored.state(), straight.state())
    assert_equal(restored.arrays(), straight.arrays())


def test_dropout_changes_training_and_is_repeated_by_a_restored_learner(samples):
    plain, dropping = learner(), learner(dropout=0.5)
    assert_equal(plain.state(), dropping.state())
    kept = dropping.state()
    learn(plain, samples, seed=1)
    torch.rand(7)  # other draws in between
    learn(dropping, samples, seed=1)
    assert plain.arrays()["policy.linear.weight"].tobytes() != dropping.arrays()["policy.linear.weight"].tobytes()
    restored = learner(seed=99, dropout=0.5)
    restored.restore(kept)
    learn(restored, samples, seed=1)
    assert_equal(restored.state(), dropping.state())


def test_dropout_scales_up_the_features_that_it_keeps():
    network = Network(SMALL, learner().shapes).train()
    network.drop_out(0.5)
    features = torch.ones(200, SMALL.head_channels * 9)
    dropped = network.policy.dropout(features)
    assert set(dropped.unique().tolist()) == {0.0, 2.0}
    assert torch.equal(network.eval().policy.dropout(features), features)


def test_the_state_survives_the_disk(samples, tmp_path):
    from ludus.loop.directory.folder import Folder

    straight = learner()
    losses = learn(straight, samples)
    folder = Folder(tmp_path)
    folder.save_learner(straight.state(), 4, losses)
    loaded = folder.load_learner()
    assert loaded is not None
    assert (loaded.generation, loaded.losses) == (4, msgspec.structs.replace(losses, data_wait_share=0.0))
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


@pytest.mark.parametrize(("old", "new"), [*itertools.permutations(["adamw", "sgd"])])
def test_a_state_of_another_optimiser_is_refused(samples, old, new):
    pupil = learner(optimiser=old)
    learn(pupil, samples, 2)
    with pytest.raises(BadRecord, match="does not match the network or optimiser"):
        learner(optimiser=new).restore(pupil.state())


def test_a_state_of_another_network_is_refused(samples):
    pupil = learner()
    learn(pupil, samples, 2)
    state = pupil.state()
    other = Learner([TICTACTOE], NetworkSettings(blocks=2, channels=8, head_channels=4), LearnerSettings(), 0)
    for wrong in (state, {name: array for name, array in state.items() if "policy" not in name}):
        with pytest.raises(BadRecord, match="does not match the network"):
            other.restore(wrong)


def test_the_same_seeds_learn_the_same(samples):
    one, other, third = learner(), learner(), learner(seed=1)
    assert_equal(one.arrays(), other.arrays())
    learn(one, samples, 5)
    learn(other, samples, 5)
    assert_equal(one.state(), other.state())
    assert any((one.arrays()[name] != array).any() for name, array in third.arrays().items())


def test_the_average_follows_the_network(samples):
    pupil = learner(averaging=0.0, batch_norm_batches=0)
    learn(pupil, samples)
    state = pupil.state()
    for name, array in pupil.arrays().items():
        if not name.endswith("num_batches_tracked"):
            np.testing.assert_array_equal(array, state[f"network/{name}"])
    pupil = learner(averaging=0.999, learning_rate=1e-2)
    start = pupil.arrays()["policy.linear.weight"]
    learn(pupil, samples, 40)
    state = pupil.state()
    average, now = state["average/policy.linear.weight"], state["network/policy.linear.weight"]
    assert 0 < np.abs(average - now).mean() < np.abs(average - start).mean(), "early weights are soon forgotten"


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


def test_steps_use_new_positions_so_many_times():
    assert learner(batch=32, passes=4.0, validation=0.0).steps_for(800) == 100
    assert learner(batch=32, passes=4.0, validation=0.5).steps_for(800) == 50
    assert learner(batch=32, max_steps=7).steps_for(10**6) == 7
    assert learner(batch=512).steps_for(3) == 1


def test_positions_of_a_small_weight_ask_for_few_steps():
    assert learner(batch=32, passes=4.0, validation=0.0).steps_for(400 + 0.1 * 400) == 55
    assert LearnerSettings(batch=32, passes=4.0, validation=0.0, max_steps=7).steps_asked(800) == 100, "unlimited"


def test_held_out_games_are_not_trained_on(samples):
    pupil = learner(validation=0.3, learning_rate=1e-2, averaging=0.9)
    window = pupil.window()
    window.extend(samples)
    for seed in range(6):
        losses = learn(pupil, window, 60, seed=seed)
    assert losses.validation_policy is not None
    assert losses.validation_outcome is not None
    assert losses.validation_outcome > losses.outcome + 0.1, "only the trained games are overfitted"
    assert learn(pupil, samples, 1).validation_outcome is None


def test_validation_uses_the_averaged_weights(samples):
    from ludus.learner.batch import Drawer
    from ludus.network.evaluator import evaluate
    from ludus.network.torch import TorchEvaluator
    from ludus.seeding import stream

    pupil = learner(validation=0.3, batch=512, batch_norm_batches=0)
    window = pupil.window()
    window.extend(samples)
    losses = learn(pupil, window, 5, seed=7)
    places = window.validation(10**6, stream(7, "validation"))
    assert 0 < len(places) < len(samples)
    batch = Drawer([TICTACTOE], window, value_mix=0.5).draw(places, stream(7, "settle"))
    logits, chances = evaluate(TorchEvaluator(pupil.arrays(), SMALL, pupil.shapes, precision="f32"), batch.planes)
    shares = np.exp(logits - logits.max(1, keepdims=True))
    shares /= shares.sum(1, keepdims=True)
    policy = -(batch.policy * np.log(shares)).sum() / batch.policy.sum()
    outcome = -(batch.outcome * np.log(chances)).sum(1).mean()
    assert losses.validation_policy == pytest.approx(policy, rel=1e-4)
    assert losses.validation_outcome == pytest.approx(outcome, rel=1e-4)


def test_portions_take_the_steps_of_one_generation(samples):
    whole, portions = learner(schedule="one-cycle"), learner(schedule="one-cycle")
    told = []
    window = window_of(samples, validation=0.3)
    for done in (0, 8, 16):
        losses = learn(portions, window, 8, seed=done, done=done, of=24, on_step=lambda *step: told.append(step))
        assert (losses.validation_outcome is None) == (done < 16)
    assert told == [(step, 24) for step in range(1, 25)]
    learn(whole, samples, 24)
    assert portions.state()["num_steps"] == whole.state()["num_steps"] == 24
    assert (portions.state()["plateau"] != learner().state()["plateau"]).any()


def test_a_window_may_grow_between_portions(play):
    _, samples = play(["tictactoe"], 20)
    ends = np.flatnonzero(np.diff(samples.game_id)) + 1
    parts = [samples.take(rows) for rows in np.split(np.arange(len(samples)), ends[[4, 9, 14]])]
    pupil = learner()
    window = window_of(parts[0])
    for number, part in enumerate(parts[1:]):
        losses = learn(pupil, window, 5, done=5 * number, of=15)
        window.extend(part)
    assert losses.steps == 5
    assert len(window) == len(samples)


def test_the_report_describes_the_network_and_its_targets(samples):
    losses = learn(learner(learning_rate=1e-6, warm_up=0), samples, 20)
    taught = samples.take(np.flatnonzero(np.diff(samples.policy_start) > 0))
    share = taught.policy_weight.astype(float)
    entropy = -(share * np.log(share)).sum() / len(taught)
    assert losses.target_entropy == pytest.approx(entropy, rel=0.1)
    assert losses.policy_entropy == pytest.approx(np.log(9), rel=0.1), "an untrained network plays nearly at random"
    assert losses.policy > losses.target_entropy
    assert abs(losses.value_mean) <= 1
    assert 0 < losses.value_std < 1
    assert 0 <= losses.data_wait_share < 1


@pytest.mark.full
def test_auxiliary_heads_learn_and_are_reported(play):
    import msgspec.structs

    heads = ("reply", "short_values", "moves_left", "maps")
    games, samples = play(["connect4"], 12)
    network = msgspec.structs.replace(SMALL, auxiliary=heads)
    pupil = Learner(games, network, LearnerSettings(batch=64, learning_rate=1e-2), 0, threads=1)
    first = learn(pupil, samples, 5)
    last = learn(pupil, samples, 60, seed=2)
    assert first.auxiliary.keys() == set(heads)
    for name in heads:
        assert last.auxiliary[name] < first.auxiliary[name], name


def test_cells_outside_the_board_have_no_loss_of_final_maps(play, monkeypatch):
    games, samples = play(["connect4"], 12)
    bottom = torch.zeros(1, 1, 6, 7, device=Team().device)
    bottom[:, :, -1] = 1.0  # treat only this row, which games fill, as the board
    monkeypatch.setattr(Network, "mask", lambda _network, planes: bottom.expand(len(planes), -1, -1, -1))
    network = msgspec.structs.replace(SMALL, auxiliary=("maps",))
    pupil = Learner(games, network, LearnerSettings(batch=64), 0, threads=1)
    head = pupil._network.auxiliary["maps"]
    with torch.no_grad():
        head.weight.fill_(0.0)
        head.bias.fill_(-4.0)  # predict "nobody's" everywhere, which costs 4 per wrong cell
    assert learn(pupil, samples, 1).auxiliary["maps"] > 1.8, "half of the cells of each map are wrong"


def test_weights_of_zero_leave_a_head_alone(samples):
    from ludus.learner.settings import LossWeights

    pupil = learner(weights=LossWeights(outcome=0.0), weight_decay=0.0)
    before = pupil.state()["network/outcome.linear.weight"]
    learn(pupil, samples, 3)
    assert (pupil.state()["network/outcome.linear.weight"] == before).all()
    assert (pupil.state()["network/policy.linear.bias"] != learner().state()["network/policy.linear.bias"]).any()


def test_a_frozen_body_stays_as_it_is_while_the_heads_learn(samples):
    pupil = learner(learning_rate=1e-2)
    learn(pupil, samples, 5)
    before = pupil.state()
    learn(pupil, samples, 5, heads_only=True)
    after = pupil.state()
    changed = {name for name in after if (after[name] != before[name]).any() and name.startswith("network/")}
    assert {name.split("/")[1].split(".")[0] for name in changed} == {"policy", "outcome"}
    assert pupil.arrays()["policy.convolution.1.running_mean"].any()
    for name in ("stem.1.running_var", "blocks.0.first.1.running_mean"):
        np.testing.assert_array_equal(after[f"network/{name}"], before[f"network/{name}"])
    learn(pupil, samples, 5, seed=3)
    assert (pupil.state()["network/stem.0.weight"] != before["network/stem.0.weight"]).any(), "the body learns again"


def test_a_scalar_value_learns_too(samples):
    network = NetworkSettings(blocks=1, channels=8, head_channels=4, value="scalar")
    pupil = Learner([TICTACTOE], network, LearnerSettings(batch=32, learning_rate=1e-2, averaging=0.9), 0, threads=1)
    first = learn(pupil, samples, 5)
    for seed in range(3):
        last = learn(pupil, samples, 40, seed=seed)
    assert last.outcome < 0.8 * first.outcome < 2.0
    assert last.value_std > 0.1


def test_sgd_learns_too(samples):
    pupil = learner(optimiser="sgd", learning_rate=2e-2, averaging=0.9)
    first = learn(pupil, samples, 5)
    for seed in range(3):
        last = learn(pupil, samples, 40, seed=seed)
    assert last.policy < 0.95 * first.policy
    assert last.outcome < 0.9 * first.outcome


def test_progress_is_reported_at_each_step(samples):
    told = []
    learn(learner(), samples, 4, on_step=lambda done, total: told.append((done, total)))
    assert told == [(1, 4), (2, 4), (3, 4), (4, 4)]


def test_diverging_training_is_reported(samples):
    with pytest.raises(BadPreset, match=r"NaN or infinite at step \d+0 of 60: lower learner.learning_rate"):
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
        ("momentum", 1.0),
        ("validation", 0.9),
        ("surprise", -0.1),
        ("plateau_factor", 1.0),
        ("warm_up", -1),
        ("weights", {"reply": -1.0}),
    ],
)
def test_an_unusable_setting_is_reported(key, value):
    with pytest.raises(msgspec.ValidationError, match=next(iter(value)) if isinstance(value, dict) else key):
        msgspec.convert({key: value}, LearnerSettings)
