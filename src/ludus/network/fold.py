"""Weights in the form that evaluators use: batch normalization folded into convolutions, plane scales into the stem."""

from collections.abc import Iterator
from functools import reduce
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludus.network.config import NetworkSettings, Shapes
from ludus.network.evaluator import Arrays

EPSILON = 1e-5  # epsilon of torch's batch normalization
MAPS = "auxiliary.maps"
"""The layer of the head for final maps."""
IMPOSSIBLE = 1e4  # this negative logit has no share in a softmax, in any precision


class Layer(NamedTuple):
    """Weight and bias of a convolution or a linear layer."""

    weight: NDArray[np.float32]
    """For a convolution [outputs, inputs, 3, 3] (or 1, 1); for a linear layer [outputs, inputs], or
    [outputs, head_channels, H, W] over the whole board.
    """
    bias: NDArray[np.float32]  # [outputs]


def fold(arrays: Arrays, settings: NetworkSettings, shapes: Shapes) -> dict[str, Layer]:
    """Return a network's layers by name: `stem`, `blocks.0.first`, ..., `policy.convolution`, `policy.linear`, ...

    Args:
        arrays: the checkpoint's weights, by torch's names.
        settings: the form of the network.
        shapes: the input and output shapes of the network.
    """
    layers = {name: _convolution(arrays, name, shapes) for name in convolutions(settings)}
    for name in others(settings, shapes):
        weight = np.asarray(arrays[f"{name}.weight"], np.float32)
        if name in settings.board_readers:
            weight = weight.reshape(len(weight), settings.head_channels, *shapes.planes[1:])
        layers[name] = Layer(weight, np.asarray(arrays[f"{name}.bias"], np.float32))
    if settings.value == "scalar":
        layers["outcome.linear"] = _as_outcome(layers["outcome.linear"])
    return layers


def convolutions(settings: NetworkSettings) -> Iterator[str]:
    """Yield the names of a network's convolutions with batch normalization, in order of computation."""
    yield "stem"
    for index in range(settings.blocks):
        yield from (f"blocks.{index}.first", f"blocks.{index}.second")
    yield from ("policy.convolution", "outcome.convolution")


def others(settings: NetworkSettings, shapes: Shapes) -> Iterator[str]:
    """Yield the names of the layers without normalization that evaluators need, in order of computation."""
    for index in range(settings.blocks):
        if settings.pooled(index):
            yield f"blocks.{index}.pool"
        if settings.squeeze:
            yield from (f"blocks.{index}.squeeze", f"blocks.{index}.excite")
    if settings.heads == "linear":
        yield from settings.board_readers if settings.hidden else ()
        yield "policy.linear"
    else:
        yield "policy.spread"
        if shapes.num_layers:
            yield "policy.actions.cells"
        if shapes.num_placeless:
            yield "policy.actions.placeless"
        yield "outcome.hidden"
    yield "outcome.linear"
    if "maps" in settings.auxiliary:
        yield MAPS


def _as_outcome(layer: Layer) -> Layer:
    """Return win, draw and loss logits with the softmax ((1 + v) / 2, 0, (1 - v) / 2) for a value v = tanh(z)."""
    weight, bias = layer.weight[0], layer.bias[0]
    return Layer(np.stack([weight, np.zeros_like(weight), -weight]), np.array([bias, -IMPOSSIBLE, -bias], np.float32))


def factors(arrays: Arrays, name: str, shapes: Shapes) -> list[NDArray[np.float32]]:
    """Return the arrays whose product, in this order, is a convolution's folded weight [outputs, inputs, 3, 3].

    These are the trained weight, the scale of the normalization and, for the stem, the scale of the planes.
    """
    found = [arrays[f"{name}.0.weight"], _scale(arrays, name)[:, None, None, None]]
    if name == "stem":
        found.append(np.array(shapes.plane_scale, np.float32).reshape(-1, 1, 1))  # [C, 1, 1]
    return [np.asarray(each, np.float32) for each in found]


def _scale(arrays: Arrays, name: str) -> NDArray[np.float32]:
    """Return the factors of a convolution's normalization, [outputs]."""
    scale = arrays[f"{name}.1.weight"] / np.sqrt(arrays[f"{name}.1.running_var"] + EPSILON)
    return np.asarray(scale, np.float32)


def _convolution(arrays: Arrays, name: str, shapes: Shapes) -> Layer:
    bias = arrays[f"{name}.1.bias"] - arrays[f"{name}.1.running_mean"] * _scale(arrays, name)
    return Layer(reduce(np.multiply, factors(arrays, name, shapes)), np.asarray(bias, np.float32))
