"""The moving average of the weights, used for play, with its own batch-norm statistics.

Running statistics belong to the weights with which they were measured.  The averaged network therefore gets its own
statistics, measured on batches after training (as in stochastic weight averaging: Izmailov et al. 2018).
"""

from __future__ import annotations

from collections.abc import Iterable

import torch
from torch import nn

from ludus.network.model import Network

FORGETTING = 10  # after n steps, the decay is at most n / (n + FORGETTING), to forget the first weights


class Average:
    """A copy of a network whose weights are a moving average."""

    def __init__(self, network: Network, decay: float) -> None:
        """Copy the network's weights."""
        self.network = Network(network.settings, network.shapes)
        device = next(network.parameters()).device
        self.network.to(device, memory_format=torch.channels_last)  # pyright: ignore
        self.network.load_state_dict(network.state_dict())
        self._decay = decay
        followed, ours = network.state_dict(), self.network.state_dict()
        moving = [name for name, tensor in ours.items() if tensor.dtype.is_floating_point]
        self._theirs, self._ours = [followed[name] for name in moving], [ours[name] for name in moving]

    def follow(self, num_steps: int) -> None:
        """Move the average towards the network after step `num_steps`; early steps use a smaller decay."""
        decay = min(self._decay, num_steps / (num_steps + FORGETTING))
        torch._foreach_lerp_(self._ours, self._theirs, 1.0 - decay)  # pyright: ignore

    @torch.no_grad()
    def measure(self, batches: Iterable[torch.Tensor], autocast: torch.autocast, *, heads_only: bool = False) -> None:
        """Measure the batch-norm statistics as means over batches of planes [B, C, H, W].

        With `heads_only`, the frozen body keeps the statistics with which the heads were trained.
        """
        body = {*self.network.stem.modules(), *self.network.blocks.modules()} if heads_only else set[nn.Module]()
        layers = [layer for layer in self.network.modules() if isinstance(layer, nn.BatchNorm2d) and layer not in body]
        momenta = [layer.momentum for layer in layers]
        for layer in layers:
            layer.reset_running_stats()
            layer.momentum = None  # torch then computes plain means
        self.network.eval()
        for layer in layers:
            layer.train()
        for planes in batches:
            with autocast:
                self.network(planes)
        for layer, momentum in zip(layers, momenta, strict=True):
            layer.momentum = momentum
        self.network.eval()
