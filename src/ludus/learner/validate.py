"""Validation: losses of a network on held-out games."""

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
    """Return the losses `policy` and `outcome` over batches; empty if there are no batches.

    Args:
        network: the network; it stays in evaluation mode.
        batches: fields of `Batch` by name, on the network's device.
        autocast: sets the precision.
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
