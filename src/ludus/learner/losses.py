"""What training reports of itself; known without torch, which takes a second to import."""

import msgspec


class Losses(msgspec.Struct, frozen=True):
    """Means over some training steps; in nats, the entropy of the targets included."""

    policy: float
    outcome: float
    gradient_norm: float
    steps: int
