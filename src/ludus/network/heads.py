"""The trained network's heads: what is read from the body, of the whole board at once or cell by cell.

Axes: B positions, H rows, W columns, A actions, F features of the whole board.
Sources: linear heads as in the Wall Game engine (3x3 convolution to 32 channels, then linear), with win, draw and loss
in place of one tanh value; size-free heads after Wu, "Accelerating self-play learning in Go" (2019).
"""

from typing import NamedTuple

import torch
from torch import nn

from ludus.network.blocks import Convolution, Mask, keep, pool
from ludus.network.config import NetworkSettings, Shapes


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
