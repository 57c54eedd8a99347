"""What a network is made of: its settings, and the shapes that a game gives it."""

from __future__ import annotations

import math
from typing import Annotated, Literal, Protocol

import msgspec

from ludus.config import AtLeastOne, AtLeastZero, Positive, Settings, Share
from ludus.errors import BadPreset

SHORT_HORIZONS = (4, 12)  # actions ahead at which `short_values` looks
SIDES = (1.0, -1.0)
"""By which the two final maps count in a score: mine, the opponent's."""
POOLED_SHARE = 4  # a pooling block pools one of so many of its channels (KataGo: 32 of 96)

Auxiliary = Literal["reply", "soft", "short_values", "moves_left", "maps"]


class NetworkSettings(Settings, frozen=True, forbid_unknown_fields=True):
    """A residual network with a policy head and an outcome head, each a convolution and what reads it."""

    blocks: Annotated[int, msgspec.Meta(ge=0, le=1000)] = 5
    """Residual blocks of two 3x3 convolutions (Deep-Wallwars: 20)."""
    channels: AtLeastOne = 64
    """Channels of the body (Deep-Wallwars: 128)."""
    head_channels: AtLeastOne = 32
    """Channels of the heads' convolution (Deep-Wallwars: 32)."""
    heads: Literal["linear", "size-free"] = "linear"
    """`linear` reads the whole board by one layer (Deep-Wallwars); `size-free` fits every board size (KataGo)."""
    hidden: AtLeastZero = 0
    """Units of a layer between the whole board and what each linear head says of it (0: none)."""
    value: Literal["outcome", "scalar"] = "outcome"
    """`outcome` predicts win, draw and loss; `scalar` one value by tanh (Deep-Wallwars)."""
    pooling_every: AtLeastZero = 0
    """Every so many blocks, one pools a quarter of its channels over the board (KataGo: about 3; 0: none)."""
    squeeze: AtLeastZero = 0
    """Squeeze-and-excite in each block, through a layer of channels divided by this (Hu et al.: 16; 0: none)."""
    auxiliary: tuple[Auxiliary, ...] = ()
    """Heads that exist in training alone: `reply`, `soft`, `short_values`, `moves_left`, and `maps` where declared."""
    end_share: Share = 0.0
    """Share of what the head `maps` expects of the end in the value that is played by (cbaduk: 0.2; 0: none)."""
    end_points: Positive = 10.0
    """Points of a sure lead that count in it as tanh(1) (cbaduk: 10)."""
    frozen_generations: AtLeastZero = 0
    """Generations of a run's warm start in which the heads alone learn (Deep-Wallwars: 4 after a change of board)."""

    def __post_init__(self) -> None:
        """Refuse numbers out of their bounds, and parts that do not fit one another."""
        super().__post_init__()
        if self.hidden and self.heads != "linear":
            raise ValueError('hidden is a layer of linear heads; leave it out, or take heads = "linear"')
        if self.pooling_every and self.channels < POOLED_SHARE:
            raise ValueError(f"a network that pools has {POOLED_SHARE} channels or more")
        if self.squeeze > self.channels:
            raise ValueError("squeeze must not exceed channels")
        if len(set(self.auxiliary)) < len(self.auxiliary):
            raise ValueError("auxiliary names a head twice")
        if self.end_share and "maps" not in self.auxiliary:
            raise ValueError('end_share needs the head "maps" among auxiliary')

    def pooled(self, block: int) -> int:
        """Return how many channels of a block, counted from 0, are pooled over the board."""
        pools = self.pooling_every > 0 and (block + 1) % self.pooling_every == 0
        return self.channels // POOLED_SHARE if pools else 0

    @property
    def board_readers(self) -> tuple[str, ...]:
        """Return the layers of policy and outcome that read all cells of the board at once."""
        if self.heads != "linear":
            return ()
        return ("policy.hidden", "outcome.hidden") if self.hidden else ("policy.linear", "outcome.linear")

    @property
    def num_outcomes(self) -> int:
        """Return the outputs of the outcome head."""
        return 1 if self.value == "scalar" else 3


class Seen(Protocol):
    """What a network needs to know of a game; a `Game` is one."""

    planes: tuple[int, int, int]
    plane_scale: tuple[float, ...]
    num_actions: int
    num_maps: int
    score_weights: tuple[float, ...]
    mask_plane: int | None
    action_places: tuple[tuple[int, int, int], ...]
    plane_names: tuple[str, ...]


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
    score_weights: tuple[float, ...] = ()
    """What the mover gets in points beside the final maps: this by each plane's mean byte on the board [C].

    Empty: there is no score.
    """
    mask_plane: int | None = None
    """The plane that is 1 on the board and 0 around it, if the game declares one."""
    action_places: tuple[tuple[int, int, int], ...] = ()
    """Where each action sits: (layer, row, column), or (number, -1, -1) if it belongs to no cell; empty: unknown."""
    plane_names: tuple[str, ...] = ()
    """What each plane shows [C]; empty: unknown."""

    @staticmethod
    def of(game: Seen) -> Shapes:
        """Return the border of a game."""
        return Shapes(**{name: getattr(game, name) for name in Shapes.__struct_fields__})

    def fit(self, game: Shapes) -> bool:
        """Return whether a network of this border can play a game of that one."""
        mine, theirs = ((each.planes, each.plane_scale, each.num_actions) for each in (self, game))
        masks, places = (None, game.mask_plane), ((), game.action_places)
        return mine == theirs and self.mask_plane in masks and self.action_places in places

    @property
    def num_layers(self) -> int:
        """Return how many layers of actions lie on the cells."""
        return 1 + max((layer for layer, row, _ in self.action_places if row >= 0), default=-1)

    @property
    def num_placeless(self) -> int:
        """Return how many actions may belong to no cell."""
        return 1 + max((number for number, row, _ in self.action_places if row < 0), default=-1)

    def action_indices(self) -> list[int]:
        """Return where each action stands in a row of all layers, cell by cell, and then the placeless."""
        _, height, width = self.planes
        last = self.num_layers * height * width
        return [
            last + layer if row < 0 else (layer * height + row) * width + column
            for layer, row, column in self.action_places
        ]

    def __post_init__(self) -> None:
        """Refuse a border of no width."""
        if min(*self.planes, self.num_actions) < 1:
            raise ValueError("planes and actions must be 1 at least")
        if len(self.plane_scale) != self.planes[0] or not all(0.0 < scale < math.inf for scale in self.plane_scale):
            raise ValueError("plane_scale must hold a finite number above 0 for each plane")
        if self.mask_plane is not None and not 0 <= self.mask_plane < self.planes[0]:
            raise ValueError("mask_plane must be one of the planes")
        if self.action_places and len(self.action_places) != self.num_actions:
            raise ValueError("action_places must hold a place for each action")
        if self.plane_names and len(self.plane_names) != self.planes[0]:
            raise ValueError("plane_names must hold a name for each plane")
        if self.score_weights and (len(self.score_weights) != self.planes[0] or self.num_maps != len(SIDES)):
            raise ValueError("score_weights must hold a number for each plane, beside maps that are mine and not mine")


def check_heads(network: NetworkSettings, shapes: Shapes) -> None:
    """Raise BadPreset if a network of this form cannot be made for these games."""
    if "maps" in network.auxiliary and not shapes.num_maps:
        raise BadPreset("network.auxiliary names maps, but the game declares no final maps; leave it out.")
    if network.end_share and not shapes.score_weights:
        raise BadPreset("network.end_share is given, but the game has no score by final maps; leave it out.")
    if network.heads == "size-free" and not shapes.action_places:
        raise BadPreset(
            'network.heads is "size-free", but the game does not declare action_places; take "linear", or declare them.'
        )
