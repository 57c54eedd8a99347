"""Structs of the options for opening a game: variants, board sizes, and parts of the first position."""

from typing import Literal

from msgspec import Struct


class Named(Struct, frozen=True):
    """An option: its value, and the name to show."""

    value: str
    name: str


class Switch(Struct, frozen=True):
    """An opening rule such as Swap2, in which the players choose their colours during the game."""

    value: str
    """The suffix that selects the rule in the variant's name."""
    name: str
    players: tuple[str, str] = ("First", "Second")
    """The names of the sides under this rule."""


class SetupField(Struct, frozen=True):
    """An option of the first position: a key of the `setup` that `Game.start` accepts."""

    key: str
    title: str
    kind: Literal["choice", "number", "text", "lot"]
    """The kind of input: a `choice` of integers, a `number` in steps of 0.5, a `text`, or a `lot`: an integer that the
    game draws at random if the player gives none."""
    values: list[str] = []
    """The values of a `choice`; the first is the default."""
    hint: str = ""
    """The placeholder of the empty input field."""
    most: int = 0
    """The maximum of a `lot`."""
    variants: list[str] = []
    """The variants that have this option; empty for all of them."""


class Choices(Struct, frozen=True):
    """The options for opening one game."""

    game: str
    variants: list[Named]
    sizes: list[tuple[int, int]]
    """Board sizes as columns and rows; if empty, the sizes of the catalogue apply."""
    setup: list[SetupField]
    """Optional parts of the first position."""
    players: tuple[str, str]
    """The names of the sides without `switch`."""
    switch: Switch | None = None
