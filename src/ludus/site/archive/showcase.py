"""Good games that the landing page shows: each game brings some that engines played, so that a new site has them, too.

`tools/showcase.py` plays them.  The file is `showcase.toml` in the package of a game, or `NAME.showcase.toml` beside
`NAME.py`.
"""

import tomllib
from pathlib import Path

import msgspec
from msgspec import Struct

from ludus.errors import BadGame
from ludus.games import registry
from ludus.games.annotations import NONE
from ludus.games.records import UNFINISHED, RecordHeader, result_of
from ludus.site.archive.texts import Brought
from ludus.site.catalogue.specs import table_game
from ludus.site.faults import NotHere


class ShownGame(Struct, frozen=True, forbid_unknown_fields=True):
    """A game, `[[games]]` in the file."""

    spec: str
    """The full name of the game."""
    names: tuple[str, str]
    """The players, with their strength."""
    moves: str
    """The moves in the game's notation, with blanks between them."""


class ShowcaseFile(Struct, frozen=True, forbid_unknown_fields=True):
    """The top of the file."""

    games: list[ShownGame]


class Showcase:
    """The games that a site shows."""

    def __init__(self) -> None:
        """Read the files of the built-in and installed games; raises BadGame if one cannot be read."""
        paths = [path for name in registry.names() if (path := registry.showcase_file(name))]
        self.games = [game for path in paths for game in _read(path).games]

    def index(self, number: int) -> int:
        """Return the index of the game with this number; after the last game comes the first one again.

        Raises:
            NotHere: no game brings any.
        """
        if not self.games:
            raise NotHere("This site has no games to show.")
        return number % len(self.games)

    def brought(self, index: int) -> Brought:
        """Return a game as if it had been read from a text; this may take long."""
        shown = self.games[index]
        last = table_game(shown.spec).start()
        for move in shown.moves.split():
            last = last.play(move)
        outcome = last.outcome
        winner, reason = (outcome.winner, outcome.reason) if outcome else (None, UNFINISHED)
        header = RecordHeader(names=shown.names, result=result_of(winner, over=outcome is not None), reason=reason)
        return Brought(last, header, winner, reason, NONE, ())


def _read(path: Path) -> ShowcaseFile:
    try:
        return msgspec.convert(tomllib.loads(path.read_text(encoding="utf-8-sig")), ShowcaseFile)
    except (OSError, ValueError) as error:
        raise BadGame(
            f"{path}: the games to show cannot be read ({error}); `tools/showcase.py` writes them."
        ) from error
