"""The training window draws positions according to their weights, and never validation positions."""

import dataclasses

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludus.store import Samples, Window
from ludus.store.weights import duplicate_weights, hash_positions, held_out, surprise_weights

NAMES = [field.name for field in dataclasses.fields(Samples)]


def games_of(lengths: list[int], seed: int = 0, first_id: int = 0) -> Samples:
    """Return games of these lengths; three of four positions have a policy target."""
    rng = np.random.default_rng(seed)
    num_positions = sum(lengths)
    taught = rng.random(num_positions) < 0.75
    empty = Samples.empty(2)
    arrays = {
        name: np.zeros((num_positions, *getattr(empty, name).shape[1:]), getattr(empty, name).dtype) for name in NAMES
    }
    ids = np.repeat(first_id + np.arange(len(lengths)), lengths)
    return Samples(
        **arrays
        | {
            "states": rng.integers(0, 3, (num_positions, 2)).astype(np.uint64),
            "policy_start": np.concatenate([[0], np.cumsum(taught)]).astype(np.int32),
            "policy_action": np.zeros(taught.sum(), np.int16),
            "policy_weight": np.ones(taught.sum(), np.float32),
            "surprise": (rng.random(num_positions) * taught).astype(np.float32),
            "weight": np.ones(num_positions, np.float32),
            "game_id": ids.astype(np.int64),
        }
    )


def filled(*parts: Samples, **options) -> Window:
    window = Window(**options)
    for part in parts:
        window.extend(part)
    return window


def counts(window: Window, passes: int, seed: int = 0) -> np.ndarray:
    """Return how often each position is drawn in some passes, batch by batch."""
    drawn = window.draw(int(window.weights().sum() * passes), np.random.default_rng(seed))
    return np.bincount(drawn, minlength=len(window))


LENGTHS = st.lists(st.integers(1, 6), min_size=1, max_size=8)


@given(st.lists(LENGTHS, min_size=1, max_size=4), st.integers(1, 3), st.integers(1, 20))
def test_each_position_is_drawn_once_a_pass(parts, passes, batch):
    window = filled(*(games_of(lengths, seed) for seed, lengths in enumerate(parts)))
    rng = np.random.default_rng(1)
    drawn = np.concatenate([window.draw(batch, rng) for _ in range(-(-passes * len(window) // batch))])
    whole = drawn[: passes * len(window)].reshape(passes, len(window))
    assert (np.sort(whole, axis=1) == np.arange(len(window))).all()


def test_another_pass_has_another_order():
    window, rng = filled(games_of([50])), np.random.default_rng(0)
    assert window.draw(50, rng).tolist() != window.draw(50, rng).tolist()


def test_a_position_is_drawn_as_often_as_its_weight():
    samples = games_of([5])
    samples = dataclasses.replace(samples, weight=np.array([0.0, 0.25, 1.0, 2.0, 1.75], np.float32))
    found = counts(filled(samples), 4000)
    assert found[0] == 0
    np.testing.assert_allclose(found / found.sum() * 5.0, samples.weight, rtol=0.05)


@given(LENGTHS, st.floats(0.05, 0.5))
def test_validation_positions_are_never_drawn(lengths, share):
    samples = games_of([1, *lengths])  # game 0 is never held out
    window = filled(samples, samples, validation=share)
    away = np.concatenate([held_out(samples, share)] * 2)
    assert set(window.draw(4 * len(window), np.random.default_rng(0)).tolist()) == set(np.flatnonzero(~away).tolist())
    rng = np.random.default_rng(1)
    assert window.validation(10**9, rng).tolist() == np.flatnonzero(away).tolist()
    assert window.validation(2, rng).tolist() == np.flatnonzero(away).tolist()[-2:]
    assert window.validation(0, rng).tolist() == []


@pytest.mark.parametrize("surprise", [0.0, 1.0])
def test_positions_with_weight_0_are_not_used_for_validation(surprise):
    samples = games_of([4, 3])
    weight = np.array([1, 0, 2, 1, 0, 1, 0], np.float32)
    samples = dataclasses.replace(samples, weight=weight)
    window = filled(samples, samples, validation=1.0, surprise=surprise)  # surprise takes weight, but not these games
    assert window.validation(10**9, np.random.default_rng(0)).tolist() == np.flatnonzero(np.tile(weight, 2)).tolist()
    assert not window.weights().any(), "nor is anything of a game that is held out trained on"


def test_positions_with_a_small_weight_are_rarely_used_for_validation():
    samples = games_of([100] * 10)
    few = dataclasses.replace(samples, weight=np.full(1000, 0.1, np.float32))
    window = filled(few, samples, few, validation=1.0)
    found = [window.validation(10**9, np.random.default_rng(seed)).tolist() for seed in (0, 0, 1)]
    assert found[0] == found[1] != found[2]
    assert set(range(1000, 2000)) < set(found[0]), "all those of a usual weight"
    assert 150 < len(found[0]) - 1000 < 250
    assert found[0][-40:] == window.validation(40, np.random.default_rng(0)).tolist()


def test_fewer_than_44_games_have_no_validation_game_at_the_default_share():
    assert not held_out(games_of([1] * 43), 0.05).any()
    assert held_out(games_of([1] * 44), 0.05).any()


def test_validation_takes_whole_games_in_the_given_share():
    samples = games_of([3] * 4000)
    away = held_out(samples, 0.1).reshape(4000, 3)
    assert (away.all(1) == away.any(1)).all()
    assert 0.08 < away.mean() < 0.12
    assert not held_out(samples, 0.0).any()
    assert (held_out(samples, 0.2) >= held_out(samples, 0.1)).all(), "a larger share keeps what validated"


def slow_surprise_weights(samples: Samples, share: float) -> list[float]:
    weights = samples.weight.astype(float).tolist()
    out = list(weights)
    for game in set(samples.game_id.tolist()):
        rows = [
            i
            for i in range(len(samples))
            if samples.game_id[i] == game and samples.policy_start[i + 1] > samples.policy_start[i]
        ]
        surprise = sum(weights[i] * float(samples.surprise[i]) for i in rows)
        for i in rows:
            if surprise > 0:
                part = weights[i] * float(samples.surprise[i]) / surprise
                out[i] = (1 - share) * weights[i] + share * sum(weights[j] for j in rows) * part
    return out


@given(LENGTHS, st.integers(0, 9), st.floats(0, 1))
def test_surprise_weights_agree_with_a_simple_implementation(lengths, seed, share):
    samples = games_of(lengths, seed)
    weights = surprise_weights(samples, share)
    np.testing.assert_allclose(weights, slow_surprise_weights(samples, share), rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(weights.sum(), len(samples), rtol=1e-5)


def test_surprise_weights_with_a_share_of_a_half():
    samples = games_of([3])
    samples = dataclasses.replace(
        samples,
        policy_start=np.array([0, 1, 2, 2], np.int32),
        policy_action=np.zeros(2, np.int16),
        policy_weight=np.ones(2, np.float32),
        surprise=np.array([0.3, 0.1, 0.0], np.float32),
    )
    # Two weights are shared out: one evenly, one as 3 to 1; the position without a policy keeps its own.
    np.testing.assert_allclose(surprise_weights(samples, 0.5), [0.5 + 0.75, 0.5 + 0.25, 1.0], rtol=1e-6)


@given(LENGTHS, st.integers(0, 9))
def test_equal_positions_count_as_one(lengths, seed):
    samples = games_of(lengths, seed)
    rows = [tuple(row) for row in samples.states.tolist()]
    slow = [1 / rows.count(row) for row in rows]
    np.testing.assert_allclose(duplicate_weights(hash_positions(samples)), slow, rtol=1e-6)


def test_equal_positions_of_other_games_differ():
    samples = games_of([4])
    other = dataclasses.replace(samples, game=np.ones(4, np.uint8))
    assert not set(hash_positions(samples)) & set(hash_positions(other))


def test_equal_positions_are_found_across_parts():
    one, other = games_of([4], seed=0), games_of([4], seed=0)
    np.testing.assert_allclose(
        filled(one, other, deduplicate=True).weights(),
        np.tile(duplicate_weights(hash_positions(one)), 2) / 2,
        rtol=1e-6,
    )


def test_a_position_that_is_never_drawn_does_not_reduce_the_weight_of_its_duplicates():
    samples = games_of([1] * 40)
    samples = dataclasses.replace(samples, states=np.zeros_like(samples.states))
    samples = dataclasses.replace(samples, weight=np.where(np.arange(40) < 20, np.float32(1.0), np.float32(0.0)))
    away = held_out(samples, 0.2)
    assert away[:20].any(), "some of them validate, others are not wanted"
    weights = filled(samples, deduplicate=True, validation=0.2).weights()
    drawn = ~away & (samples.weight > 0)
    np.testing.assert_allclose(weights, drawn / drawn.sum(), rtol=1e-6)


def test_adding_samples_begins_a_new_pass():
    window, rng = filled(games_of([10])), np.random.default_rng(0)
    window.draw(7, rng)
    window.extend(games_of([5]))
    assert sorted(window.draw(15, rng).tolist()) == list(range(15))
