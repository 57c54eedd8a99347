"""A game brings everything about itself: outside `ludus.games`, the source names no game."""

import re
from pathlib import Path

from ludus.games import BUILT_IN
from ludus.games.registry import about

SOURCE = Path(__file__).parents[2] / "src/ludus"


def pattern() -> re.Pattern[str]:
    """Return what names a built-in game: its name, its title, and a variant with a name of its own.

    `go` is also a word, so its name counts in quotes and in imports, and its title with a capital letter, but neither
    at the end of the title of a paper nor in the name of a protocol.  `wallgame.io` is a site.
    """
    names = {name.casefold() for game in BUILT_IN if game != "go" for name in (game, about(game).title)} | {"renju"}
    found = "|".join(re.escape(name).replace(r"\ ", "[ _-]?") for name in sorted(names))
    return re.compile(
        rf"""(?i:(?:{found})(?![._]?io))|["']go["']|["'`]go:|\bgames\.go\b|\bGo\b(?!" \(| Text Protocol)"""
    )


def test_no_file_outside_the_games_names_a_game():
    game, named = pattern(), set()
    for path in SOURCE.rglob("*"):
        place = path.relative_to(SOURCE)
        is_elsewhere = place.parts[0] == "games" or place.is_relative_to("site/page")  # the page is built
        if path.suffix in (".py", ".js", ".css", ".toml") and not is_elsewhere and game.search(path.read_text()):
            named.add(place.as_posix())
    assert sorted(named) == [], "let the game bring it (`ludus.games.about`), or use `ludus.games.MAIN_GAME`"


def test_names_of_games_are_recognised():
    game = pattern()
    for text in ('"go:9x9"', "Wall Game", "games.go.rules", "ludus.games.chess", "Chess960", "large Go", "tic-tac-toe"):
        assert game.search(text), text
    for text in (
        "wallgame.io's contract",
        "site.wallgame_io",
        'learning in Go" (2019)',
        "`go` writes",
        "async def go()",
        "KataGo",
    ):
        assert not game.search(text), text
