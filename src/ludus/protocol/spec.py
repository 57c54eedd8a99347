"""Conversions of full game names (`GAME:VARIANT:5x5@6x6`) to the protocol's game, variant and board size.

What the parts of a name mean is declared by the game (`ludus.games.about`).
"""

import re
from functools import lru_cache
from pathlib import PurePath
from typing import NamedTuple

from ludus.games import registry
from ludus.games.registry import about
from ludus.paths import spec_parts

_SIZE = re.compile(r"(\d+)x(\d+)(?:@(\d+)x(\d+))?")


class Setting(NamedTuple):
    """Game, variant and board size in the protocol."""

    game: str
    variant: str
    """`standard` for games with one variant; the name of an opening follows, as in `VARIANT-OPENING`."""
    width: int | None
    """None if the game's name has no size."""
    height: int | None


def setting_of(spec: str) -> Setting:
    """Return the game, variant and board size of a full game name; its frame and options are dropped."""
    name, *parts = spec_parts(spec)
    told = about(name)
    variant, opening, width, height = told.usual, "", None, None
    suffix = f"-{told.opening.value}" if told.opening else ""
    for part in parts:
        size = _SIZE.fullmatch(part)
        if size:
            width, height = int(size[1]), int(size[2])
            continue
        if suffix and f"-{part}".endswith(suffix):  # `OPENING`, or `VARIANT-OPENING` as in the protocol
            opening, part = suffix, f"-{part}".removesuffix(suffix)[1:]
        if part and told.is_variant(part):
            variant = part
    return Setting(PurePath(name).stem if registry.file_of(name) else name, variant + opening, width, height)


def spec_in_play(spec: str, edition: str = "") -> str:
    """Return the name of a game with the rules of the protocol, which may differ slightly from training.

    Args:
        spec: the full name of the game.
        edition: edition of the rules, for games that have several; "": the newest.
    """
    options = about(spec).options
    parts = [part for part in spec_parts(spec) if part not in options.training]
    more = (*options.play, *([edition] if edition in options.editions else []))
    return ":".join([*parts, *(part for part in more if part not in parts)])


def planes_of(spec: str) -> str:
    """Return the options in a game's name that add input planes, such as `:ways:masked`; "" if there are none."""
    planes = about(spec).options.planes
    return "".join(f":{part}" for part in spec_parts(spec) if part in planes)


def plain_spec(spec: str) -> str:
    """Return the name of a game without its frame, its plane options and the options that `spec_in_play` adds."""
    name, *parts = spec_parts(spec)
    options = about(name).options
    plain = (part.partition("@")[0] if _SIZE.fullmatch(part) else part for part in parts)
    return ":".join([name, *(part for part in plain if part not in (*options.planes, *options.play))])


class Framed(NamedTuple):
    """A game on a board inside the frame of a larger one."""

    spec: str
    """The full name of the game."""
    cells: int
    """Number of cells of the frame."""


def framed(spec: str, variant: str, width: int, height: int) -> Framed | None:
    """Return the name under which a model of one game can play another board or variant; None if it cannot.

    Args:
        spec: full name of the model's game.
        variant: the variant to play, with the planes and actions of the model's variant (`Variant.plays_as`).
        width: width of the board to play on.
        height: height of the board to play on.
    """
    name, *parts = spec_parts(spec)
    told, size = about(name), _size_in(parts)
    if told.variant(variant) is None:
        return None
    left_out = (*told.options.play, *told.options.editions, *([told.usual] if size is None else []))
    parts = [variant if told.is_variant(part) else part for part in parts]
    if variant not in (*parts, told.usual):
        parts.insert(1 if size else 0, variant)
    parts = [part for part in parts if part not in left_out]
    if size is None:
        made = ":".join([name, *parts])
        return None if setting_of(made) == setting_of(spec) else Framed(made, _cells_of(spec))
    columns, rows = int(size[3] or size[1]), int(size[4] or size[2])
    if not told.frames or width > columns or height > rows:
        return None
    board = f"{width}x{height}" if (width, height) == (columns, rows) else f"{width}x{height}@{columns}x{rows}"
    return Framed(":".join([name, *(board if part == size[0] else part for part in parts)]), columns * rows)


@lru_cache(maxsize=64)
def _cells_of(spec: str) -> int:
    """Return the number of cells of a game's planes."""
    _, rows, columns = registry.game(spec).planes
    return rows * columns


def seen_like(spec: str, other: str) -> Framed | None:
    """Return the name under which a model of the game `other` can play `spec`: in its frame and with its planes.

    Args:
        spec: full name of the game to play; its other options are kept.
        other: full name of the model's game.

    Returns:
        The name; None if the games differ, or the board does not fit into the frame.
    """
    (name, *parts), (kind, *borrowed) = spec_parts(spec), spec_parts(other)
    own, size = _size_in(parts), _size_in(borrowed)
    if name != kind or not own or not size:
        return None
    width, height, columns, rows = int(own[1]), int(own[2]), int(size[3] or size[1]), int(size[4] or size[2])
    is_whole = (width, height) == (columns, rows)
    if width > columns or height > rows or not (is_whole or about(name).frames):
        return None
    board = f"{width}x{height}" if is_whole else f"{width}x{height}@{columns}x{rows}"
    planes = about(name).options.planes
    options = (board if part == own[0] else part for part in parts if part not in planes)
    return Framed(":".join([name, *options]) + planes_of(other), columns * rows)


def _size_in(parts: list[str]) -> re.Match[str] | None:
    return next((found for part in parts if (found := _SIZE.fullmatch(part))), None)
