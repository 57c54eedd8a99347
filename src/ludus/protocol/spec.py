"""How a Ludus game name (`wallgame:classic:5x5@6x6`) appears in the protocol: game, variant and board size."""

import re
from pathlib import PurePath
from typing import NamedTuple

_SIZE = re.compile(r"(\d+)x(\d+)(?:@(\d+)x(\d+))?")
_PLANES = {  # options by game that change what a network sees
    "wallgame": ("ways", "masked"),
    "connect4": ("ahead",),
    "gomoku": ("threats", "fours"),
    "go": ("liberties", "history", "seed"),
}
_OPTIONS = (  # the protocol names none
    *(*_PLANES["wallgame"], *_PLANES["connect4"], *_PLANES["gomoku"]),
    *("short", "search-short", "2026-01", "2026-09", "play-on"),
)
_GO_OPTIONS = ("marking", "pass-lock", *_PLANES["go"])
CHESS960 = "960"
"""A variant of chess: models of chess play it, since its planes and actions are the same."""
CHESS_CELLS = 64
_WITH_FRAMES = ("wallgame", "go")  # games whose smaller boards lie in the frames of larger ones
_USUAL = {"gomoku": "freestyle"}  # variants of names without one, where that is not `standard`


class Setting(NamedTuple):
    """A game as the protocol names it."""

    game: str
    variant: str
    """`standard` where a game has one variant; with `-swap2` for that opening."""
    width: int | None
    """None where the game's name has no size."""
    height: int | None


def setting_of(spec: str) -> Setting:
    """Return the game, variant and board size of a game's name; the frame and the options drop out."""
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
            continue  # the number of a start, which is no variant
        elif part not in _OPTIONS and not (name == "go" and (part in _GO_OPTIONS or "=" in part)):
            variant = part
    return Setting(game, variant, width, height)


def spec_in_play(spec: str, edition: str = "") -> str:
    """Return the name of a game as the protocol plays it.

    A Wall Game move may have fewer than two actions there, and in Go a pass is never forbidden, as it is in training.

    Args:
        spec: the game's name.
        edition: of the Wall Game's rules, if it is not the newest that is played.
    """
    name, *parts = spec.split(":")
    if name == "go":
        return ":".join([name, *(part for part in parts if part != "pass-lock")])
    if name != "wallgame":
        return spec
    return ":".join([spec, *(part for part in ("short", edition) if part and part not in parts)])


def planes_of(spec: str) -> str:
    """Return the end of a game's name by which a network sees more, such as `:ways:masked`; "" where there is none."""
    name, *parts = spec.split(":")
    return "".join(f":{part}" for part in parts if part in _PLANES.get(name, ()))


def plain_spec(spec: str) -> str:
    """Return the name of a game as people choose it: without frame, planes, and what `spec_in_play` adds."""
    name, *parts = spec.split(":")
    plain = (part.partition("@")[0] if _SIZE.fullmatch(part) else part for part in parts)
    return ":".join([name, *(part for part in plain if part not in (*_PLANES.get(name, ()), "short"))])


class Framed(NamedTuple):
    """A board in the frame of a larger one."""

    spec: str
    """The game's name."""
    cells: int
    """Of the frame."""


def framed(spec: str, variant: str, width: int, height: int) -> Framed | None:
    """Return the name under which a model of one game plays another board or variant; None if it cannot.

    A smaller Wall Game board, or another variant, is played in the frame of a game, and so is a smaller board of Go;
    Chess960 as it is.

    Args:
        spec: the name of the game whose planes and actions are borrowed.
        variant: of the board.
        width: of the board.
        height: of the board.
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
    """Return the name by which a model of another game plays a game: in the frame of that, with its planes.

    Args:
        spec: the game's full name, whose options are kept.
        other: the game whose planes and actions are borrowed.

    Returns:
        None if it is another game, or its board does not fit into the frame.
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
