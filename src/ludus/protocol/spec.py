"""How a Ludus game name (`wallgame:classic:5x5@6x6`) appears in the protocol: game, variant and board size."""

import re
from pathlib import PurePath
from typing import NamedTuple

_SIZE = re.compile(r"(\d+)x(\d+)(?:@\d+x\d+)?")
_OPTIONS = ("short",)  # they change what a player may do, not which game it is


class Setting(NamedTuple):
    """A game as the protocol names it."""

    game: str
    variant: str
    """`standard` where a game has one variant."""
    width: int | None
    """None where the game's name has no size."""
    height: int | None


def setting_of(spec: str) -> Setting:
    """Return the game, variant and board size of a game's name; the frame and the options drop out."""
    name, *parts = spec.split(":")
    game = PurePath(name).stem if name.endswith(".py") else name
    variant, width, height = "standard", None, None
    for part in parts:
        size = _SIZE.fullmatch(part)
        if size:
            width, height = int(size[1]), int(size[2])
        elif part not in _OPTIONS:
            variant = part
    return Setting(game, variant, width, height)


def spec_in_play(spec: str) -> str:
    """Return the name of a game as the protocol plays it: a Wall Game move may have fewer than two actions there."""
    name, *parts = spec.split(":")
    return f"{spec}:short" if name == "wallgame" and "short" not in parts else spec
