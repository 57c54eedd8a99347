"""What a network is made of: its settings, and the shapes that a game gives it."""

import msgspec

MOST_BLOCKS = 1000


class NetworkSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A residual network with a policy head and an outcome head, each a convolution and a linear layer."""

    blocks: int = 5
    """Residual blocks of two 3x3 convolutions (Deep-Wallwars: 20)."""
    channels: int = 64
    """Channels of the body (Deep-Wallwars: 128)."""
    head_channels: int = 32
    """Channels of the heads' convolution (Deep-Wallwars: 32)."""

    def __post_init__(self) -> None:
        """Refuse a network of nothing, or of more than any machine holds."""
        if not (0 <= self.blocks <= MOST_BLOCKS and self.channels >= 1 and self.head_channels >= 1):
            raise ValueError(f"a network has 0 to {MOST_BLOCKS} blocks and 1 channel or more in body and heads")


class Shapes(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The border between a game and a network."""

    planes: tuple[int, int, int]
    """[C, H, W] of the input."""
    num_actions: int
    """Length of the policy."""

    def __post_init__(self) -> None:
        """Refuse a border of no width."""
        if min(*self.planes, self.num_actions) < 1:
            raise ValueError("planes and actions must be 1 at least")
