"""A small network with weights and statistics that are anything but trivial, and its checkpoint."""

import numpy as np
import pytest

from ludus.network.checkpoint import Checkpoint, ModelInfo
from ludus.network.config import NetworkSettings, Shapes


@pytest.fixture(scope="session")
def info():
    return ModelInfo(
        name="odd",
        network=NetworkSettings(blocks=2, channels=12, head_channels=5),
        shapes=Shapes(planes=(3, 4, 5), plane_scale=(1.0, 0.5, 1 / 60), num_actions=11),
        games={"connect4": "0123456789abcdef"},
        generation=7,
        preset="test",
    )


@pytest.fixture(scope="session")
def network(info):
    import torch

    from ludus.network.model import Network

    torch.manual_seed(1)
    network = Network(info.network, info.shapes)
    for name, tensor in network.state_dict().items():
        if name.endswith("running_mean"):
            tensor.uniform_(-0.5, 0.5)
        elif name.endswith("running_var"):
            tensor.uniform_(0.3, 2.0)
        elif name.endswith((".1.weight", ".1.bias")):
            tensor.uniform_(-1.0, 1.5)
        elif name.endswith("linear.weight"):
            tensor.mul_(8.0)
    return network.eval()


@pytest.fixture(scope="session")
def checkpoint(info, network):
    return Checkpoint(info, {name: tensor.numpy().copy() for name, tensor in network.state_dict().items()})


@pytest.fixture(scope="session")
def planes(info):
    """Return bytes such as games write: two planes of small numbers, and one of large ones."""
    rng, shape = np.random.default_rng(0), (40, *info.shapes.planes[1:])
    return np.stack([rng.integers(most + 1, size=shape, dtype=np.uint8) for most in (1, 4, 255)], 1)  # [B, C, H, W]
