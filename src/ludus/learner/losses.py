"""What training reports of itself; known without torch, which takes a second to import."""

import msgspec


class Losses(msgspec.Struct, frozen=True):
    """Means over some training steps; losses and entropies in nats, losses with the entropy of their targets."""

    policy: float
    """Cross-entropy against the policy target, of the positions that have one."""
    outcome: float
    """Cross-entropy against the outcome target, or the squared error of a scalar value."""
    gradient_norm: float
    """Before clipping."""
    steps: int
    validation_policy: float | None = None
    """The same of games that are never trained on, by the weights that play; None where there are none."""
    validation_outcome: float | None = None
    policy_entropy: float = 0.0
    """Of the network's own policy."""
    target_entropy: float = 0.0
    """Of the policy targets: no policy loss falls below it."""
    value_mean: float = 0.0
    """Of the expected outcomes that the network predicts, seen by player 0."""
    value_std: float = 0.0
    """Spread of these over the positions of a step; near 0: the network says the same of everything."""
    auxiliary: dict[str, float] = {}
    """Loss of each auxiliary head, before its weight."""
    data_wait_share: float = 0.0
    """Of the training time, waiting for the next batch."""
