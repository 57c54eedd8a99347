"""Previews of links: messengers and networks show the title, description and picture that a page's head names."""

from collections.abc import Callable, Sequence
from html import escape
from typing import NamedTuple

from ludus.errors import Unavailable
from ludus.games.registry import about, names
from ludus.site.archive.search import finished_summary
from ludus.site.catalogue.words import ending_words
from ludus.site.database.database import Database
from ludus.site.live.game import LiveGame
from ludus.site.live.live_games import LiveGames
from ludus.site.table.table import TableResult

PICTURE = "/preview.png"
PICTURE_SIZE = 1200, 630
"""Width and height in pixels."""


class Preview(NamedTuple):
    """What a preview says."""

    title: str
    description: str


SITE = Preview("Ludus", "Play board games against people, and against engines that taught themselves.")
PAGES = {
    "games": Preview("Games", "Games that are played now, and all that were played here."),
    "ratings": Preview("Ratings", "The ratings of people and engines, game by game."),
    "study": Preview("Analysis", "Try moves on a board while the strongest engine judges them."),
    "learn": Preview("Learn", "The rules of every game, with positions to try them in."),
    "puzzles": Preview("Puzzles", "Find the best move in positions from engines' games."),
}
"""The previews of the page's parts, by the first word of their paths."""


MAX_ID = 32
"""Most characters of a game's id."""


class Previews:
    """The previews of a site's links."""

    def __init__(self, live_games: LiveGames, database: Callable[[], Database], files: tuple[str, ...]) -> None:
        """Create the previews.

        Args:
            live_games: the games in memory.
            database: returns the database, which has the other finished games; raises Unavailable before it is open.
            files: paths of the game files that the site offers, for the titles of these games.
        """
        self._live_games, self._database, self._files = live_games, database, files

    async def of(self, path: str) -> Preview:
        """Return the preview of a link, given its path, such as `/game/4kJ2`."""
        part, _, name = path.strip("/").partition("/")
        if part == "game":
            return await self._of_game(name) or SITE
        return _of_page(part, name)

    async def _of_game(self, game_id: str) -> Preview | None:
        """Return the preview of a game; None if the site does not have it, or cannot read it now."""
        if game := self._live_games.games.get(game_id):
            return _of_live(game)
        if not 0 < len(game_id) <= MAX_ID:
            return None
        try:
            found = await finished_summary(self._database(), game_id, self._files)
        except Unavailable:
            return None
        if found is None:
            return None
        players = [player.name for player in found.players]
        return _of_finished(found.title, players, TableResult(found.winner, found.reason), found.ending)


def _of_page(part: str, name: str) -> Preview:
    general = PAGES.get(part, SITE)
    if part in ("learn", "puzzles") and name in names():
        return Preview(f"{general.title}: {about(name).title}", general.description)
    return general


WITHOUT_RESULT = ("aborted", "unfinished")
"""Reasons for which a game ends without winner and without draw."""


def tags(preview: Preview, origin: str, path: str) -> str:
    """Return the elements of a page's head that describe a link; `origin` is the site's address, as in `https://a.org`."""
    width, height = PICTURE_SIZE
    properties = {
        "og:site_name": "Ludus",
        "og:type": "website",
        "og:title": preview.title,
        "og:description": preview.description,
        "og:url": origin + path,
        "og:image": origin + PICTURE,
        "og:image:width": width,
        "og:image:height": height,
        "og:image:alt": "A board with discs and walls beside the name Ludus.",
    }
    lines = [f'<meta property="{name}" content="{escape(str(value))}" />' for name, value in properties.items()]
    return "".join([*lines, '<meta name="twitter:card" content="summary_large_image" />'])


def _of_live(game: LiveGame) -> Preview:
    title, result = about(game.row.spec).title, game.table.result
    players = [seat.name for seat in game.seats if seat.kind != "open"]
    if game.table.waiting:
        return Preview(f"{' and '.join(players)} invites you to a game of {title}", "Open the link to play.")
    if result:
        return _of_finished(title, players, result, ending_words(game.row.spec, result.reason))
    return Preview(f"{title}: {' against '.join(players)}", "Watch the game.")


def _of_finished(title: str, players: Sequence[str], result: TableResult, ending: str) -> Preview:
    if result.winner is not None:
        told = f"{players[result.winner]} won"
    else:
        told = "No result" if result.reason in WITHOUT_RESULT else "A draw"
    return Preview(f"{title}: {' against '.join(players)}", f"{told}: {ending}. See how the game went.")
