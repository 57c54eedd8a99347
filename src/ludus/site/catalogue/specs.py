"""The full names of games and boards on a site, and the titles, rules and sides that people read for them."""

import re
from functools import lru_cache

from ludus.errors import BadInput, LudusError
from ludus.games import registry
from ludus.games.about import STANDARD, About
from ludus.games.game import Game
from ludus.games.registry import about
from ludus.paths import spec_parts
from ludus.protocol.registration import BoardSize
from ludus.protocol.spec import plain_spec, setting_of, spec_in_play

UNNAMED, FIRST_AND_SECOND = ("Player 1", "Player 2"), ("First", "Second")
"""Default names of the players in the rules, and the names that the page shows in their place."""

SMALLEST = 3
"""Smallest width and height that bots declare; smaller boards are declared with this size."""


def table_game(spec: str) -> Game:
    """Return the game for play on the site, with the options that the site adds to every game."""
    return registry.game(spec_in_play(spec))


def title_of(spec: str) -> str:
    """Return a game's title."""
    return about(spec).title


def full_title_of(spec: str) -> str:
    """Return a game's title, with its variant if the game has several."""
    told, variant = about(spec), setting_of(spec).variant
    several = sum(bool(each.aim) for each in told.variants) > 1
    return told.title + (f", {variant}" if several or variant != STANDARD else "")


def summary_of(spec: str) -> str:
    """Return a game's rules in one sentence; "" if there is no such text."""
    told = about(spec)
    variant = told.variant(rules_of(told, setting_of(spec).variant))
    return (variant and variant.aim) or told.aim


def sides_of(game: Game) -> tuple[str, str]:
    """Return the names of the sides, such as Black and White."""
    return FIRST_AND_SECOND if game.players == UNNAMED else game.players


def place_of(game: str) -> int:
    """Return the rank of a game in lists; games in files come first, since the site was started for them."""
    names = registry.names()
    return 1 + names.index(game) if game in names else 0


def spec_for(game: str, variant: str, width: int, height: int, files: tuple[str, ...]) -> str:
    """Return the full name of a game with a variant and a board size; raises BadInput if the site has none."""
    spec = spec_of(game, variant, BoardSize(width, height), files)
    if spec is None:
        raise BadInput(f"This site has no game {game!r}, {variant!r}, on a {width}x{height} board.")
    return spec


def between_people(spec: str) -> str:
    """Return the name of a game for two people, who may play by further options: they mark dead stones, say."""
    return ":".join([spec, *about(spec).options.people])


def spec_stored(stored: str, files: tuple[str, ...]) -> str:
    """Return the name of a stored game's rules here, wherever their file was; its public name if the site has none."""
    told = registry.told_name(stored)
    return registry.name_told(told, files) or told


def known_spec(spec: str, files: tuple[str, ...]) -> str | None:
    """Return the catalogue's spelling of a game's name; None if the site does not have the game.

    Names of recorded games are accepted, too, with options of their rules, an earlier edition, and any size.
    `game:variant:WxH` becomes the game's own spelling.  Options for networks, and options that the site adds to every
    game, are dropped.
    """
    spec = registry.name_told(spec, files) or spec
    name = spec_parts(spec)[0]
    if name not in (*registry.names(), *files):
        return None
    plain, setting, options = plain_spec(spec), setting_of(spec), about(spec).options
    size = BoardSize(setting.width, setting.height) if setting.width and setting.height else drawn_size(name)
    found = size and spec_of(setting.game, setting.variant, size, files)
    if not size or not found:
        return None
    if plain == f"{name}:{setting.variant}:{size.board_width}x{size.board_height}":
        return found
    own, parts = spec_parts(found), spec_parts(plain)
    first, more = parts[: len(own)], parts[len(own) :]
    recorded = (*options.records, *options.people, *options.editions)
    return plain if first == own and all("=" in part or part in recorded for part in more) else None


@lru_cache(maxsize=64)
def drawn_size(name: str) -> BoardSize | None:
    """Return the size of the board of a game without a size in its name, as bots declare it; None if it is unknown."""
    try:
        board = registry.game(name).start().describe()
    except (LudusError, ValueError):  # the parse function of a game file may raise either
        return None
    return BoardSize(max(SMALLEST, board.columns), max(SMALLEST, board.rows))


@lru_cache(maxsize=1024)
def spec_of(game: str, variant: str, size: BoardSize, files: tuple[str, ...]) -> str | None:
    """Return the full name of a game with a variant and a board size; None if the site has no such game."""
    known = registry.name_told(game, files)
    if known is None or not re.fullmatch(r"[a-z0-9-]{1,40}", variant):
        return None
    extent = f"{size.board_width}x{size.board_height}"
    unnamed = (f":{extent}", "") if variant == STANDARD else ()
    rule = rules_of(about(known), variant)
    opening = variant.removeprefix(rule).replace("-", ":", 1)  # `-swap2` becomes `:swap2`
    for parts in (f":{rule}:{extent}{opening}", f":{variant}", f":{extent}:{variant}", *unnamed):
        try:
            board = registry.game(known + parts).start().describe()
        except (LudusError, ValueError):  # the parse function of a game file may raise either
            continue
        drawn = (max(SMALLEST, board.columns), max(SMALLEST, board.rows))  # the size that bots declare
        fits = (board.columns, board.rows) == (0, 0) or drawn == (size.board_width, size.board_height)
        if fits and setting_of(known + parts).variant == variant:  # not an option of the same name
            return known + parts
    return None


def rules_of(told: About, variant: str) -> str:
    """Return a variant without its opening."""
    return variant.removesuffix(f"-{told.opening.value}") if told.opening else variant
