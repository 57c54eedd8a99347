"""Weight decay and clipping match values computed by hand, for each optimiser."""

import pytest
import torch
from torch import nn

from ludus.learner.optimiser import Optimiser
from ludus.learner.settings import LearnerSettings
from ludus.learner.team import Team


class Line(nn.Module):
    """A model with one weight and one bias."""

    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(1, 1)
        nn.init.constant_(self.linear.weight, 2.0)
        nn.init.constant_(self.linear.bias, 2.0)


def step(slope=1.0, steps=1, rate=0.1, momentum=0.0, **settings):
    line = Line()
    optimiser = Optimiser(line, LearnerSettings(gradient_norm=1e9, **settings), Team())
    for _ in range(steps):
        loss = slope * (line.linear.weight.sum() + line.linear.bias.sum())
        norm = optimiser.step(loss, rate=rate, momentum=momentum)
    return line.linear.weight.item(), line.linear.bias.item(), norm.item()


def test_sgd_takes_the_slope():
    assert step(optimiser="sgd", weight_decay=0.0) == pytest.approx((1.9, 1.9, 2**0.5))


def test_nesterov_looks_ahead():
    # A step is rate * (gradient + momentum * velocity), with velocities of 1 and 1.9: 0.1 * 1.9, then 0.1 * 2.71.
    assert step(optimiser="sgd", weight_decay=0.0, momentum=0.9, steps=2)[1] == pytest.approx(2 - 0.19 - 0.271)


@pytest.mark.parametrize("optimiser", ["sgd", "adamw"])
def test_decoupled_decay_shrinks_weights_alone(optimiser):
    weight, bias, _ = step(slope=0.0, optimiser=optimiser, weight_decay=0.5)
    assert (weight, bias) == pytest.approx((2.0 * (1 - 0.1 * 0.5), 2.0))


def test_l2_is_a_slope_of_the_weights_alone():
    weight, bias, norm = step(slope=0.0, optimiser="sgd", weight_decay=0.5, decay="l2")
    assert (weight, bias, norm) == pytest.approx((2.0 - 0.1 * 0.5 * 2.0, 2.0, 1.0))


def test_l2_under_adamw_moves_by_the_rate_however_small_it_is():
    weight, bias, _ = step(slope=0.0, optimiser="adamw", weight_decay=1e-3, decay="l2")
    assert (weight, bias) == pytest.approx((1.9, 2.0), rel=1e-4)


def test_large_gradients_are_scaled_down():
    line = Line()
    optimiser = Optimiser(line, LearnerSettings(optimiser="sgd", gradient_norm=1.0, weight_decay=0.0), Team())
    loss = 3.0 * line.linear.weight.sum() + 4.0 * line.linear.bias.sum()
    assert float(optimiser.step(loss, rate=1.0, momentum=0.0)) == pytest.approx(5.0)
    assert (line.linear.weight.item(), line.linear.bias.item()) == pytest.approx((2 - 0.6, 2 - 0.8))


@pytest.mark.parametrize("kind", ["adamw", "sgd"])
def test_restored_tensors_have_the_memory_layout_of_the_weights(kind):
    convolution = nn.Conv2d(3, 4, 3).to(memory_format=torch.channels_last)
    optimisers = [Optimiser(convolution, LearnerSettings(optimiser=kind), Team()) for _ in range(2)]
    for optimiser in optimisers:
        optimiser.step(convolution(torch.ones(1, 3, 3, 3)).sum(), rate=0.1, momentum=0.9)
    saved = {name: tensor.contiguous() for name, tensor in optimisers[0].state().items()}
    optimisers[1].restore(saved)
    restored = optimisers[1].state()
    for name, tensor in optimisers[0].state().items():
        assert torch.equal(tensor, restored[name])
        assert tensor.stride() == restored[name].stride(), name
