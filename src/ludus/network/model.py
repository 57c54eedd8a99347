"""The network in PyTorch: what is trained, and the reference that every faster evaluator must agree with.

Axes: B positions, C planes, H rows, W columns of planes, A actions.
Source of the form: He et al., "Deep residual learning" (2015); heads as in the Wall Game engine (3x3 convolution to 32
channels, then linear), with win, draw and loss in place of one tanh value.
"""

from typing import Any

import torch
from numpy.typing import NDArray
from torch import nn

from ludus.network.config import NetworkSettings, Shapes


class Convolution(nn.Sequential):
    """A 3x3 convolution with batch normalisation (and no bias, which the normalisation would swallow)."""

    def __init__(self, inputs: int, outputs: int) -> None:
        super().__init__(nn.Conv2d(inputs, outputs, 3, padding=1, bias=False), nn.BatchNorm2d(outputs))


class Block(nn.Module):
    """A residual block."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.first, self.second = Convolution(channels, channels), Convolution(channels, channels)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return x + f(x), rectified, for x [B, channels, H, W]."""
        return torch.relu(x + self.second(torch.relu(self.first(x))))


class Head(nn.Module):
    """A convolution, then a linear layer over the whole board."""

    def __init__(self, channels: int, head_channels: int, cells: int, outputs: int) -> None:
        super().__init__()
        self.convolution = Convolution(channels, head_channels)
        self.linear = nn.Linear(head_channels * cells, outputs)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return logits [B, outputs] for x [B, channels, H, W]."""
        return self.linear(torch.flatten(torch.relu(self.convolution(x)).contiguous(), 1))


class Network(nn.Module):
    """Planes in, policy logits and outcome logits out; the outcome is seen by the mover."""

    def __init__(self, settings: NetworkSettings, shapes: Shapes) -> None:
        super().__init__()
        planes, height, width = shapes.planes
        self.settings, self.shapes = settings, shapes
        self.scale: torch.Tensor  # [C, 1, 1]; of the shapes, not of the weights
        self.register_buffer("scale", torch.tensor(shapes.plane_scale).reshape(-1, 1, 1), persistent=False)
        self.stem = Convolution(planes, settings.channels)
        self.blocks = nn.ModuleList(Block(settings.channels) for _ in range(settings.blocks))
        cells = height * width
        self.policy = Head(settings.channels, settings.head_channels, cells, shapes.num_actions)
        self.outcome = Head(settings.channels, settings.head_channels, cells, 3)

    def forward(self, planes: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Return policy logits [B, A] and win/draw/loss logits [B, 3] for planes [B, C, H, W], bytes or floats."""
        x = torch.relu(self.stem(planes.to(self.scale.dtype) * self.scale))
        for block in self.blocks:
            x = block(x)
        return self.policy(x), self.outcome(x)


def draw_arrays(settings: NetworkSettings, shapes: Shapes, seed: int) -> dict[str, NDArray[Any]]:
    """Return the weights of an untrained network, by torch's names."""
    torch.manual_seed(seed)
    return {name: tensor.numpy() for name, tensor in Network(settings, shapes).state_dict().items()}
