"""Conversions of full game names (`wallgame:classic:5x5@6x6`) to the protocol's game, variant and board size."""

import re
from pathlib import PurePath
from typing import NamedTuple

_SIZE = re.compile(r"(\d+)x(\d+)(?:@(\d+)x(\d+))?")
_PLANES = {  # options of each game that add input planes
    "wallgame": ("ways", "masked"),
    "connect4": ("ahead",),
    "gomoku": ("threats", "fours"),
    "go": ("liberties", "history", "seed"),
}
_OPTIONS = (  # options that the protocol does not mention
    *(*_PLANES["wallgame"], *_PLANES["connect4"], *_PLANES["gomoku"]),
    *("short", "search-short", "2026-01", "2026-09", "play-on"),
)
_GO_OPTIONS = ("marking", "pass-lock", *_PLANES["go"])
CHESS960 = "960"
"""Name of the chess variant Chess960, which chess models can play since planes and actions are the same."""
CHESS_CELLS = 64
_WITH_FRAMES = ("wallgame", "go")  # games whose smaller boards can be placed in the frame of a larger one
_USUAL = {"gomoku": "freestyle"}  # default variants other than `standard`


class Setting(NamedTuple):
    """Game, variant and board size in the protocol."""

    game: str
    variant: str
    """`standard` for games with one variant; ends in `-swap2` for that opening."""
    width: int | None
    """None if the game's name has no size."""
    height: int | None


def setting_of(spec: str) -> Setting:
    """Return the game, variant and board size of a full game name; its frame and options are dropped."""
    name, *parts = spec.split(":")
    game = PurePath(name).stem if name.endswith(".py") else name
    variant, width, height = _USUAL.get(game, "standard"), None, None
    for part in parts:
        size = _SIZE.fullmatch(part)
        if size:
            width, height = int(size[1]), int(size[2])
        elif part == "swap2":
            variant += "-swap2"
        elif (name, variant) == ("chess", CHESS960):
            continue  # the number of a start position
        elif part not in _OPTIONS and not (name == "go" and (part in _GO_OPTIONS or "=" in part)):
            variant = part
    return Setting(game, variant, width, height)


def spec_in_play(spec: str, edition: str = "") -> str:
    """Return the name of a game with the rules of the protocol, which differ slightly from training.

    A Wall Game move may have fewer than two actions, and in Go passing is always allowed.

    Args:
        spec: the full name of the game.
        edition: edition of the Wall Game's rules; "": the newest.
    """
    name, *parts = spec.split(":")
    if name == "go":
        return ":".join([name, *(part for part in parts if part != "pass-lock")])
    if name != "wallgame":
        return spec
    return ":".join([spec, *(part for part in ("short", edition) if part and part not in parts)])


def planes_of(spec: str) -> str:
    """Return the options in a game's name that add input planes, such as `:ways:masked`; "" if there are none."""
    name, *parts = spec.split(":")
    return "".join(f":{part}" for part in parts if part in _PLANES.get(name, ()))


def plain_spec(spec: str) -> str:
    """Return the name of a game without its frame, its plane options and the option that `spec_in_play` adds."""
    name, *parts = spec.split(":")
    plain = (part.partition("@")[0] if _SIZE.fullmatch(part) else part for part in parts)
    return ":".join([name, *(part for part in plain if part not in (*_PLANES.get(name, ()), "short"))])


class Framed(NamedTuple):
    """A game on a board inside the frame of a larger one."""

    spec: str
    """The full name of the game."""
    cells: int
    """Number of cells of the frame."""


def framed(spec: str, variant: str, width: int, height: int) -> Framed | None:
    """Return the name under which a model of one game can play another board or variant; None if it cannot.

    Models of the Wall Game and Go play smaller boards inside the frame of their own board, Wall Game models also other
    variants, and chess models Chess960.

    Args:
        spec: full name of the model's game.
        variant: the variant to play.
        width: width of the board to play on.
        height: height of the board to play on.
    """
    name, *parts = spec.split(":")
    size = _size_in(parts)
    if (name, variant) == ("chess", CHESS960):
        return Framed(f"chess:{CHESS960}", CHESS_CELLS)
    if name not in _WITH_FRAMES or size is None:
        return None
    columns, rows = int(size[3] or size[1]), int(size[4] or size[2])
    if width > columns or height > rows:
        return None
    if name == "go":
        options = (part for part in parts if part != size[0])
        return Framed(":".join([name, f"{width}x{height}@{columns}x{rows}", *options]), columns * rows)
    board = f"{width}x{height}" if (width, height) == (columns, rows) else f"{width}x{height}@{columns}x{rows}"
    return Framed(f"wallgame:{variant}:{board}{planes_of(spec)}", columns * rows)


def seen_like(spec: str, other: str) -> Framed | None:
    """Return the name under which a model of the game `other` can play `spec`: in its frame and with its planes.

    Args:
        spec: full name of the game to play; its other options are kept.
        other: full name of the model's game.

    Returns:
        The name; None if the games differ, or the board does not fit into the frame.
    """
    (name, *parts), (kind, *borrowed) = spec.split(":"), other.split(":")
    own, size = _size_in(parts), _size_in(borrowed)
    if name != kind or not own or not size:
        return None
    width, height, columns, rows = int(own[1]), int(own[2]), int(size[3] or size[1]), int(size[4] or size[2])
    is_whole = (width, height) == (columns, rows)
    if width > columns or height > rows or not (is_whole or name in _WITH_FRAMES):
        return None
    board = f"{width}x{height}" if is_whole else f"{width}x{height}@{columns}x{rows}"
    options = (board if part == own[0] else part for part in parts if part not in _PLANES.get(name, ()))
    return Framed(":".join([name, *options]) + planes_of(other), columns * rows)


def _size_in(parts: list[str]) -> re.Match[str] | None:
    return next((found for part in parts if (found := _SIZE.fullmatch(part))), None)
