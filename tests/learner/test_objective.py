"""Each loss equals its value computed by hand."""

import math

import numpy as np
import pytest
import torch

from ludus.learner.objective import (
    entropy,
    expected,
    losses_of,
    maps_loss,
    moves_left_loss,
    outcome_loss,
    policy_loss,
    short_values_loss,
    total,
)
from ludus.learner.settings import LossWeights
from ludus.network.model import Heads

LOG2 = math.log(2.0)


def logits(*shares):
    return torch.log(torch.tensor(shares))


def test_the_policy_loss_is_a_cross_entropy_of_the_rows_that_have_a_target():
    said = logits([0.5, 0.25, 0.25], [0.1, 0.8, 0.1], [0.25, 0.25, 0.5])
    target = torch.tensor([[0.5, 0.5, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
    # (0.5 ln 2 + 0.5 ln 4 + ln 2) / 2
    assert float(policy_loss(said, target)) == pytest.approx((0.5 * LOG2 + 0.5 * 2 * LOG2 + LOG2) / 2)
    assert float(policy_loss(said + 7.0, target)) == pytest.approx(1.25 * LOG2), "shifted logits are equivalent"


def test_rows_without_targets_teach_nothing():
    said = logits([0.5, 0.5]).requires_grad_()
    loss = policy_loss(said, torch.zeros(1, 2))
    loss.backward()
    assert float(loss.detach()) == 0.0
    assert float(said.grad.abs().sum()) == 0.0


def test_a_policy_loss_is_lowest_at_its_target():
    target = torch.tensor([[0.7, 0.2, 0.1]])
    said = torch.log(target).requires_grad_()
    policy_loss(said, target).backward()
    np.testing.assert_allclose(said.grad, 0.0, atol=1e-6)
    assert float(policy_loss(said, target).detach()) == pytest.approx(float(entropy(target, torch.ones(1))))


def test_the_outcome_loss_of_three_is_a_cross_entropy():
    said = logits([0.5, 0.25, 0.25], [0.25, 0.25, 0.5])
    target = torch.tensor([[1.0, 0.0, 0.0], [0.5, 0.5, 0.0]])
    assert float(outcome_loss(said, target)) == pytest.approx((LOG2 + 2 * LOG2) / 2)


def test_the_outcome_loss_of_a_scalar_is_the_squared_error_of_its_tanh():
    said = torch.tensor([[math.atanh(0.5)], [0.0]])
    target = torch.tensor([[1.0, 0.0, 0.0], [0.1, 0.2, 0.7]])
    assert float(outcome_loss(said, target)) == pytest.approx(((0.5 - 1.0) ** 2 + 0.6**2) / 2)


def test_the_expected_outcome_is_wins_less_losses():
    assert expected(logits([0.5, 0.2, 0.3], [0.1, 0.1, 0.8])).tolist() == pytest.approx([0.2, -0.7])
    assert expected(torch.tensor([[math.atanh(-0.25)]])).tolist() == pytest.approx([-0.25])


def test_short_values_are_averaged_over_rows_and_horizons():
    said = logits([[0.5, 0.25, 0.25], [0.25, 0.5, 0.25]])
    target = torch.tensor([[[1.0, 0.0, 0.0], [1.0, 0.0, 0.0]]])
    assert float(short_values_loss(said, target)) == pytest.approx((LOG2 + 2 * LOG2) / 2)


def test_moves_left_are_square_near_and_straight_far_away():
    assert float(moves_left_loss(torch.tensor([1.0]), torch.tensor([1.5]))) == pytest.approx(0.125)
    assert float(moves_left_loss(torch.tensor([0.0]), torch.tensor([3.0]))) == pytest.approx(2.5)


def test_maps_count_where_they_are_known():
    said = torch.zeros(2, 1, 1, 2)
    said[0, 0, 0, 0] = math.log(3.0)  # probability 3/4
    target = torch.tensor([[[[1.0, 0.0]]], [[[1.0, 1.0]]]])
    by_hand = (math.log(4 / 3) + LOG2) / 2
    assert float(maps_loss(said, target, torch.tensor([1.0, 0.0]))) == pytest.approx(by_hand)
    assert float(maps_loss(said, target, torch.tensor([1.0, 1.0]))) == pytest.approx((by_hand + LOG2) / 2)
    assert float(maps_loss(said, target, torch.tensor([0.0, 0.0]))) == 0.0


def test_maps_count_on_the_board_and_not_around_it():
    rng = torch.Generator().manual_seed(0)
    said, target, known = torch.randn(2, 2, 3, 4, generator=rng), torch.ones(2, 2, 3, 4), torch.tensor([1.0, 0.5])
    mask = torch.zeros(2, 1, 3, 4)
    mask[0, :, :2, :3] = 1
    mask[1] = 1  # this board fills its frame
    on_board = (
        maps_loss(said[:1, :, :2, :3], target[:1, :, :2, :3], known[:1]),
        maps_loss(said[1:], target[1:], torch.ones(1)),
    )
    by_hand = (float(on_board[0]) + 0.5 * float(on_board[1])) / 1.5
    assert float(maps_loss(said, target, known, None, mask)) == pytest.approx(by_hand)


def test_entropies_are_averaged_over_the_rows_that_count():
    policies = torch.tensor([[0.5, 0.5, 0.0], [1.0, 0.0, 0.0], [0.25, 0.25, 0.5]])
    assert float(entropy(policies, torch.tensor([1.0, 0.0, 1.0]))) == pytest.approx((LOG2 + 1.5 * LOG2) / 2)


def test_every_head_has_its_loss_and_its_weight():
    rng = torch.Generator().manual_seed(0)
    draw = lambda *shape: torch.randn(*shape, generator=rng)  # noqa: E731
    share = lambda *shape: torch.softmax(draw(*shape), -1)  # noqa: E731
    auxiliary = {
        "reply": draw(4, 5),
        "short_values": draw(4, 2, 3),
        "moves_left": draw(4),
        "maps": draw(4, 2, 3, 3),
    }
    heads = Heads(draw(4, 5), draw(4, 3), auxiliary)
    targets = {
        "policy": share(4, 5),
        "outcome": share(4, 3),
        "reply": share(4, 5),
        "short_values": share(4, 2, 3),
        "moves_left": draw(4),
        "maps": (draw(4, 2, 3, 3) > 0).byte(),
        "maps_known": torch.ones(4),
    }
    found = losses_of(heads, targets)
    assert list(found) == ["policy", "outcome", *auxiliary]
    by_hand = {
        "policy": policy_loss(heads.policy, targets["policy"]),
        "outcome": outcome_loss(heads.outcome, targets["outcome"]),
        "reply": policy_loss(auxiliary["reply"], targets["reply"]),
        "short_values": short_values_loss(auxiliary["short_values"], targets["short_values"]),
        "moves_left": moves_left_loss(auxiliary["moves_left"], targets["moves_left"]),
        "maps": maps_loss(auxiliary["maps"], targets["maps"].float(), targets["maps_known"]),
    }
    assert {name: float(loss) for name, loss in found.items()} == {name: float(loss) for name, loss in by_hand.items()}
    weights = LossWeights(policy=1, outcome=2, reply=3, short_values=4, moves_left=5, maps=6)
    by_hand_sum = sum(weight * float(loss) for weight, loss in enumerate(by_hand.values(), 1))
    assert float(total(found, weights)) == pytest.approx(by_hand_sum, rel=1e-5)
