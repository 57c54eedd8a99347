"""Samples: taking and concatenating positions keeps their policies."""

import dataclasses

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludus.store import Samples


def samples_with_policies(policies: list[list[int]], first_id: int = 0) -> Samples:
    num_positions = len(policies)
    ids = np.arange(first_id, first_id + num_positions)
    return Samples(
        states=np.stack([ids, ids + 1], axis=1).astype(np.uint64).reshape(num_positions, 2),
        game=np.zeros(num_positions, np.uint8),
        ply=ids.astype(np.int16),
        mover=(ids % 2).astype(np.uint8),
        action=ids.astype(np.int16),
        policy_start=np.cumsum([0, *map(len, policies)]).astype(np.int32),
        policy_action=np.array([action for policy in policies for action in policy], np.int16),
        policy_weight=np.array([1 / len(policy) for policy in policies for _ in policy], np.float32),
        outcome=np.ones(num_positions, np.uint8),
        root_value=np.zeros(num_positions, np.float32),
        root_draw=np.zeros(num_positions, np.float32),
        surprise=np.zeros(num_positions, np.float32),
        weight=np.ones(num_positions, np.float32),
        network=np.zeros(num_positions, np.int32),
        game_id=ids.astype(np.int64),
    )


def policy_of(samples: Samples, index: int) -> list[int]:
    return samples.policy_action[samples.policy_start[index] : samples.policy_start[index + 1]].tolist()


POLICIES = st.lists(st.lists(st.integers(0, 99), max_size=4), max_size=8)


@given(POLICIES, st.data())
def test_taken_positions_keep_their_policies(policies, data):
    indices = data.draw(st.lists(st.integers(0, len(policies) - 1), max_size=12) if policies else st.just([]))
    taken = samples_with_policies(policies).take(np.array(indices, np.int64))
    assert len(taken) == len(indices)
    assert taken.game_id.tolist() == indices
    assert [policy_of(taken, place) for place in range(len(taken))] == [policies[index] for index in indices]


@given(st.lists(POLICIES, min_size=1, max_size=4))
def test_joined_positions_keep_their_policies(parts):
    joined = Samples.concatenate([samples_with_policies(part) for part in parts])
    flat = [policy for part in parts for policy in part]
    assert [policy_of(joined, index) for index in range(len(joined))] == flat
    assert joined.policy_start.dtype == np.int32


def test_empty_samples_join_with_any_others():
    full = samples_with_policies([[1, 2], [3]])
    joined = Samples.concatenate([Samples.empty(2), full, Samples.empty(2)])
    assert len(joined) == 2
    assert joined.num_words == 2
    assert policy_of(joined, 1) == [3]


@pytest.mark.parametrize("name", ["ply", "policy_start", "policy_weight", "states"])
def test_arrays_that_do_not_fit_are_refused(name):
    samples = samples_with_policies([[1, 2], [3]])
    with pytest.raises(AssertionError, match=r"policy|ply|game|states"):
        dataclasses.replace(samples, **{name: getattr(samples, name)[:1]})
    with pytest.raises(AssertionError, match=name):
        dataclasses.replace(samples, **{name: getattr(samples, name).astype(np.float64)})
