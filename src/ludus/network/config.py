"""What a network is made of: its settings, and the shapes that a game gives it."""

import msgspec


class NetworkSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A residual network with a policy head and an outcome head, each a convolution and a linear layer."""

    blocks: int = 5
    """Residual blocks of two 3x3 convolutions (seed: 20)."""
    channels: int = 64
    """Channels of the body (seed: 128)."""
    head_channels: int = 32
    """Channels of the heads' convolution (seed: 32)."""


class Shapes(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The border between a game and a network."""

    planes: tuple[int, int, int]
    """[C, H, W] of the input."""
    num_actions: int
    """Length of the policy."""
