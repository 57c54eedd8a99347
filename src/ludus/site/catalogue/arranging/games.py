"""Who knows what can be put on a game's board."""

from types import ModuleType

from ludus.site.catalogue.arranging import chess, stones, wallgame

GAMES: dict[str, ModuleType] = {"chess": chess, "go": stones, "gomoku": stones, "wallgame": wallgame}
"""By the game's short name; each module has `kit` and `setup`."""
