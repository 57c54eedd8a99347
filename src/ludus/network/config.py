"""The form of a network: its settings, and the input and output shapes that a game requires."""

from __future__ import annotations

import math
from typing import Annotated, Literal, Protocol

import msgspec

from ludus.config import AtLeastOne, AtLeastZero, Positive, Settings, Share
from ludus.errors import BadPreset

SHORT_HORIZONS = (4, 12)  # number of actions ahead that `short_values` predicts
SIDES = (1.0, -1.0)
"""Signs of the two final maps in a score: the mover's and the opponent's."""
POOLED_SHARE = 4  # a pooling block pools one in this many of its channels (KataGo: 32 of 96)

Auxiliary = Literal["reply", "short_values", "moves_left", "maps"]


class NetworkSettings(Settings, frozen=True):
    """Settings of a residual network with a policy head and an outcome head."""

    blocks: Annotated[int, msgspec.Meta(ge=0, le=1000)] = 5
    """Number of residual blocks of two 3x3 convolutions (Deep-Wallwars: 20)."""
    channels: AtLeastOne = 64
    """Number of channels in the body (Deep-Wallwars: 128)."""
    head_channels: AtLeastOne = 32
    """Number of channels in the convolution of each head (Deep-Wallwars: 32)."""
    heads: Literal["linear", "size-free"] = "linear"
    """`linear` reads the whole board with one layer (Deep-Wallwars); `size-free` works for any board size (KataGo)."""
    hidden: AtLeastZero = 0
    """Number of units in a hidden layer of each linear head (0: no hidden layer)."""
    value: Literal["outcome", "scalar"] = "outcome"
    """`outcome` predicts win, draw and loss; `scalar` predicts one value with tanh (Deep-Wallwars)."""
    pooling_every: AtLeastZero = 0
    """Distance, in blocks, between blocks that pool a quarter of their channels (KataGo: about 3; 0: no pooling)."""
    squeeze: AtLeastZero = 0
    """Reduction ratio of squeeze-and-excite in each block (Hu et al.: 16; 0: none)."""
    auxiliary: tuple[Auxiliary, ...] = ()
    """Heads used only in training: `reply`, `short_values`, `moves_left`, and `maps` if the game has them."""
    end_share: Share = 0.0
    """Weight, in the value used for play, of the score that the head `maps` predicts (cbaduk: 0.2; 0: none)."""
    end_points: Positive = 10.0
    """Points of a certain lead that contribute tanh(1) to that value (cbaduk: 10)."""
    frozen_generations: AtLeastZero = 0
    """Generations after a warm start in which only the heads learn (Deep-Wallwars: 4 after a change of board)."""

    def __post_init__(self) -> None:
        """Reject values out of range and settings that contradict each other."""
        super().__post_init__()
        if self.hidden and self.heads != "linear":
            raise ValueError('hidden is a layer of linear heads; leave it out, or set heads = "linear"')
        if self.pooling_every and self.channels < POOLED_SHARE:
            raise ValueError(f"a network with pooling needs at least {POOLED_SHARE} channels")
        if self.squeeze > self.channels:
            raise ValueError("squeeze must not exceed channels")
        if len(set(self.auxiliary)) < len(self.auxiliary):
            raise ValueError("auxiliary names a head twice")
        if self.end_share and "maps" not in self.auxiliary:
            raise ValueError('end_share needs the head "maps" in auxiliary')

    def pooled(self, block: int) -> int:
        """Return how many channels the block with index `block` pools over the board."""
        pools = self.pooling_every > 0 and (block + 1) % self.pooling_every == 0
        return self.channels // POOLED_SHARE if pools else 0

    @property
    def board_readers(self) -> tuple[str, ...]:
        """Return the policy and outcome layers that read all cells of the board at once."""
        if self.heads != "linear":
            return ()
        return ("policy.hidden", "outcome.hidden") if self.hidden else ("policy.linear", "outcome.linear")

    @property
    def num_outcomes(self) -> int:
        """Return the number of outputs of the outcome head."""
        return 1 if self.value == "scalar" else 3


class Seen(Protocol):
    """The properties of a game that determine a network's shapes; `Game` implements it."""

    planes: tuple[int, int, int]
    plane_scale: tuple[float, ...]
    num_actions: int
    num_maps: int
    score_weights: tuple[float, ...]
    mask_plane: int | None
    action_places: tuple[tuple[int, int, int], ...]
    plane_names: tuple[str, ...]


class Shapes(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The input and output shapes of a network for a game."""

    planes: tuple[int, int, int]
    """Shape [C, H, W] of the input, in bytes."""
    plane_scale: tuple[float, ...]
    """Factor by which the bytes of each plane are multiplied before the first layer [C]."""
    num_actions: int
    """Length of the policy vector."""
    num_maps: int = 0
    """Number of final maps, which describe the cells of a finished game, that the game declares."""
    score_weights: tuple[float, ...] = ()
    """Points for the mover besides the final maps: each weight times its plane's mean byte on the board [C].

    Empty: there is no score.
    """
    mask_plane: int | None = None
    """Index of the plane that is 1 on the board and 0 outside it, if the game declares one."""
    action_places: tuple[tuple[int, int, int], ...] = ()
    """Position of each action: (layer, row, column), or (index, -1, -1) if it has no cell; empty: unknown."""
    plane_names: tuple[str, ...] = ()
    """Name of each plane [C]; empty: unknown."""

    @staticmethod
    def of(game: Seen) -> Shapes:
        """Return the shapes that a game requires."""
        return Shapes(**{name: getattr(game, name) for name in Shapes.__struct_fields__})

    def fit(self, game: Shapes) -> bool:
        """Return whether a network with these shapes can play a game with the shapes `game`."""
        mine, theirs = ((each.planes, each.plane_scale, each.num_actions) for each in (self, game))
        masks, places = (None, game.mask_plane), ((), game.action_places)
        return mine == theirs and self.mask_plane in masks and self.action_places in places

    @property
    def num_layers(self) -> int:
        """Return the number of action layers over the cells."""
        return 1 + max((layer for layer, row, _ in self.action_places if row >= 0), default=-1)

    @property
    def num_placeless(self) -> int:
        """Return the number of possible actions without a cell."""
        return 1 + max((number for number, row, _ in self.action_places if row < 0), default=-1)

    def action_indices(self) -> list[int]:
        """Return each action's index in a flat array: all layers cell by cell, then the actions without a cell."""
        _, height, width = self.planes
        last = self.num_layers * height * width
        return [
            last + layer if row < 0 else (layer * height + row) * width + column
            for layer, row, column in self.action_places
        ]

    def __post_init__(self) -> None:
        """Reject empty or inconsistent shapes."""
        if min(*self.planes, self.num_actions) < 1:
            raise ValueError("planes and actions must be at least 1")
        if len(self.plane_scale) != self.planes[0] or not all(0.0 < scale < math.inf for scale in self.plane_scale):
            raise ValueError("plane_scale must have a finite number above 0 for each plane")
        if self.mask_plane is not None and not 0 <= self.mask_plane < self.planes[0]:
            raise ValueError("mask_plane must be one of the planes")
        if self.action_places and len(self.action_places) != self.num_actions:
            raise ValueError("action_places must have an entry for each action")
        if self.plane_names and len(self.plane_names) != self.planes[0]:
            raise ValueError("plane_names must have a name for each plane")
        if self.score_weights and (len(self.score_weights) != self.planes[0] or self.num_maps != len(SIDES)):
            raise ValueError("score_weights must have a number for each plane, and needs final maps of both players")


def check_heads(network: NetworkSettings, shapes: Shapes) -> None:
    """Raise BadPreset if a network of this form cannot be built for games with these shapes."""
    if "maps" in network.auxiliary and not shapes.num_maps:
        raise BadPreset("network.auxiliary includes maps, but the game declares no final maps; leave it out.")
    if network.end_share and not shapes.score_weights:
        raise BadPreset("network.end_share is set, but the game has no score from final maps; leave it out.")
    if network.heads == "size-free" and not shapes.action_places:
        raise BadPreset(
            'network.heads is "size-free", but the game does not declare action_places; set "linear", or declare them.'
        )
