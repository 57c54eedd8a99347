"""What holds for all tests: properties see the same examples each time, and none is judged by how long one took.

So that a change is judged by what it changes; `make fuzz` looks for what these examples do not show.
"""

import numpy as np
import pytest
from hypothesis import settings

import ludus
from ludus.games.behaviour import behaviour
from ludus.network.checkpoint import Checkpoint, ModelInfo, array_shapes
from ludus.network.config import NetworkSettings, Shapes

settings.register_profile("ludus", deadline=None, derandomize=True)
settings.register_profile("fuzz", deadline=None, max_examples=1000)
settings.load_profile("ludus")


@pytest.fixture
def flat_model():
    """Return what makes a small model of generation 3, all of whose weights are the same."""

    def make(spec, weight=0.0, name="tiny"):
        game = ludus.game(spec)
        network, shapes = NetworkSettings(blocks=1, channels=4, head_channels=2), Shapes.of(game)
        arrays = {name: np.full(shape, weight, np.float32) for name, shape in array_shapes(network, shapes).items()}
        return Checkpoint(ModelInfo(name, network, shapes, {spec: behaviour(game)}, generation=3), arrays)

    return make
