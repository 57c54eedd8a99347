"""Folded weights give the results of the trained network, in a convolution written by hand."""

import numpy as np
import torch

from ludus.network.fold import convolutions, fold


def convolve(x, layer):
    """Return the rectified convolution of x [I, H, W] by the definition."""
    _, height, width = x.shape
    padded = np.pad(x, ((0, 0), (1, 1), (1, 1)))
    y = np.zeros((len(layer.bias), height, width))
    for row in range(height):
        for column in range(width):
            window = padded[:, row : row + 3, column : column + 3]  # [I, 3, 3]
            y[:, row, column] = (layer.weight * window).sum((1, 2, 3)) + layer.bias
    return y


def test_a_network_written_out_by_hand_agrees(checkpoint, network, planes):
    layers = fold(checkpoint.arrays, checkpoint.info.network, checkpoint.info.shapes)
    assert {*convolutions(checkpoint.info.network), "policy.linear", "outcome.linear"} == layers.keys()
    x = np.maximum(convolve(planes[5].astype(float), layers["stem"]), 0)
    for index in range(checkpoint.info.network.blocks):
        inner = np.maximum(convolve(x, layers[f"blocks.{index}.first"]), 0)
        x = np.maximum(x + convolve(inner, layers[f"blocks.{index}.second"]), 0)
    with torch.inference_mode():
        expected = network(torch.from_numpy(planes[5:6]))
    for head, logits in zip(("policy", "outcome"), expected, strict=True):
        y = np.maximum(convolve(x, layers[f"{head}.convolution"]), 0)
        linear = layers[f"{head}.linear"]
        found = (linear.weight * y).sum((1, 2, 3)) + linear.bias
        np.testing.assert_allclose(found, logits[0], rtol=1e-4, atol=1e-3)
