"""Training batches show positions as the rules encode them, turned as the symmetries say, with targets of the mover."""

import numpy as np
import pytest

import ludus
from ludus.learner.batch import Drawer
from ludus.store import Samples, Window

TICTACTOE = ludus.game("tictactoe")
SQUARE, OBLONG = "wallgame:classic:6x6", "wallgame:classic:5x6@6x6"


def draw_batch(games, samples, places, value_mix, rng, **options):
    window = Window()
    window.extend(samples)
    return Drawer(games, window, value_mix=value_mix, **options).draw(places, rng)


def turned(game, samples, index, symmetry):
    """Return planes and policy of a position under a symmetry, from the rules alone."""
    state = samples.states[index].view(game.dtype)
    out, planes, policy = game.empty_state(), np.zeros(game.planes, np.uint8), np.zeros(game.num_actions, np.float32)
    out[:] = state
    pairs = slice(samples.policy_start[index], samples.policy_start[index + 1])
    with np.errstate(over="ignore"):
        if symmetry:
            game.rules.symmetric_state(state, symmetry, out)
        game.rules.encode(out, planes)
        for action, weight in zip(samples.policy_action[pairs], samples.policy_weight[pairs], strict=True):
            policy[int(game.rules.symmetric_action(state, symmetry, int(action))) if symmetry else action] += weight
    return planes, policy


def symmetries_of_rows(games, samples, indices, batch):
    """Return for each row which symmetries explain both its planes and its policy; fail if none does."""
    explained = []
    for row, index in enumerate(indices):
        game = games[int(samples.game[index])]
        fits = [
            symmetry
            for symmetry in range(game.num_symmetries)
            for planes, policy in [turned(game, samples, index, symmetry)]
            if (planes == batch.planes[row]).all() and np.allclose(policy, batch.policy[row])
        ]
        assert fits, f"row {row} is no image of its position"
        explained.append(fits)
    return explained


@pytest.mark.parametrize(
    ("specs", "num_games"),
    [(["tictactoe"], 12), (["connect4"], 3), ([SQUARE, OBLONG], 2)],
    ids=["tictactoe", "connect4", "two boards"],
)
def test_a_row_is_the_encoding_of_the_symmetric_position(play, specs, num_games):
    games, samples = play(specs, num_games)
    rng = np.random.default_rng(2)
    indices = rng.integers(0, len(samples), 60)
    batch = draw_batch(games, samples, indices, 0.5, rng)
    explained = symmetries_of_rows(games, samples, indices, batch)
    certain = {fits[0] for fits in explained if len(fits) == 1}
    assert len(certain) == max(game.num_symmetries for game in games), "every symmetry is drawn"


def test_boards_of_one_run_keep_to_their_own_symmetries(play):
    games, samples = play([SQUARE, OBLONG], 2)
    assert [game.num_symmetries for game in games] == [8, 4]
    oblong = np.flatnonzero(samples.game == 1)
    batch = draw_batch(games, samples, oblong, 0.5, np.random.default_rng(0))
    symmetries_of_rows(games, samples, oblong, batch)


def test_policies_sum_to_one_or_to_nothing(play):
    games, samples = play(["connect4"], 6)
    batch = draw_batch(games, samples, np.arange(len(samples)), 0.5, np.random.default_rng(0))
    taught = np.diff(samples.policy_start) > 0
    assert 0 < taught.mean() < 1
    np.testing.assert_allclose(batch.policy.sum(1), taught, atol=1e-5)
    np.testing.assert_allclose(batch.outcome.sum(1), 1, atol=1e-5)
    assert batch.outcome.min() >= -1e-6


WON, DRAWN, LOST = (1, 0, 0), (0, 1, 0), (0, 0, 1)


@pytest.mark.parametrize(
    ("mover", "outcome", "expected"),
    [(0, 1, WON), (0, 2, LOST), (0, 3, DRAWN), (1, 1, LOST), (1, 2, WON), (1, 3, DRAWN)],
)
def test_the_outcome_is_seen_by_the_mover(one_sample, mover, outcome, expected):
    samples = one_sample(mover=mover, outcome=outcome, root_value=0.3, root_draw=0.2)
    batch = draw_batch([TICTACTOE], samples, np.zeros(8, np.int64), 0.0, np.random.default_rng(0))
    np.testing.assert_allclose(batch.outcome, [expected] * 8)


@pytest.mark.parametrize(("mover", "expected"), [(0, (0.55, 0.2, 0.25)), (1, (0.25, 0.2, 0.55))])
def test_the_value_of_the_search_is_seen_by_the_mover(one_sample, mover, expected):
    samples = one_sample(mover=mover, outcome=1, root_value=0.3, root_draw=0.2)
    batch = draw_batch([TICTACTOE], samples, np.zeros(1, np.int64), 1.0, np.random.default_rng(0))
    np.testing.assert_allclose(batch.outcome, [expected], atol=1e-6)


def test_outcome_and_search_are_mixed_in_their_shares(one_sample):
    samples = one_sample(mover=1, outcome=2, root_value=0.3, root_draw=0.2)
    batch = draw_batch([TICTACTOE], samples, np.zeros(1, np.int64), 0.25, np.random.default_rng(0))
    np.testing.assert_allclose(batch.outcome, [[0.75 + 0.25 * 0.25, 0.25 * 0.2, 0.25 * 0.55]], atol=1e-6)


def test_a_position_may_occur_twice_in_a_batch(one_sample):
    samples = Samples.concatenate([one_sample(mover=m, outcome=1, root_value=0, root_draw=0) for m in (0, 1)])
    batch = draw_batch([TICTACTOE], samples, np.array([1, 1, 0]), 0.0, np.random.default_rng(0))
    np.testing.assert_allclose(batch.outcome, [LOST, LOST, WON])
    np.testing.assert_allclose(batch.policy.sum(1), 1)
