"""Validation: how well a network does on games that are never trained on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np
import torch

from ludus.learner.objective import losses_of
from ludus.network.model import Network


@torch.no_grad()
def validate(
    network: Network, batches: Iterable[Mapping[str, torch.Tensor]], autocast: torch.autocast
) -> dict[str, float]:
    """Return the losses of `policy` and `outcome` over some batches; nothing if there are none.

    Args:
        network: which is left in evaluation mode.
        batches: `Batch` by its fields' names, on the network's device.
        autocast: the precision.
    """
    sums, rows = np.zeros(2), np.zeros(2)  # [policy, outcome]
    network.eval()
    for targets in batches:
        with autocast:
            heads = network.heads(targets["planes"])
        losses = losses_of(heads, targets)
        counts = np.array([float(targets["policy"].sum()), float(len(targets["mover"]))])
        sums += counts * [float(losses["policy"]), float(losses["outcome"])]
        rows += counts
    if not rows[1]:
        return {}
    policy, outcome = sums / np.maximum(rows, 1.0)
    return {"policy": float(policy), "outcome": float(outcome)}
