"""The moving average of the weights, which plays; its batch normalisation is measured, not averaged.

Running statistics belong to the weights under which they were taken.  An average of statistics is not the statistics of
the averaged weights, so these are taken anew, from batches that pass through the averaged network
(as for stochastic weight averaging: Izmailov et al. 2018).
"""

from __future__ import annotations

from collections.abc import Iterable

import torch
from torch import nn

from ludus.network.model import Network

FORGETTING = 10  # steps after which the first weights count as little as the average's decay allows


class Average:
    """A second network, which follows the first."""

    def __init__(self, network: Network, decay: float) -> None:
        """Begin with the network's weights."""
        self.network = Network(network.settings, network.shapes)
        device = next(network.parameters()).device
        self.network.to(device, memory_format=torch.channels_last)  # pyright: ignore
        self.network.load_state_dict(network.state_dict())
        self._decay = decay
        followed, ours = network.state_dict(), self.network.state_dict()
        moving = [name for name, tensor in ours.items() if tensor.dtype.is_floating_point]
        self._theirs, self._ours = [followed[name] for name in moving], [ours[name] for name in moving]

    def follow(self, num_steps: int) -> None:
        """Move towards the network after its step number `num_steps`; the first weights are soon forgotten."""
        decay = min(self._decay, num_steps / (num_steps + FORGETTING))
        torch._foreach_lerp_(self._ours, self._theirs, 1.0 - decay)  # pyright: ignore

    @torch.no_grad()
    def measure(self, batches: Iterable[torch.Tensor], autocast: torch.autocast, *, heads_only: bool = False) -> None:
        """Take the normalisation's statistics anew, as means over batches of planes [B, C, H, W].

        A body that was frozen keeps those with which the heads have learned (`heads_only`).
        """
        body = {*self.network.stem.modules(), *self.network.blocks.modules()} if heads_only else set[nn.Module]()
        layers = [layer for layer in self.network.modules() if isinstance(layer, nn.BatchNorm2d) and layer not in body]
        momenta = [layer.momentum for layer in layers]
        for layer in layers:
            layer.reset_running_stats()
            layer.momentum = None  # torch's word for a plain mean
        self.network.eval()
        for layer in layers:
            layer.train()
        for planes in batches:
            with autocast:
                self.network(planes)
        for layer, momentum in zip(layers, momenta, strict=True):
            layer.momentum = momentum
        self.network.eval()
