"""Muon's steps change all directions equally."""

import numpy as np
import pytest
import torch

from ludus.learner.muon import Muon, orthogonal


@pytest.mark.parametrize("shape", [(3, 8, 20), (2, 20, 8), (1, 16, 16)])
def test_singular_values_come_out_near_one(shape):
    rng = torch.Generator().manual_seed(0)
    matrices = torch.randn(*shape, generator=rng) * torch.tensor([1e-3, 1.0, 1e3])[: shape[0], None, None]
    found = orthogonal(matrices)
    assert found.shape == shape
    sizes = torch.linalg.svdvals(found)
    assert float(sizes.min()) > 0.5
    assert float(sizes.max()) < 1.3
    left, _, right = torch.linalg.svd(matrices, full_matrices=False)
    assert float((found - left @ right).norm() / found.norm()) < 0.35, "the singular vectors are those of the matrix"


def test_a_step_follows_nesterovs_momentum():
    rng = torch.Generator().manual_seed(1)
    weights = [torch.nn.Parameter(torch.randn(6, 4, 3, 3, generator=rng)) for _ in range(2)]
    start = [weight.detach().clone() for weight in weights]
    gradients = [[torch.randn(6, 4, 3, 3, generator=rng) for _ in weights] for _ in range(2)]
    muon = Muon(weights, lr=0.1, momentum=0.9)
    for step in gradients:
        for weight, gradient in zip(weights, step, strict=True):
            weight.grad = gradient.clone()
        muon.step()
    for index, weight in enumerate(weights):
        place, buffer = start[index], torch.zeros(6, 4, 3, 3)
        for step in gradients:
            buffer = 0.9 * buffer + 0.1 * step[index]
            ahead = 0.1 * step[index] + 0.9 * buffer
            move = orthogonal(ahead.reshape(1, 6, 36)).reshape(6, 4, 3, 3)
            place = place - 0.1 * 0.2 * 36**0.5 * move
        np.testing.assert_allclose(weight.detach(), place, atol=1e-5)


def test_a_step_has_the_size_of_adamws():
    weight = torch.nn.Parameter(torch.zeros(64, 64, 3, 3))
    weight.grad = torch.randn(64, 64, 3, 3, generator=torch.Generator().manual_seed(2))
    Muon([weight], lr=1.0, momentum=0.0).step()
    assert 0.1 < float(weight.detach().square().mean().sqrt()) < 0.3
