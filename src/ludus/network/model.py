"""The network in PyTorch: used for training, and the reference for all faster evaluators.

Axes: B positions, C planes, H rows, W columns of planes, A actions, K horizons, M maps, F features of the whole board.
Sources: linear heads as in Deep-Wallwars (3x3 convolution to 32 channels, then linear), with win, draw and loss
instead of one tanh value; size-free heads after Wu, "Accelerating self-play learning in Go" (2019).
"""

from typing import Any, NamedTuple

import torch
from numpy.typing import NDArray
from torch import nn

from ludus.network.blocks import Block, Convolution, Mask, keep, pool
from ludus.network.config import SHORT_HORIZONS, Auxiliary, NetworkSettings, Shapes, check_heads


class Features(NamedTuple):
    """Intermediate features of a head, shared by one or several output layers."""

    cells: torch.Tensor  # [B, head_channels, H, W]
    whole: torch.Tensor  # [B, F]


class Actions(nn.Module):
    """Logits of the actions that have a cell, and of those that have none."""

    def __init__(self, settings: NetworkSettings, shapes: Shapes) -> None:
        super().__init__()
        self.indices: torch.Tensor  # [A]; depends on the shapes, not on training
        self.register_buffer("indices", torch.tensor(shapes.action_indices()), persistent=False)
        self.has_cells, self.has_placeless = shapes.num_layers > 0, shapes.num_placeless > 0
        if self.has_cells:
            self.cells = nn.Conv2d(settings.head_channels, shapes.num_layers, 1)
        if self.has_placeless:
            self.placeless = nn.Linear(3 * settings.head_channels, shapes.num_placeless)

    def forward(self, features: Features) -> torch.Tensor:
        """Return logits [B, A]."""
        parts: list[torch.Tensor] = []
        if self.has_cells:
            parts.append(torch.flatten(self.cells(features.cells).contiguous(), 1))
        if self.has_placeless:
            parts.append(self.placeless(features.whole))
        return torch.cat(parts, 1)[:, self.indices]


class Head(nn.Module):
    """A convolution, optionally with a hidden layer over all its cells, or over their statistics if it is size-free."""

    def __init__(self, settings: NetworkSettings, shapes: Shapes, units: int) -> None:
        """Create a hidden layer with `units` units; 0: none."""
        super().__init__()
        channels = settings.head_channels
        self.convolution = Convolution(settings.channels, channels)
        self.is_size_free = settings.heads == "size-free"
        read = 3 * channels if self.is_size_free else channels * shapes.planes[1] * shapes.planes[2]
        self.hidden = nn.Linear(read, units) if units else None
        self.num_features = units or read
        self.dropout = nn.Dropout(0.0)  # without weights, so that models do not depend on it

    def features(self, x: torch.Tensor, mask: Mask) -> Features:
        """Return features of single cells and of the whole board for x [B, channels, H, W]."""
        cells = keep(torch.relu(self.convolution(x, mask)), mask)
        whole = pool(cells, mask) if self.is_size_free else torch.flatten(cells.contiguous(), 1)
        return Features(cells, self.dropout(whole if self.hidden is None else torch.relu(self.hidden(whole))))


class PolicyHead(Head):
    """Policy logits; in a size-free head, features of the whole board are added to each cell."""

    def __init__(self, settings: NetworkSettings, shapes: Shapes) -> None:
        super().__init__(settings, shapes, settings.hidden)
        if self.is_size_free:
            self.spread = nn.Linear(self.num_features, settings.head_channels)
            self.actions = Actions(settings, shapes)
        else:
            self.linear = nn.Linear(self.num_features, shapes.num_actions)

    def features(self, x: torch.Tensor, mask: Mask) -> Features:
        """Return the features of x [B, channels, H, W]; in a size-free head, cells include features of the board."""
        cells, whole = super().features(x, mask)
        if self.is_size_free:
            cells = keep(torch.relu(cells + self.spread(whole)[:, :, None, None]), mask)
        return Features(cells, whole)

    def forward(self, features: Features) -> torch.Tensor:
        """Return logits [B, A]."""
        return self.actions(features) if self.is_size_free else self.linear(features.whole)


class OutcomeHead(Head):
    """Logits of win, draw and loss, or one value before its tanh; a size-free head reads pooled statistics."""

    def __init__(self, settings: NetworkSettings, shapes: Shapes) -> None:
        super().__init__(settings, shapes, settings.channels if settings.heads == "size-free" else settings.hidden)
        self.linear = nn.Linear(self.num_features, settings.num_outcomes)

    def forward(self, features: Features) -> torch.Tensor:
        """Return logits [B, 3 or 1]."""
        return self.linear(features.whole)


class Heads(NamedTuple):
    """Outputs of all trained heads; evaluators compute only the first two."""

    policy: torch.Tensor  # [B, A] logits
    outcome: torch.Tensor  # [B, 3] logits of win, draw and loss for the mover; scalar: [B, 1] before the tanh
    auxiliary: dict[str, torch.Tensor]
    """By name:

    reply           [B, A]          logits of the opponent's next action
    short_values    [B, K, 3]       logits of win, draw and loss some actions ahead (`SHORT_HORIZONS`)
    moves_left      [B]             log(1 + actions until the end)
    maps            [B, M, H, W]    logits of the game's final maps, cell by cell
    """


class Network(nn.Module):
    """The trained network: planes in, policy logits and outcome logits (from the mover's perspective) out."""

    def __init__(self, settings: NetworkSettings, shapes: Shapes) -> None:
        super().__init__()
        check_heads(settings, shapes)
        self.settings, self.shapes = settings, shapes
        self.scale: torch.Tensor  # [C, 1, 1]; depends on the shapes, not on training
        self.register_buffer("scale", torch.tensor(shapes.plane_scale).reshape(-1, 1, 1), persistent=False)
        self.stem = Convolution(shapes.planes[0], settings.channels)
        self.blocks = nn.ModuleList(Block(settings, settings.pooled(index)) for index in range(settings.blocks))
        self.policy = PolicyHead(settings, shapes)
        self.outcome = OutcomeHead(settings, shapes)
        self.auxiliary = nn.ModuleDict({name: self._auxiliary_head(name) for name in settings.auxiliary})

    def _auxiliary_head(self, name: Auxiliary) -> nn.Module:
        if name == "maps":
            return nn.Conv2d(self.settings.head_channels, self.shapes.num_maps, 1)
        if name in ("short_values", "moves_left"):
            return nn.Linear(self.outcome.num_features, 1 if name == "moves_left" else 3 * len(SHORT_HORIZONS))
        if self.policy.is_size_free:
            return Actions(self.settings, self.shapes)
        return nn.Linear(self.policy.num_features, self.shapes.num_actions)

    def forward(self, planes: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Return policy logits [B, A] and outcome logits [B, 3 or 1] for planes [B, C, H, W], bytes or floats."""
        x, mask = self.body(planes)
        return self.policy(self.policy.features(x, mask)), self.outcome(self.outcome.features(x, mask))

    def heads(self, planes: torch.Tensor) -> Heads:
        """Return the outputs of all trained heads for planes [B, C, H, W]."""
        x, mask = self.body(planes)
        policy, outcome = self.policy.features(x, mask), self.outcome.features(x, mask)
        auxiliary = {name: _read(head, policy if name == "reply" else outcome) for name, head in self.auxiliary.items()}
        if "short_values" in auxiliary:
            auxiliary["short_values"] = auxiliary["short_values"].unflatten(1, (len(SHORT_HORIZONS), 3))
        if "moves_left" in auxiliary:
            auxiliary["moves_left"] = auxiliary["moves_left"].squeeze(1)
        return Heads(self.policy(policy), self.outcome(outcome), auxiliary)

    def body(self, planes: torch.Tensor) -> tuple[torch.Tensor, Mask]:
        """Return the heads' input [B, channels, H, W], and the mask of the boards if the game declares one."""
        x, mask = planes.to(self.scale.dtype), self.mask(planes)
        x = keep(torch.relu(self.stem(keep(x * self.scale, mask), mask)), mask)
        for block in self.blocks:
            x = block(x, mask)
        return x, mask

    def mask(self, planes: torch.Tensor) -> Mask:
        """Return the mask of the boards [B, 1, H, W] in planes [B, C, H, W], if the game declares one."""
        number = self.shapes.mask_plane
        return None if number is None else planes[:, number : number + 1].to(self.scale.dtype).contiguous()

    def drop_out(self, share: float) -> None:
        """Set this share of the heads' features to 0 in each training step, and scale up the others."""
        self.policy.dropout.p = self.outcome.dropout.p = share

    def train_heads(self) -> None:
        """Switch to training with a frozen body, which keeps its weights and normalization statistics."""
        self.train()
        for part in (self.stem, self.blocks):
            part.eval()
            part.requires_grad_(requires_grad=False)


def _read(head: nn.Module, features: Features) -> torch.Tensor:
    if isinstance(head, nn.Linear):
        return head(features.whole)
    return head(features.cells if isinstance(head, nn.Conv2d) else features)


def draw_arrays(settings: NetworkSettings, shapes: Shapes, seed: int) -> dict[str, NDArray[Any]]:
    """Return randomly initialized weights for a network, by torch's names."""
    torch.manual_seed(seed)
    return {name: tensor.numpy() for name, tensor in Network(settings, shapes).state_dict().items()}
