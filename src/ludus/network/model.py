"""The network in PyTorch: what is trained, and the reference that every faster evaluator must agree with.

Axes: B positions, C planes, H rows, W columns of planes, A actions, K horizons, M maps, F features of the whole board.
Sources: linear heads as in the Wall Game engine (3x3 convolution to 32 channels, then linear), with win, draw and loss
in place of one tanh value; size-free heads after Wu, "Accelerating self-play learning in Go" (2019).
"""

from typing import Any, NamedTuple

import torch
from numpy.typing import NDArray
from torch import nn

from ludus.network.blocks import Block, Convolution, Mask, keep, pool
from ludus.network.config import SHORT_HORIZONS, Auxiliary, NetworkSettings, Shapes, check_heads


class Features(NamedTuple):
    """What a head makes of the body, for one or several readings."""

    cells: torch.Tensor  # [B, head_channels, H, W]
    whole: torch.Tensor  # [B, F]


class Actions(nn.Module):
    """Logits of actions that sit on cells, and of those that sit nowhere."""

    def __init__(self, settings: NetworkSettings, shapes: Shapes) -> None:
        super().__init__()
        self.indices: torch.Tensor  # [A]; of the shapes, not of the weights
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
    """A convolution and perhaps a hidden layer above all of its cells, or above their statistics if it is size-free."""

    def __init__(self, settings: NetworkSettings, shapes: Shapes, units: int) -> None:
        """Make a hidden layer of so many units; 0: none."""
        super().__init__()
        channels = settings.head_channels
        self.convolution = Convolution(settings.channels, channels)
        self.is_size_free = settings.heads == "size-free"
        read = 3 * channels if self.is_size_free else channels * shapes.planes[1] * shapes.planes[2]
        self.hidden = nn.Linear(read, units) if units else None
        self.num_features = units or read

    def features(self, x: torch.Tensor, mask: Mask) -> Features:
        """Return the cells and what is read of all of them, for x [B, channels, H, W]."""
        cells = keep(torch.relu(self.convolution(x, mask)), mask)
        whole = pool(cells, mask) if self.is_size_free else torch.flatten(cells.contiguous(), 1)
        return Features(cells, whole if self.hidden is None else torch.relu(self.hidden(whole)))


class PolicyHead(Head):
    """Logits of actions; size-free, cells learn what the whole board says before they are read."""

    def __init__(self, settings: NetworkSettings, shapes: Shapes) -> None:
        super().__init__(settings, shapes, settings.hidden)
        if self.is_size_free:
            self.spread = nn.Linear(self.num_features, settings.head_channels)
            self.actions = Actions(settings, shapes)
        else:
            self.linear = nn.Linear(self.num_features, shapes.num_actions)

    def features(self, x: torch.Tensor, mask: Mask) -> Features:
        """Return cells, which know the board if the head is size-free, for x [B, channels, H, W]."""
        cells, whole = super().features(x, mask)
        if self.is_size_free:
            cells = keep(torch.relu(cells + self.spread(whole)[:, :, None, None]), mask)
        return Features(cells, whole)

    def forward(self, features: Features) -> torch.Tensor:
        """Return logits [B, A]."""
        return self.actions(features) if self.is_size_free else self.linear(features.whole)


class OutcomeHead(Head):
    """Logits of win, draw and loss, or one value before its tanh; size-free, from a layer above the statistics."""

    def __init__(self, settings: NetworkSettings, shapes: Shapes) -> None:
        super().__init__(settings, shapes, settings.channels if settings.heads == "size-free" else settings.hidden)
        self.linear = nn.Linear(self.num_features, settings.num_outcomes)

    def forward(self, features: Features) -> torch.Tensor:
        """Return logits [B, 3 or 1]."""
        return self.linear(features.whole)


class Heads(NamedTuple):
    """Everything that is trained; evaluators know the first two alone."""

    policy: torch.Tensor  # [B, A] logits
    outcome: torch.Tensor  # [B, 3] logits of win, draw and loss, seen by the mover; scalar: [B, 1] before the tanh
    auxiliary: dict[str, torch.Tensor]
    """By name:

    reply           [B, A]          logits of the opponent's next action
    soft            [B, A]          logits of the policy target at a high temperature
    short_values    [B, K, 3]       logits of win, draw and loss so many actions ahead (`SHORT_HORIZONS`)
    moves_left      [B]             log(1 + actions until the end)
    maps            [B, M, H, W]    logits of the game's final maps, cell by cell
    """


class Network(nn.Module):
    """Planes in, policy logits and outcome logits out; the outcome is seen by the mover."""

    def __init__(self, settings: NetworkSettings, shapes: Shapes) -> None:
        super().__init__()
        check_heads(settings, shapes)
        self.settings, self.shapes = settings, shapes
        self.scale: torch.Tensor  # [C, 1, 1]; of the shapes, not of the weights
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
        """Return what is trained, for planes [B, C, H, W]."""
        x, mask = self.body(planes)
        policy, outcome = self.policy.features(x, mask), self.outcome.features(x, mask)
        auxiliary = {
            name: _read(head, policy if name in ("reply", "soft") else outcome) for name, head in self.auxiliary.items()
        }
        if "short_values" in auxiliary:
            auxiliary["short_values"] = auxiliary["short_values"].unflatten(1, (len(SHORT_HORIZONS), 3))
        if "moves_left" in auxiliary:
            auxiliary["moves_left"] = auxiliary["moves_left"].squeeze(1)
        return Heads(self.policy(policy), self.outcome(outcome), auxiliary)

    def body(self, planes: torch.Tensor) -> tuple[torch.Tensor, Mask]:
        """Return what heads see [B, channels, H, W], and the mask of the boards if the game declares one."""
        x, mask = planes.to(self.scale.dtype), self.mask(planes)
        x = keep(torch.relu(self.stem(keep(x * self.scale, mask), mask)), mask)
        for block in self.blocks:
            x = block(x, mask)
        return x, mask

    def mask(self, planes: torch.Tensor) -> Mask:
        """Return the mask of the boards [B, 1, H, W] that planes [B, C, H, W] show, if the game declares one."""
        number = self.shapes.mask_plane
        return None if number is None else planes[:, number : number + 1].to(self.scale.dtype).contiguous()

    def train_heads(self) -> None:
        """Turn to training with a frozen body, which keeps its weights and its normalisations' statistics."""
        self.train()
        for part in (self.stem, self.blocks):
            part.eval()
            part.requires_grad_(requires_grad=False)


def _read(head: nn.Module, features: Features) -> torch.Tensor:
    if isinstance(head, nn.Linear):
        return head(features.whole)
    return head(features.cells if isinstance(head, nn.Conv2d) else features)


def draw_arrays(settings: NetworkSettings, shapes: Shapes, seed: int) -> dict[str, NDArray[Any]]:
    """Return the weights of an untrained network, by torch's names."""
    torch.manual_seed(seed)
    return {name: tensor.numpy() for name, tensor in Network(settings, shapes).state_dict().items()}
