"""The network in PyTorch: what is trained, and the reference that every faster evaluator must agree with.

Axes: B positions, C planes, H rows, W columns of planes, A actions, K horizons, M maps.
Source of the form: He et al., "Deep residual learning" (2015); heads as in the Wall Game engine (3x3 convolution to 32
channels, then linear), with win, draw and loss in place of one tanh value.
"""

from typing import Any, NamedTuple

import torch
from numpy.typing import NDArray
from torch import nn

from ludus.network.config import SHORT_HORIZONS, Auxiliary, NetworkSettings, Shapes, check_heads


class Heads(NamedTuple):
    """Everything that is trained; evaluators know the first two alone."""

    policy: torch.Tensor  # [B, A] logits
    outcome: torch.Tensor  # [B, 3] logits of win, draw and loss, seen by the mover
    auxiliary: dict[str, torch.Tensor]
    """By name:

    reply           [B, A]          logits of the opponent's next action
    soft            [B, A]          logits of the policy target at a high temperature
    short_values    [B, K, 3]       logits of win, draw and loss so many actions ahead (`SHORT_HORIZONS`)
    moves_left      [B]             log(1 + actions until the end)
    maps            [B, M, H, W]    logits of the game's final maps, cell by cell
    """


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

    def features(self, x: torch.Tensor) -> torch.Tensor:
        """Return what logits are made of [B, head_channels, H, W], for x [B, channels, H, W]."""
        return torch.relu(self.convolution(x))

    def forward(self, features: torch.Tensor) -> torch.Tensor:
        """Return logits [B, outputs]."""
        return self.linear(torch.flatten(features.contiguous(), 1))


class Network(nn.Module):
    """Planes in, policy logits and outcome logits out; the outcome is seen by the mover."""

    def __init__(self, settings: NetworkSettings, shapes: Shapes) -> None:
        super().__init__()
        check_heads(settings, shapes)
        planes, height, width = shapes.planes
        self.settings, self.shapes = settings, shapes
        self.scale: torch.Tensor  # [C, 1, 1]; of the shapes, not of the weights
        self.register_buffer("scale", torch.tensor(shapes.plane_scale).reshape(-1, 1, 1), persistent=False)
        self.stem = Convolution(planes, settings.channels)
        self.blocks = nn.ModuleList(Block(settings.channels) for _ in range(settings.blocks))
        cells = height * width
        self.policy = Head(settings.channels, settings.head_channels, cells, shapes.num_actions)
        self.outcome = Head(settings.channels, settings.head_channels, cells, 3)
        self.auxiliary = nn.ModuleDict(
            {name: self._auxiliary_head(name, settings.head_channels) for name in settings.auxiliary}
        )

    def _auxiliary_head(self, name: Auxiliary, features: int) -> nn.Module:
        _, height, width = self.shapes.planes
        if name == "maps":
            return nn.Conv2d(features, self.shapes.num_maps, 1)
        outputs = {"short_values": 3 * len(SHORT_HORIZONS), "moves_left": 1}.get(name, self.shapes.num_actions)
        return nn.Linear(features * height * width, outputs)

    def forward(self, planes: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Return policy logits [B, A] and win/draw/loss logits [B, 3] for planes [B, C, H, W], bytes or floats."""
        x = self.body(planes)
        return self.policy(self.policy.features(x)), self.outcome(self.outcome.features(x))

    def heads(self, planes: torch.Tensor) -> Heads:
        """Return what is trained, for planes [B, C, H, W]."""
        x = self.body(planes)
        policy, outcome = self.policy.features(x), self.outcome.features(x)  # [B, head_channels, H, W]
        auxiliary: dict[str, torch.Tensor] = {}
        for name, head in self.auxiliary.items():
            features = policy if name in ("reply", "soft") else outcome
            auxiliary[name] = head(features if name == "maps" else torch.flatten(features.contiguous(), 1))
        if "short_values" in auxiliary:
            auxiliary["short_values"] = auxiliary["short_values"].unflatten(1, (len(SHORT_HORIZONS), 3))
        if "moves_left" in auxiliary:
            auxiliary["moves_left"] = auxiliary["moves_left"].squeeze(1)
        return Heads(self.policy(policy), self.outcome(outcome), auxiliary)

    def body(self, planes: torch.Tensor) -> torch.Tensor:
        """Return what heads see [B, channels, H, W]."""
        x = torch.relu(self.stem(planes.to(self.scale.dtype) * self.scale))
        for block in self.blocks:
            x = block(x)
        return x


def draw_arrays(settings: NetworkSettings, shapes: Shapes, seed: int) -> dict[str, NDArray[Any]]:
    """Return the weights of an untrained network, by torch's names."""
    torch.manual_seed(seed)
    return {name: tensor.numpy() for name, tensor in Network(settings, shapes).state_dict().items()}
