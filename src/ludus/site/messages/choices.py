"""What people may choose of a game beyond the boards of the catalogue: rules, sizes, and where it begins."""

from typing import Literal

from msgspec import Struct


class Named(Struct, frozen=True):
    """Something to choose, and what it is called."""

    value: str
    name: str


class Switch(Struct, frozen=True):
    """An opening in which players choose their colours at the table, so that nobody has one at first."""

    value: str
    """The second half of the variant's name."""
    name: str
    players: tuple[str, str] = ("First", "Second")
    """What the sides are called with it."""


class SetupField(Struct, frozen=True):
    """A part of the first position, as `Game.start` takes it: `{key: value}`."""

    key: str
    title: str
    kind: Literal["choice", "number", "text", "lot"]
    """`choice` of whole numbers; a `number`, in steps of a half; a `text`; a whole number, drawn by `lot` by
    the game if none is chosen."""
    values: list[str] = []
    """Of a choice; the first is what is meant if nothing is said."""
    hint: str = ""
    """What stands in an empty field."""
    most: int = 0
    """The greatest number of a lot."""
    variants: list[str] = []
    """With which it can be chosen; empty: with all."""


class Choices(Struct, frozen=True):
    """What can be chosen of one game."""

    game: str
    variants: list[Named]
    sizes: list[tuple[int, int]]
    """Columns and rows; empty: those of the catalogue."""
    setup: list[SetupField]
    """What may be left out."""
    players: tuple[str, str]
    """What the sides are called without the switch."""
    switch: Switch | None = None
