"""What a network is made of: its settings, and the shapes that a game gives it."""

from __future__ import annotations

import math
from typing import Literal, Protocol

import msgspec

from ludus.errors import BadPreset

MOST_BLOCKS = 1000
SHORT_HORIZONS = (4, 12)  # actions ahead at which `short_values` looks

Auxiliary = Literal["reply", "soft", "short_values", "moves_left", "maps"]


class NetworkSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A residual network with a policy head and an outcome head, each a convolution and a linear layer."""

    blocks: int = 5
    """Residual blocks of two 3x3 convolutions (Deep-Wallwars: 20)."""
    channels: int = 64
    """Channels of the body (Deep-Wallwars: 128)."""
    head_channels: int = 32
    """Channels of the heads' convolution (Deep-Wallwars: 32)."""
    auxiliary: tuple[Auxiliary, ...] = ()
    """Heads that exist in training alone: `reply`, `soft`, `short_values`, `moves_left`, and `maps` where declared."""

    def __post_init__(self) -> None:
        """Refuse a network of nothing, or of more than any machine holds."""
        if len(set(self.auxiliary)) < len(self.auxiliary):
            raise ValueError("auxiliary names a head twice")
        if not (0 <= self.blocks <= MOST_BLOCKS and self.channels >= 1 and self.head_channels >= 1):
            raise ValueError(f"a network has 0 to {MOST_BLOCKS} blocks and 1 channel or more in body and heads")


class Seen(Protocol):
    """What a network needs to know of a game; a `Game` is one."""

    planes: tuple[int, int, int]
    plane_scale: tuple[float, ...]
    num_actions: int
    num_maps: int


class Shapes(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The border between a game and a network."""

    planes: tuple[int, int, int]
    """[C, H, W] of the input, which are bytes."""
    plane_scale: tuple[float, ...]
    """What each plane's bytes are multiplied by [C], before anything else."""
    num_actions: int
    """Length of the policy."""
    num_maps: int = 0
    """Maps of a finished game's cells that the game declares."""

    @staticmethod
    def of(game: Seen) -> Shapes:
        """Return the border of a game."""
        return Shapes(
            planes=game.planes,
            plane_scale=game.plane_scale,
            num_actions=game.num_actions,
            num_maps=game.num_maps,
        )

    def fit(self, game: Shapes) -> bool:
        """Return whether a network of this border can play a game of that one."""
        mine, theirs = ((each.planes, each.plane_scale, each.num_actions) for each in (self, game))
        return mine == theirs

    def __post_init__(self) -> None:
        """Refuse a border of no width."""
        if min(*self.planes, self.num_actions) < 1:
            raise ValueError("planes and actions must be 1 at least")
        if len(self.plane_scale) != self.planes[0] or not all(0.0 < scale < math.inf for scale in self.plane_scale):
            raise ValueError("plane_scale must hold a finite number above 0 for each plane")


def check_heads(network: NetworkSettings, shapes: Shapes) -> None:
    """Raise BadPreset if a network of this form cannot be made for these games."""
    if "maps" in network.auxiliary and not shapes.num_maps:
        raise BadPreset("network.auxiliary names maps, but the game declares no final maps; leave it out.")
