"""A small network with random weights and statistics, and its checkpoint."""

import numpy as np
import pytest

from ludus.network.checkpoint import Checkpoint, ModelInfo
from ludus.network.config import NetworkSettings, Shapes

SHAPES = Shapes(planes=(3, 4, 5), plane_scale=(1.0, 0.5, 1 / 60), num_actions=11)


def drawn(settings, shapes):
    """Return a network with random weights and statistics, none of them at defaults."""
    import torch

    from ludus.network.model import Network

    torch.manual_seed(1)
    network = Network(settings, shapes)
    for name, tensor in network.state_dict().items():
        if name.endswith("running_mean"):
            tensor.uniform_(-0.5, 0.5)
        elif name.endswith("running_var"):
            tensor.uniform_(0.3, 2.0)
        elif name.endswith(".1.weight"):
            tensor.uniform_(0.3, 1.5)
        elif name.endswith(".1.bias"):
            tensor.uniform_(-0.5, 0.5)
        elif name.endswith(
            (".linear.weight", ".hidden.weight", "cells.weight", "placeless.weight", "excite.weight", "pool.weight")
        ):
            tensor.mul_(8.0 if name.endswith("linear.weight") else 2.0)
    return network.eval()


def in_checkpoint(network):
    info = ModelInfo(
        name="odd",
        network=network.settings,
        shapes=network.shapes,
        games={"connect4": "0123456789abcdef"},
        generation=7,
        preset="test",
    )
    return Checkpoint(info, {name: tensor.numpy().copy() for name, tensor in network.state_dict().items()})


@pytest.fixture(scope="session")
def network():
    return drawn(NetworkSettings(blocks=2, channels=12, head_channels=5), SHAPES)


@pytest.fixture(scope="session")
def checkpoint(network):
    return in_checkpoint(network)


@pytest.fixture(scope="session")
def info(checkpoint):
    return checkpoint.info


@pytest.fixture(scope="session")
def planes(info):
    """Return bytes as games write them: two planes of small numbers, and one of large ones."""
    rng, shape = np.random.default_rng(0), (40, *info.shapes.planes[1:])
    return np.stack([rng.integers(most + 1, size=shape, dtype=np.uint8) for most in (1, 4, 255)], 1)  # [B, C, H, W]


@pytest.fixture(scope="session")
def draw():
    """Return a function that creates a network with given settings and shapes."""
    return drawn


@pytest.fixture(scope="session")
def checkpoint_of():
    """Return a function that makes a checkpoint of a network."""
    return in_checkpoint


@pytest.fixture(scope="session")
def submit():
    """Return a function that writes planes to a lane and submits them."""

    def fill(lane, planes):
        lane.planes[: len(planes)] = planes
        lane.submit(len(planes))

    return fill
