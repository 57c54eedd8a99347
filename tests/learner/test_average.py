"""The averaged network's batch-norm statistics match its own weights."""

import numpy as np
import pytest
import torch
from torch import nn

import ludus
from ludus.learner.average import Average
from ludus.network.config import NetworkSettings, Shapes
from ludus.network.model import Network

SHAPES = Shapes.of(ludus.game("tictactoe"))
NO_CAST = torch.autocast("cpu", dtype=torch.bfloat16, enabled=False)


def trained(steps=60, decay=0.98):
    """Return an average, a network that has moved far from it, and training batches."""
    torch.manual_seed(0)
    network = Network(NetworkSettings(blocks=2, channels=8, head_channels=4), SHAPES)
    network.to(memory_format=torch.channels_last)
    average = Average(network, decay)
    rng = torch.Generator().manual_seed(1)
    batches = [torch.randint(0, 2, (64, *SHAPES.planes), generator=rng).float() for _ in range(20)]
    optimiser = torch.optim.SGD(network.parameters(), lr=0.3)
    network.train()
    for step in range(steps):
        policy, outcome = network(batches[step % 20])
        optimiser.zero_grad()
        (policy.logsumexp(1).mean() + (outcome - 1.0).square().mean()).backward()
        optimiser.step()
        average.follow(step + 1)
    return average, network, batches


def misfit(network, batches):
    """Return the mismatch between stored statistics and those of the batches, in standard deviations."""
    seen: dict[nn.Module, list[torch.Tensor]] = {}
    layers = [layer for layer in network.modules() if isinstance(layer, nn.BatchNorm2d)]
    hooks = [
        layer.register_forward_hook(lambda layer, inputs, _out: seen.setdefault(layer, []).append(inputs[0]))
        for layer in layers
    ]
    network.train()
    kept = {name: tensor.clone() for name, tensor in network.state_dict().items()}
    with torch.no_grad():
        for batch in batches:
            network(batch)  # in training mode, each layer gets correctly normalised input
    network.load_state_dict(kept)
    network.eval()
    for hook in hooks:
        hook.remove()
    far = []
    for layer in layers:
        passed = torch.cat(seen[layer]).transpose(0, 1).flatten(1)  # [C, values]
        std = passed.std(1).clamp(min=1e-3)
        far.append(((layer.running_mean - passed.mean(1)) / std).abs().mean())
        far.append((layer.running_var.sqrt() / std - 1.0).abs().mean())
    return float(torch.stack(far).mean())


def test_measured_statistics_fit_the_averaged_weights_and_averaged_ones_do_not():
    average, _, batches = trained()
    averaged = misfit(average.network, batches)
    average.measure(batches[:8], NO_CAST)
    measured = misfit(average.network, batches)
    assert averaged > 0.1
    assert measured < 0.2 * averaged


def test_measuring_leaves_the_weights_alone():
    average, _, batches = trained(5)
    before = {name: tensor.clone() for name, tensor in average.network.named_parameters()}
    average.measure(batches[:2], NO_CAST)
    for name, tensor in average.network.named_parameters():
        assert torch.equal(tensor, before[name]), name
    assert not average.network.training
    assert {layer.momentum for layer in average.network.modules() if isinstance(layer, nn.BatchNorm2d)} == {0.1}


def test_the_statistics_of_a_frozen_body_are_kept():
    average, _, batches = trained(5)
    before = {name: tensor.clone() for name, tensor in average.network.state_dict().items()}
    average.measure(batches[:2], NO_CAST, heads_only=True)
    after = average.network.state_dict()
    changed = {name.split(".")[0] for name in after if not torch.equal(after[name], before[name])}
    assert changed == {"policy", "outcome"}


def test_measured_means_are_plain_means():
    average, _, batches = trained(5)
    average.measure(batches[:3], NO_CAST)
    network = average.network
    with torch.no_grad():
        passed = torch.cat([network.stem[0](batch * network.scale) for batch in batches[:3]])
    np.testing.assert_allclose(network.stem[1].running_mean, passed.mean((0, 2, 3)), atol=1e-5)


@pytest.mark.parametrize("decay", [0.0, 0.9])
def test_the_average_is_the_decayed_mean_of_the_weights(decay):
    torch.manual_seed(0)
    network = Network(NetworkSettings(blocks=0, channels=4, head_channels=2), SHAPES)
    average = Average(network, decay)
    by_hand = average.network.policy.linear.bias.detach().clone()
    for step in range(1, 30):
        with torch.no_grad():
            network.policy.linear.bias += step
        keep = min(decay, step / (step + 10))
        by_hand = keep * by_hand + (1 - keep) * network.policy.linear.bias.detach()
        average.follow(step)
    np.testing.assert_allclose(average.network.policy.linear.bias.detach(), by_hand, rtol=1e-5)
