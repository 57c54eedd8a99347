"""Weights as evaluators use them: batch normalisation folded into convolutions, the planes' scale into the stem."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludus.network.config import NetworkSettings, Shapes
from ludus.network.evaluator import Arrays

EPSILON = 1e-5  # of torch's batch normalisation


class Layer(NamedTuple):
    """What a convolution or a linear layer computes with."""

    weight: NDArray[np.float32]  # [outputs, inputs, 3, 3], or [outputs, head_channels, H, W] for a linear layer
    bias: NDArray[np.float32]  # [outputs]


def fold(arrays: Arrays, settings: NetworkSettings, shapes: Shapes) -> dict[str, Layer]:
    """Return the layers of a network: `stem`, `blocks.0.first`, ..., `policy.convolution`, `policy.linear`, ...

    Args:
        arrays: the checkpoint, by torch's names.
        settings: what the network is made of.
        shapes: the border to the game.
    """
    layers = {name: _convolution(arrays, name) for name in convolutions(settings)}
    scale = np.array(shapes.plane_scale, np.float32).reshape(-1, 1, 1)  # [C, 1, 1]
    layers["stem"] = layers["stem"]._replace(weight=layers["stem"].weight * scale)
    for head in ("policy", "outcome"):
        weight = arrays[f"{head}.linear.weight"].reshape(-1, settings.head_channels, *shapes.planes[1:])
        layers[f"{head}.linear"] = Layer(np.asarray(weight, np.float32), arrays[f"{head}.linear.bias"])
    return layers


def convolutions(settings: NetworkSettings) -> Iterator[str]:
    """Yield the names of a network's convolutions, each with its batch normalisation, in the order of computation."""
    yield "stem"
    for index in range(settings.blocks):
        yield from (f"blocks.{index}.first", f"blocks.{index}.second")
    yield from ("policy.convolution", "outcome.convolution")


def _convolution(arrays: Arrays, name: str) -> Layer:
    scale = arrays[f"{name}.1.weight"] / np.sqrt(arrays[f"{name}.1.running_var"] + EPSILON)  # [outputs]
    weight = arrays[f"{name}.0.weight"] * scale[:, None, None, None]
    bias = arrays[f"{name}.1.bias"] - arrays[f"{name}.1.running_mean"] * scale
    return Layer(np.asarray(weight, np.float32), np.asarray(bias, np.float32))
