"""Figures that training reports; this module does not import torch, which is slow."""

import msgspec


class Losses(msgspec.Struct, frozen=True):
    """Means over training steps; losses and entropies are in nats, and losses include their targets' entropy."""

    policy: float
    """Cross-entropy with the policy targets, over the positions that have one."""
    outcome: float
    """Cross-entropy with the outcome targets, or the squared error of a scalar value."""
    gradient_norm: float
    """Norm of the gradients before clipping."""
    steps: int
    validation_policy: float | None = None
    """Policy loss of the averaged network on held-out games; None: no games are held out."""
    validation_outcome: float | None = None
    policy_entropy: float = 0.0
    """Entropy of the network's policy."""
    target_entropy: float = 0.0
    """Entropy of the policy targets, a lower bound of the policy loss."""
    value_mean: float = 0.0
    """Mean of the predicted outcomes, from player 0's view."""
    value_std: float = 0.0
    """Standard deviation of the predicted outcomes; near 0 if the network ignores its input."""
    auxiliary: dict[str, float] = {}
    """Unweighted loss of each auxiliary head."""
    data_wait_share: float = 0.0
    """Share of the training time spent waiting for batches."""
