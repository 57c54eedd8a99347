"""Building blocks of the trained network: masked convolutions, residual blocks and pooling over the board.

Axes: B positions, C channels, H rows, W columns.  A mask [B, 1, H, W] is 1 on the board and 0 outside it.
Sources: residual blocks of He et al., "Deep residual learning" (2015); pooling and its statistics of Wu, "Accelerating
self-play learning in Go" (2019); squeeze-and-excite of Hu et al. (2017).
"""

from collections.abc import Callable

import torch
from torch import nn

from ludus.network.config import NetworkSettings
from ludus.network.forward import WIDTH_CENTRE, WIDTH_RANGE

Mask = torch.Tensor | None


def keep(x: torch.Tensor, mask: Mask) -> torch.Tensor:
    """Return x with zeros outside the board."""
    return x if mask is None else x * mask


def mean(x: torch.Tensor, mask: Mask) -> torch.Tensor:
    """Return the mean of x [B, C, H, W] over the cells of the board, [B, C]."""
    return x.mean((2, 3)) if mask is None else (x * mask).sum((2, 3)) / mask.sum((2, 3))


def pool(x: torch.Tensor, mask: Mask) -> torch.Tensor:
    """Return the mean, the mean scaled by the board's width, and the maximum of x [B, C, H, W] >= 0, as [B, 3 C]."""
    average = mean(x, mask)
    cells = x.new_tensor([[x.shape[2] * x.shape[3]]]) if mask is None else mask.sum((2, 3))  # [1 or B, 1]
    width = (cells.sqrt() - WIDTH_CENTRE) / WIDTH_RANGE
    return torch.cat([average, average * width, keep(x, mask).amax((2, 3))], 1)


class MaskedNorm(nn.BatchNorm2d):
    """Batch normalization with statistics over the cells of the boards only, without the surrounding frame.

    If several processes share a batch, the statistics are those of the whole batch.
    """

    total: Callable[[torch.Tensor], torch.Tensor] | None = None
    """Sums a tensor over the processes that share a batch; None if there is only one process."""

    def forward(self, x: torch.Tensor, mask: Mask = None) -> torch.Tensor:  # pyright: ignore[reportIncompatibleMethodOverride]
        """Return x [B, C, H, W] normalized."""
        if not self.training or (mask is None and self.total is None):
            return super().forward(x)
        total = self.total or (lambda each: each)
        here = torch.full((), x.numel() / x.shape[1], device=x.device) if mask is None else mask.sum()
        cells = total(here)
        average = total(keep(x.float(), mask).sum((0, 2, 3))) / cells  # [C]
        variance = total(keep((x.float() - average.reshape(1, -1, 1, 1)).square(), mask).sum((0, 2, 3))) / cells
        self._remember(average.detach(), (variance * cells / (cells - 1)).detach())
        scale = self.weight * torch.rsqrt(variance + self.eps)
        shift = self.bias - average * scale
        return (x * scale.reshape(1, -1, 1, 1) + shift.reshape(1, -1, 1, 1)).to(x.dtype)

    def _remember(self, average: torch.Tensor, variance: torch.Tensor) -> None:
        assert self.running_mean is not None, "torch allows norms without statistics; these always track them"
        assert self.running_var is not None, "see above"
        assert self.num_batches_tracked is not None, "see above"
        self.num_batches_tracked += 1
        share = 1.0 / float(self.num_batches_tracked) if self.momentum is None else self.momentum
        self.running_mean.lerp_(average, share)
        self.running_var.lerp_(variance, share)


class Convolution(nn.Sequential):
    """A 3x3 convolution with batch normalization, which makes a bias unnecessary."""

    def __init__(self, inputs: int, outputs: int) -> None:
        super().__init__(nn.Conv2d(inputs, outputs, 3, padding=1, bias=False), MaskedNorm(outputs))

    def forward(self, x: torch.Tensor, mask: Mask = None) -> torch.Tensor:  # pyright: ignore[reportIncompatibleMethodOverride]
        """Return the normalized convolution [B, outputs, H, W] of x [B, inputs, H, W]."""
        return self[1](self[0](x), mask)


class Block(nn.Module):
    """A residual block, optionally with pooling after its first convolution or squeeze-and-excite at its end."""

    def __init__(self, settings: NetworkSettings, pooled: int) -> None:
        """Build a block that pools `pooled` channels of its first convolution."""
        super().__init__()
        channels = settings.channels
        self.first, self.second = Convolution(channels, channels), Convolution(channels - pooled, channels)
        self.pooled, self.squeezed = pooled, settings.squeeze > 0
        if pooled:
            self.pool = nn.Linear(3 * pooled, channels - pooled)
        if settings.squeeze:
            self.squeeze = nn.Linear(channels, channels // settings.squeeze)
            self.excite = nn.Linear(channels // settings.squeeze, channels)

    def forward(self, x: torch.Tensor, mask: Mask) -> torch.Tensor:
        """Return relu(x + f(x)) for x [B, channels, H, W]."""
        y = self.first(x, mask)
        if self.pooled:
            y, seen = y[:, : -self.pooled], torch.relu(y[:, -self.pooled :])
            y = y + self.pool(pool(seen, mask))[:, :, None, None]
        y = self.second(keep(torch.relu(y), mask), mask)
        if self.squeezed:
            gate = torch.sigmoid(self.excite(torch.relu(self.squeeze(mean(y, mask)))))  # [B, channels]
            y = y * gate[:, :, None, None]
        return keep(torch.relu(x + y), mask)
